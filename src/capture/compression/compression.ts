import { Duplex } from "node:stream";
import * as zlib from "node:zlib";
import { Gatherer } from "../gatherer.js";
import { CaptureError } from "../source.js";
import { Lz4Error, unpackLz4 } from "./lz4.js";

/** Number of bytes at the start of a file that show whether it is compressed. */
const MAGIC_LENGTH = 4;

/** Most compressed bytes passed to a decompressor at once. Larger pieces are hardly faster (measured). */
const PIECE_LENGTH = 16 * 1024;

/** Error code: this version of Node.js has no such decompressor. */
const UNAVAILABLE = "ERR_UNAVAILABLE";

/** Decompresses the bytes of a file; throws errors of any kind. */
type Unpack = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

interface Compression {
  readonly name: string;
  /** The first bytes in hexadecimal (RFC 1952, section 2.3.1; RFC 8878, section 3.1.1; LZ4 Frame Format). */
  readonly magic: string;
  readonly unpack: Unpack;
}

const COMPRESSIONS: readonly Compression[] = [
  { name: "gzip", magic: "1f8b", unpack: (chunks) => throughStream(zlib.createGunzip({ chunkSize: 65_536 }), chunks) },
  { name: "Zstandard", magic: "28b52ffd", unpack: (chunks) => throughStream(zstdDecompress(), chunks) },
  { name: "LZ4", magic: "04224d18", unpack: unpackLz4 },
];

/**
 * Yields the bytes of a file, unpacked if its first bytes show that it is compressed. Holds no more than what one piece
 * of input unpacks to, however large the file. What could be unpacked before the file turns out to be damaged is
 * yielded, too.
 * @param file the file's name in messages.
 * @throws CaptureError from the iterator if the compressed data is damaged; errors thrown by the chunks are passed
 * through.
 */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
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
    else yield* unpackedBy(compression, all, file);
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

async function* unpackedBy(
  { name, unpack }: Compression,
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* unpack(chunks);
  } catch (error) {
    const reason = error instanceof Lz4Error ? error.message : streamFailure(error);
    if (reason === undefined) throw error;
    throw new CaptureError(file, `the ${name} data ${reason}`, error);
  }
}

/** What an error of Node's own decompressors means; undefined for other errors. */
function streamFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  if (code === UNAVAILABLE) return `${error.message}; use Node.js 22.15 or later, or unpack it first with unzstd`;
  if (code === "Z_BUF_ERROR") return "ends too early";
  if (typeof code !== "string" || !/^(Z_|ZSTD_|ERR_ZSTD)/.test(code)) return undefined;
  return `is damaged: ${error.message}`;
}

/** Node's decompressor for Zstandard, which only newer versions have. */
function zstdDecompress(): Duplex {
  if ("createZstdDecompress" in zlib && typeof zlib.createZstdDecompress === "function") {
    const stream: unknown = zlib.createZstdDecompress();
    if (stream instanceof Duplex) return stream;
  }
  throw Object.assign(new Error("cannot be unpacked by this version of Node.js"), { code: UNAVAILABLE });
}

/**
 * Runs chunks through a stream piece by piece. A chunk is no longer used once the next one is asked for, and output
 * from before a failure is not lost, as it would be when iterating over the stream itself. However much a piece unpacks
 * to, no more is held than the stream's own buffers: the stream is paused until its output has been taken.
 */
async function* throughStream(stream: Duplex, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: unknown;
  let wake = () => {};
  stream.on("data", (bytes: Uint8Array) => {
    ready.push(bytes);
    stream.pause();
    wake();
  });
  stream.on("error", (error) => {
    failure ??= error;
  });
  /** Yields the output of some work until it is done or the stream closes. */
  async function* outputOf(work: (done: () => void) => void): AsyncGenerator<Uint8Array> {
    let isDone = false;
    const finish = () => {
      isDone = true;
      wake();
    };
    stream.once("close", finish);
    work(finish);
    for (;;) {
      while (ready.length > 0) yield* ready.splice(0);
      if (isDone) {
        // The last output may still be in the stream's buffer: reading it passes it to the listener.
        if (stream.read() === null) break;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        stream.resume();
      });
    }
    stream.off("close", finish);
  }
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length && failure === undefined; at += PIECE_LENGTH) {
        yield* outputOf((done) => stream.write(chunk.subarray(at, at + PIECE_LENGTH), done));
      }
      if (failure !== undefined) throw failure;
    }
    yield* outputOf((done) => stream.once("end", done).end());
    if (failure !== undefined) throw failure;
  } finally {
    stream.destroy();
  }
}
