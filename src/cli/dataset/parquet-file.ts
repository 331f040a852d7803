import { closeSync, openSync, writeSync } from "node:fs";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Table, Value } from "../../dataset/table.js";
import type { Column } from "../../schema/columns/column-type.js";
import { application } from "../version.js";
import { parquetSchema } from "./parquet-schema.js";

/** Columns whose values hardly ever repeat: looking for repeats would take most of the time. */
const DISTINCT: ReadonlySet<string> = new Set(["summary", "fields_json", "epoch"]);

/** A Parquet file that is being written, a group of rows at a time. */
export class ParquetFile {
  readonly #file: number;
  readonly #bytes = new ByteWriter(64 * 1024);
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];

  /**
   * @param path of a file that does not exist, or is to be replaced
   * @param facts kept in the file, beside its schema
   */
  constructor(path: string, { columns }: Table, facts: Readonly<Record<string, string>>) {
    this.#file = openSync(path, "w");
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: parquetSchema(columns),
      createdBy: application,
      kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    });
  }

  /** Writes a group of rows, column by column. */
  write(values: readonly (readonly Value[])[]): void {
    const rows = values[0]?.length ?? 0;
    const columnData = this.#columns.map(({ name }, at) => ({
      name,
      data: [...(values[at] ?? [])],
      ...(DISTINCT.has(name) && { encoding: "PLAIN" as const }),
    }));
    this.#writer.write({ columnData, rowGroupSize: Math.max(1, rows) });
    this.#flush();
  }

  /** Writes the end of the file. */
  end(): void {
    this.#writer.finish();
    this.#flush();
    closeSync(this.#file);
  }

  /** Gives the file up. */
  abandon(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = this.#bytes.getBytes();
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    // The writer goes on counting where it is in the file.
    this.#bytes.index = 0;
  }
}
