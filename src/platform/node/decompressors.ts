import { Duplex } from "node:stream";
import { CompressionError } from "../../capture/compression/compression-error.js";
import type { Decompressors } from "../../capture/compression/decompressors.js";
import { portableDecompressors } from "../../capture/compression/portable.js";

/** Most compressed bytes passed to a decompressor at once. Larger pieces are hardly faster (measured). */
const PIECE_LENGTH = 16 * 1024;

const MAJOR = Number.parseInt(process.versions.node, 10);
/** The version of Node.js from which on its own decompressor for Zstandard reads files with several frames. */
const READS_ALL_FRAMES = 26;

/** Error code of Node.js: a stream that has ended was given more. */
const AFTER_THE_END = "ERR_STREAM_PUSH_AFTER_EOF";

/** Begins to read a file. */
type Opening = () => AsyncIterable<Uint8Array>;

/**
 * Decompressors of Node.js itself: some times as fast as the portable ones. That for gzip loses up to 64 KiB of what it
 * has unpacked before it fails: what has to be read again then, the portable one reads.
 *
 * @param opening what reads the file once more, from its beginning; undefined if that is impossible
 */
export function decompressorsOf(opening: () => Promise<Opening | undefined>): Decompressors {
  return {
    async *gzip(chunks) {
      const again = await opening();
      yield* again === undefined ? portableDecompressors.gzip(chunks) : gunzipped(chunks, again);
    },
    zstandard: unpackedZstandard,
  };
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>, again: Opening): AsyncGenerator<Uint8Array> {
  const zlib = await import("node:zlib");
  let length = 0;
  try {
    for await (const bytes of throughStream(zlib.createGunzip({ chunkSize: 65_536 }), chunks)) {
      length += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (error instanceof CompressionError) yield* restAfter(length, again);
    throw error;
  }
}

/** What can be unpacked of a file after the bytes that are known. */
async function* restAfter(known: number, again: Opening): AsyncGenerator<Uint8Array> {
  let left = known;
  try {
    for await (const bytes of portableDecompressors.gzip(again())) {
      // Where nothing is new, nothing is passed on, so that the reader can end the reading.
      yield bytes.subarray(Math.min(left, bytes.length));
      left -= Math.min(left, bytes.length);
    }
  } catch {
    // It is known already what is wrong. A program's source may refuse to be opened twice.
  }
}

async function* unpackedZstandard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zlib = await import("node:zlib");
  // That of Node.js 22 and 24 loses every frame but the first without a word (tried with 22.23 and 24.21; 26.12 reads all).
  const create: unknown = MAJOR < READS_ALL_FRAMES ? undefined : Reflect.get(zlib, "createZstdDecompress");
  const stream: unknown = typeof create === "function" ? Reflect.apply(create, zlib, []) : undefined;
  yield* stream instanceof Duplex ? throughStream(stream, chunks) : portableDecompressors.zstandard(chunks);
}

/** What an error of a decompressor means; other errors as they are. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  if (error.code === "Z_BUF_ERROR") return new CompressionError("ends too early");
  return /^(Z_|ZSTD_|ERR_ZSTD)/.test(error.code) ? new CompressionError(`is damaged: ${error.message}`) : error;
}

/**
 * Runs chunks through a stream piece by piece. A chunk is no longer used once the next one is asked for, and output
 * from before a failure is not lost, as it would be when iterating over the stream itself. However much a piece unpacks
 * to, no more is held than the stream's own buffers: the stream is paused until its output has been taken.
 */
async function* throughStream(stream: Duplex, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: unknown;
  let isOver = false;
  let wake = () => {};
  stream.on("data", (bytes: Uint8Array) => {
    ready.push(bytes);
    stream.pause();
    wake();
  });
  stream.on("error", (error) => {
    // After padding, nothing belongs to the file any more.
    if ("code" in error && error.code === AFTER_THE_END) isOver = true;
    else failure ??= failureOf(error);
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
      for (let at = 0; at < chunk.length && failure === undefined && !isOver; at += PIECE_LENGTH) {
        yield* outputOf((done) => stream.write(chunk.subarray(at, at + PIECE_LENGTH), done));
      }
      if (failure !== undefined) throw failure;
      if (isOver) return;
    }
    yield* outputOf((done) => stream.once("end", done).end());
    if (failure !== undefined) throw failure;
  } finally {
    stream.destroy();
  }
}
