import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance, type Json } from "@duckdb/node-api";

/** A dataset as DuckDB reads it, through its `views.sql`. */
export async function datasetIn(folder: string) {
  const connection = await (await DuckDBInstance.create()).connect();
  const views = readFileSync(join(folder, "views.sql"), "utf8").replaceAll("'./", `'${folder}/`);
  await connection.run(views);
  return async (sql: string): Promise<Record<string, Json>[]> => {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson();
  };
}
