import { Gatherer } from "../gatherer.js";
import { CaptureError } from "../source.js";
import { CompressionError } from "./compression-error.js";
import type { Decompress, Decompressors } from "./decompressors.js";
import { unpackLz4 } from "./lz4.js";
import { portableDecompressors } from "./portable.js";

/** Number of bytes at the start of a file that show whether it is compressed. */
const MAGIC_LENGTH = 4;

interface Compression {
  readonly name: string;
  /** The first bytes in hexadecimal (RFC 1952, section 2.3.1; RFC 8878, section 3.1.1; LZ4 Frame Format). */
  readonly magic: string;
  readonly decompress: (decompressors: Decompressors) => Decompress;
}

const COMPRESSIONS: readonly Compression[] = [
  { name: "gzip", magic: "1f8b", decompress: ({ gzip }) => gzip },
  { name: "Zstandard", magic: "28b52ffd", decompress: ({ zstandard }) => zstandard },
  { name: "LZ4", magic: "04224d18", decompress: () => unpackLz4 },
];

/**
 * Yields the bytes of a file, unpacked if its first bytes show that it is compressed. Holds no more than what one piece
 * of input unpacks to, however large the file. What could be unpacked before the file turns out to be damaged is
 * yielded, too.
 * @param file the file's name in messages.
 * @throws CaptureError from the iterator if the compressed data is damaged; errors thrown by the chunks are passed
 * through.
 */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  decompressors: Decompressors = portableDecompressors,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const start = new Gatherer();
  const rest = { [Symbol.asyncIterator]: () => iterator };
  try {
    for (let ended = false; !ended && start.length < MAGIC_LENGTH; ) {
      const next = await iterator.next();
      if (next.done === true) ended = true;
      else if (start.length === 0 && next.value.length >= MAGIC_LENGTH && compressionOf(next.value) === undefined) {
        // Uncompressed data passes through as it comes, without a copy.
        yield next.value;
        yield* rest;
        return;
      } else start.append(next.value, 0, next.value.length);
    }
    const all = startingWith(start.bytes, rest);
    const compression = compressionOf(start.bytes);
    if (compression === undefined) yield* all;
    else yield* unpackedBy(compression.name, compression.decompress(decompressors)(all), file);
  } finally {
    await iterator.return?.();
  }
}

function compressionOf(start: Uint8Array): Compression | undefined {
  const hex = Buffer.from(start.subarray(0, MAGIC_LENGTH)).toString("hex");
  return COMPRESSIONS.find(({ magic }) => hex.startsWith(magic));
}

async function* startingWith(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* unpackedBy(name: string, chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof CompressionError)) throw error;
    throw new CaptureError(file, `the ${name} data ${error.message}`, error);
  }
}
