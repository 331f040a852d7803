import { closeSync, openSync, writeSync } from "node:fs";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Leaf } from "../../dataset/columns/leaf.js";
import type { Table } from "../../dataset/table.js";
import type { TableRows } from "../../dataset/table-rows.js";
import type { Column } from "../../schema/columns/column-type.js";
import { application } from "../version.js";
import { writeChunk } from "./parquet-chunk.js";
import { type LeafElement, leavesOf, parquetSchema } from "./parquet-schema.js";

/** A Parquet file that is being written, a group of rows at a time. */
export class ParquetFile {
  readonly #file: number;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];
  #leaves: readonly LeafElement[] | undefined;

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

  /** Writes a group of rows. */
  write(rows: TableRows): void {
    const { count } = rows;
    const leaves = rows.end();
    const start = this.#bytes.offset;
    this.#leaves ??= leavesOf(this.#columns);
    const columns = this.#leaves.map((element, at) => writeChunk(this.#bytes, element, leafAt(leaves, at), count));
    let uncompressed = 0n;
    for (const { meta_data: facts } of columns) uncompressed += facts?.total_uncompressed_size ?? 0n;
    // The library's own way of writing a group takes values as objects, whose nulls it visits one by one.
    this.#writer.num_rows += BigInt(count);
    this.#writer.row_groups.push({
      columns,
      total_byte_size: uncompressed,
      num_rows: BigInt(count),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
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

function leafAt(leaves: readonly Leaf[], at: number): Leaf {
  const leaf = leaves[at];
  if (leaf === undefined) throw new RangeError(`there is no column ${at}`);
  return leaf;
}
