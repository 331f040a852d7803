import type { ColumnChunk, Encoding, Statistics } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import type { Leaf } from "../../dataset/columns/leaf.js";
import type { Bounds, Encoded } from "../../dataset/columns/values.js";
import type { LeafElement } from "./parquet-schema.js";
import { Snappy } from "./snappy.js";

const NOTHING = new Uint8Array(0);
const snappy = new Snappy();
/** Where the parts of a page are put together, one page after the other: new memory each time would pile up. */
const [pages, runs, levels] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
let zeros = NOTHING;

/** Writes the values of a column in a group of rows, as one page and, if they repeat, their dictionary. */
export function writeChunk(writer: ByteWriter, { type, path }: LeafElement, leaf: Leaf, rows: number): ColumnChunk {
  const start = writer.offset;
  const encoded = leaf.values.encoded();
  const definition = leaf.definition.length > 0 ? leaf.definition : absent(rows);
  const hasDictionary = encoded.indexes !== undefined;
  let size = hasDictionary ? writeDictionary(writer, encoded) : 0;
  const pageStart = writer.offset;
  const encoding: Encoding = hasDictionary ? "RLE_DICTIONARY" : type === "BOOLEAN" ? "RLE" : "PLAIN";
  const nulls = definition.length - leaf.values.count;
  size += writePage(writer, leaf, { rows, definition, nulls, encoding, values: valueBytes(encoded, encoding) });
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: hasDictionary ? ["PLAIN", encoding] : [encoding],
      path_in_schema: path,
      codec: "SNAPPY",
      num_values: BigInt(definition.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(size),
      data_page_offset: BigInt(pageStart),
      ...(hasDictionary && { dictionary_page_offset: BigInt(start) }),
      statistics: statisticsOf(leaf, encoded.bounds, nulls),
    },
  };
}

function absent(rows: number): Uint8Array {
  if (zeros.length < rows) zeros = new Uint8Array(rows);
  return zeros.subarray(0, rows);
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
  const page = emptied(pages);
  if (indexes !== undefined) {
    const width = bitWidth(Math.max(0, count - 1));
    page.appendUint8(width);
    writeRleBitPackedHybrid(page, indexes, width);
    return page.getBytes();
  }
  if (encoding === "PLAIN") return bytes;
  writeRleBitPackedHybrid(emptied(runs), bytes, 1);
  page.appendUint32(runs.offset);
  page.appendBytes(runs.getBytes());
  return page.getBytes();
}

interface Page {
  readonly rows: number;
  readonly definition: Uint8Array;
  readonly nulls: number;
  readonly encoding: Encoding;
  readonly values: Uint8Array;
}

function writePage(writer: ByteWriter, leaf: Leaf, { rows, definition, nulls, encoding, values }: Page): number {
  emptied(levels);
  if (leaf.mostRepeated > 0) {
    const repetition = leaf.repetition.length > 0 ? leaf.repetition : absent(rows);
    writeRleBitPackedHybrid(levels, repetition, bitWidth(leaf.mostRepeated));
  }
  const repetitionLength = levels.offset;
  writeRleBitPackedHybrid(levels, definition, bitWidth(leaf.deepest));
  const compressed = snappy.compress(values);
  const start = writer.offset;
  writePageHeader(writer, {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.offset + values.length,
    compressed_page_size: levels.offset + compressed.length,
    data_page_header_v2: {
      num_values: definition.length,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.offset - repetitionLength,
      repetition_levels_byte_length: repetitionLength,
      is_compressed: true,
    },
  });
  const header = writer.offset - start;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(compressed);
  return header + levels.offset + values.length;
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
