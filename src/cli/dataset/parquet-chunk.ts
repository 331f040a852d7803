import type { ColumnChunk, Encoding, Statistics } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import type { Leaf } from "../../dataset/columns/leaf.js";
import type { Bounds, Encoded } from "../../dataset/columns/values.js";
import { HybridRuns } from "./hybrid-runs.js";
import type { LeafElement } from "./parquet-schema.js";
import { Snappy } from "./snappy.js";

const snappy = new Snappy();
/** Where the parts of a page are put together, one page after the other: new memory each time would pile up. */
const [indexRuns, levels] = [new HybridRuns(), new HybridRuns()];
/** The length of booleans, in 32 bits, is before their runs. */
const LENGTH = 4;

/** Writes the values of a column in a group of rows, as one page and, if they repeat, their dictionary. */
export function writeChunk(writer: ByteWriter, { type, path }: LeafElement, leaf: Leaf, rows: number): ColumnChunk {
  const start = writer.offset;
  const encoded = leaf.values.encoded();
  // A column without levels has no value in any row.
  const count = leaf.definition.length > 0 ? leaf.definition.length : rows;
  const hasDictionary = encoded.indexes !== undefined;
  let size = hasDictionary ? writeDictionary(writer, encoded) : 0;
  const pageStart = writer.offset;
  const encoding: Encoding = hasDictionary ? "RLE_DICTIONARY" : type === "BOOLEAN" ? "RLE" : "PLAIN";
  const nulls = count - leaf.values.count;
  size += writePage(writer, leaf, { rows, count, nulls, encoding, values: valueBytes(encoded, encoding) });
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: hasDictionary ? ["PLAIN", encoding] : [encoding],
      path_in_schema: path,
      codec: "SNAPPY",
      num_values: BigInt(count),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(size),
      data_page_offset: BigInt(pageStart),
      ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
      statistics: statisticsOf(leaf, encoded.bounds, nulls),
    },
  };
}

/** Returns the number of bytes, as they would be without compression. */
function writeDictionary(writer: ByteWriter, { bytes, count }: Encoded): number {
  const compressed = snappy.compress(bytes);
  const start = writer.offset;
  writePageHeader(writer, {
    type: "DICTIONARY_PAGE",
    uncompressed_page_size: bytes.length,
    compressed_page_size: compressed.length,
    dictionary_page_header: { num_values: count, encoding: "PLAIN" },
  });
  const header = writer.offset - start;
  writer.appendBytes(compressed);
  return header + bytes.length;
}

/** Makes a writer begin anew. What it has written before is no longer valid. */
export function emptied(writer: ByteWriter): ByteWriter {
  writer.index = 0;
  writer.offset = 0;
  return writer;
}

/** The values of a page, without those that are null: valid until the next page. */
function valueBytes({ bytes, count, indexes }: Encoded, encoding: Encoding): Uint8Array {
  const page = indexRuns;
  page.clear();
  if (indexes !== undefined) {
    const width = bitWidth(Math.max(0, count - 1));
    page.byte(width);
    page.write(indexes, width);
    return page.bytes;
  }
  if (encoding === "PLAIN") return bytes;
  for (let left = LENGTH; left > 0; left--) page.byte(0);
  page.write(bytes, 1);
  const written = page.bytes;
  new DataView(written.buffer, written.byteOffset).setUint32(0, written.length - LENGTH, true);
  return written;
}

interface Page {
  readonly rows: number;
  /** Number of values, those that are null or missing among them. */
  readonly count: number;
  readonly nulls: number;
  readonly encoding: Encoding;
  readonly values: Uint8Array;
}

function writePage(writer: ByteWriter, leaf: Leaf, { rows, count, nulls, encoding, values }: Page): number {
  levels.clear();
  if (leaf.mostRepeated > 0) writeLevels(leaf.repetition, rows, bitWidth(leaf.mostRepeated));
  const repetitionLength = levels.length;
  writeLevels(leaf.definition, rows, bitWidth(leaf.deepest));
  const compressed = snappy.compress(values);
  const start = writer.offset;
  writePageHeader(writer, {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.length + values.length,
    compressed_page_size: levels.length + compressed.length,
    data_page_header_v2: {
      num_values: count,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length - repetitionLength,
      repetition_levels_byte_length: repetitionLength,
      is_compressed: true,
    },
  });
  const header = writer.offset - start;
  writer.appendBytes(levels.bytes);
  writer.appendBytes(compressed);
  return header + levels.length + values.length;
}

/** Writes levels; without any, all are 0. */
function writeLevels(of: Uint8Array, rows: number, width: number): void {
  if (of.length > 0) levels.write(of, width);
  else if (rows > 0) levels.zeros(rows, width);
}

/** How many bits the numbers up to one need. */
function bitWidth(most: number): number {
  return 32 - Math.clz32(most);
}

function statisticsOf({ type }: Leaf, bounds: Bounds | undefined, nulls: number): Statistics {
  const facts = { null_count: BigInt(nulls) };
  if (bounds === undefined) return facts;
  const { least, most } = bounds;
  switch (type) {
    case "float":
    case "double":
      // As the format wants it: nobody can tell whether a zero among the values has a sign.
      return { ...facts, min_value: least === 0 ? -0 : least, max_value: most === 0 ? 0 : most };
    case "int64":
    case "uint64":
    case "instant":
      return { ...facts, min_value: BigInt(least), max_value: BigInt(most) };
    default:
      return { ...facts, min_value: least, max_value: most };
  }
}
