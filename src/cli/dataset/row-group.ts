import type { ColumnChunk } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import type { Leaf } from "../../dataset/columns/leaf.js";
import type { Table } from "../../dataset/table.js";
import type { TableRows } from "../../dataset/table-rows.js";
import { emptied, writeChunk } from "./parquet-chunk.js";
import { type LeafElement, leavesOf } from "./parquet-schema.js";

/** A group of rows as it is in a file, wherever there: plain data, which any thread can make. */
export interface RowGroup {
  /** The name of the table. */
  readonly table: string;
  readonly rows: number;
  /** Valid until the next group of rows is made. */
  readonly bytes: Uint8Array;
  /** What the file says of its columns; offsets are from the beginning of `bytes`. */
  readonly chunks: readonly ColumnChunk[];
}

const writer = new ByteWriter();
const elements = new WeakMap<Table, readonly LeafElement[]>();

/** Ends a group of rows, and returns it. */
export function rowGroupOf(rows: TableRows): RowGroup {
  const { count, table } = rows;
  const leaves = rows.end();
  emptied(writer);
  const chunks = elementsOf(table).map((element, at) => writeChunk(writer, element, leafAt(leaves, at), count));
  return { table: table.name, rows: count, bytes: writer.getBytes(), chunks };
}

/** Returns what a file says of a column whose bytes begin somewhere in it. */
export function movedBy(start: bigint, { meta_data: facts, ...chunk }: ColumnChunk): ColumnChunk {
  const moved = { ...chunk, file_offset: chunk.file_offset + start };
  if (facts === undefined) return moved;
  const { data_page_offset: page, dictionary_page_offset: dictionary } = facts;
  return {
    ...moved,
    meta_data: {
      ...facts,
      data_page_offset: page + start,
      ...(dictionary !== undefined && { dictionary_page_offset: dictionary + start }),
    },
  };
}

function elementsOf(table: Table): readonly LeafElement[] {
  const known = elements.get(table) ?? leavesOf(table.columns);
  elements.set(table, known);
  return known;
}

function leafAt(leaves: readonly Leaf[], at: number): Leaf {
  const leaf = leaves[at];
  if (leaf === undefined) throw new RangeError(`there is no column ${at}`);
  return leaf;
}
