import { closeSync, openSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RowGroup as ParquetGroup } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Table } from "../../dataset/table.js";
import { application } from "../version.js";
import { parquetSchema } from "./parquet-schema.js";
import { movedBy, type RowGroup } from "./row-group.js";

/** A Parquet file that is being written, a group of rows at a time. */
export class ParquetFile {
  readonly #file: number;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  /** What is known of each group of rows, packed: a large capture has many, with many columns. */
  readonly #groups: Uint8Array[] = [];
  #isOpen = true;

  /**
   * @param path of a file that does not exist, or is to be replaced
   * @param facts kept in the file, beside its schema
   */
  constructor(path: string, { columns }: Table, facts: Readonly<Record<string, string>>) {
    this.#file = openSync(path, "w");
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: parquetSchema(columns),
      createdBy: application,
      kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    });
  }

  /** Writes a group of rows. */
  write({ rows, bytes, chunks }: RowGroup): void {
    const start = BigInt(this.#bytes.offset);
    this.#bytes.appendBytes(bytes);
    let uncompressed = 0n;
    for (const { meta_data: facts } of chunks) uncompressed += facts?.total_uncompressed_size ?? 0n;
    // The library's own way of writing a group takes values as objects, whose nulls it visits one by one.
    this.#writer.num_rows += BigInt(rows);
    const group = {
      columns: chunks.map((chunk) => movedBy(start, chunk)),
      total_byte_size: uncompressed,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(bytes.length),
    } satisfies ParquetGroup;
    // Copied: what is compressed is a piece of memory that is much larger.
    this.#groups.push(new Uint8Array(deflateRawSync(serialize(group), { level: 1 })));
    this.#flush();
  }

  /** Writes the end of the file. */
  end(): void {
    for (const packed of this.#groups.splice(0)) {
      // What was packed above: `any` becomes a group here.
      const group: ParquetGroup = deserialize(inflateRawSync(packed));
      this.#writer.row_groups.push(group);
    }
    this.#writer.finish();
    this.#flush();
    this.#close();
  }

  /** Gives the file up, if it has not ended. */
  abandon(): void {
    if (this.#isOpen) this.#close();
  }

  #close(): void {
    this.#isOpen = false;
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = this.#bytes.getBytes();
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    // The writer goes on counting where it is in the file.
    this.#bytes.index = 0;
  }
}
