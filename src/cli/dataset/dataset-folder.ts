import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { CAPTURES } from "../../dataset/general-tables.js";
import { DATASET_SCHEMA, type Table } from "../../dataset/table.js";
import { whyUnwritable } from "../../platform/node/file-error.js";
import { UsageError } from "../usage-error.js";
import { ParquetFile } from "./parquet-file.js";
import type { RowGroup } from "./row-group.js";

/** The partition of rows without a day: it has a file without rows for each table, so that every table exists. */
const NO_DAY = "date=__HIVE_DEFAULT_PARTITION__";

/** The dataset cannot be written: the message says why. */
export class UnwritableDataset extends Error {
  constructor(
    path: string,
    override readonly cause: unknown,
  ) {
    super(`${path} cannot be written: ${whyUnwritable(cause)}`);
  }
}

/** A folder with a dataset: `TABLE/date=YYYY-MM-DD/DIGEST.parquet`. */
export class DatasetFolder {
  constructor(readonly path: string) {}

  /** @throws UsageError if it is no folder, and cannot be made one */
  make(): void {
    try {
      mkdirSync(this.path, { recursive: true });
    } catch (error) {
      const isFile = existsSync(this.path) && !statSync(this.path).isDirectory();
      throw new UsageError(`${this.path}${isFile ? " is not a folder" : `: ${whyUnwritable(error)}`}`);
    }
  }

  /** Makes every table in it, with its columns and no rows. @throws UnwritableDataset */
  prepare(tables: readonly Table[]): void {
    try {
      this.#prepare(tables);
    } catch (error) {
      throw new UnwritableDataset(this.path, error);
    }
  }

  #prepare(tables: readonly Table[]): void {
    for (const table of tables) {
      const folder = join(this.path, table.name, NO_DAY);
      const final = join(folder, `${DATASET_SCHEMA.replaceAll("/", "-")}.parquet`);
      mkdirSync(folder, { recursive: true });
      if (readdirSync(folder).includes(basename(final))) continue;
      const file = new ParquetFile(hidden(final), table, { schema: DATASET_SCHEMA });
      file.end();
      renameSync(hidden(final), final);
    }
    const views = join(this.path, "views.sql");
    writeFileSync(hidden(views), viewsOf(tables));
    renameSync(hidden(views), views);
  }

  /** True if a capture was exported to the end, with the same options and the same version of this program. */
  async has(digest: string, settings: string): Promise<boolean> {
    for (const path of this.#filesOf(CAPTURES.name, digest)) {
      try {
        const { key_value_metadata: facts = [] } = await parquetMetadataAsync(await asyncBufferFromFile(path));
        if (facts.some(({ key, value }) => key === "settings" && value === settings)) return true;
      } catch {
        // Whatever it is, it is replaced.
      }
    }
    return false;
  }

  /** Takes away what there is of a capture, its row in `captures` first. */
  remove(digest: string): void {
    for (const path of this.#filesOf(CAPTURES.name, digest)) rmSync(path);
    for (const table of readdirSync(this.path)) {
      if (table.includes(".")) continue;
      for (const path of this.#filesOf(table, digest)) rmSync(path);
    }
  }

  /** Asks for each file by its name: a list of all files in a folder takes the longer, the more captures there are. */
  #filesOf(table: string, digest: string): string[] {
    const folder = join(this.path, table);
    const days = namesIn(folder).filter((name) => name.startsWith("date="));
    return days.map((day) => join(folder, day, `${digest}.parquet`)).filter((path) => existsSync(path));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The name of a file until it is whole: engines pass over names that begin so. Others may be writing the same. */
function hidden(path: string): string {
  return join(path, "..", `.${basename(path)}.${process.pid}`);
}

/** The files of one capture in a dataset, none of which has its name before all are whole. */
export class CaptureFiles {
  readonly #files = new Map<Table, ParquetFile>();
  #failure: UnwritableDataset | undefined;

  constructor(
    readonly folder: DatasetFolder,
    readonly digest: string,
    readonly facts: Readonly<Record<string, string>>,
  ) {}

  /** Writes a group of rows. Where that fails, `check` and `end` say so: nobody may be there to be told at once. */
  write(table: Table, rows: RowGroup): void {
    if (this.#failure !== undefined) return;
    try {
      this.#write(table, rows);
    } catch (error) {
      this.#failure = new UnwritableDataset(this.folder.path, error);
    }
  }

  /** @throws UnwritableDataset if something could not be written */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(table: Table, rows: RowGroup): void {
    let file = this.#files.get(table);
    if (file === undefined) {
      mkdirSync(join(this.folder.path, table.name), { recursive: true });
      file = new ParquetFile(this.#temporary(table), table, this.facts);
      this.#files.set(table, file);
    }
    file.write(rows);
  }

  /**
   * Gives all files their names, that of `captures` last.
   *
   * @param day as in 2026-11-20
   * @throws UnwritableDataset
   */
  end(day: string): void {
    this.check();
    try {
      this.#end(day);
    } catch (error) {
      throw new UnwritableDataset(this.folder.path, error);
    }
  }

  #end(day: string): void {
    for (const file of this.#files.values()) file.end();
    this.folder.remove(this.digest);
    const tables = [...this.#files.keys()];
    const last = tables.filter((table) => table === CAPTURES);
    for (const table of [...tables.filter((one) => one !== CAPTURES), ...last]) {
      const folder = join(this.folder.path, table.name, `date=${day}`);
      mkdirSync(folder, { recursive: true });
      renameSync(this.#temporary(table), join(folder, `${this.digest}.parquet`));
    }
  }

  /** Takes the unfinished files away. */
  abandon(): void {
    for (const [table, file] of this.#files) {
      file.abandon();
      rmSync(this.#temporary(table), { force: true });
    }
  }

  #temporary(table: Table): string {
    return hidden(join(this.folder.path, table.name, `${this.digest}.parquet`));
  }
}

/** SQL for DuckDB: a view for each table, relative to the folder. */
function viewsOf(tables: readonly Table[]): string {
  const head = "-- For DuckDB, started in this folder: duckdb -init views.sql\n";
  const names = tables.map(({ name }) => name).sort();
  return `${head}${names.map((name) => viewOf(name, ".")).join("")}`;
}

/** SQL for DuckDB that makes a view of a table. */
export function viewOf(table: string, folder: string): string {
  const files = `${folder}/${table}/*/*.parquet`.replaceAll("'", "''");
  const options = "hive_partitioning = true, hive_types = {'date': DATE}, union_by_name = true";
  return `CREATE OR REPLACE VIEW "${table}" AS SELECT * FROM read_parquet('${files}', ${options});\n`;
}
