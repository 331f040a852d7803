import { Z_BUF_ERROR, Z_NO_FLUSH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from "pako";
import { CompressionError } from "./compression-error.js";
import type { Decompressors } from "./decompressors.js";
import { FrameChecksums } from "./frame-checksums.js";
import { ZstandardFrames } from "./zstandard-frames.js";

/** Bytes that one call of a decompressor makes. */
const OUTPUT_LENGTH = 64 * 1024;

/** Most compressed bytes of Zstandard passed on at once: what they become is held. */
const PIECE_LENGTH = 16 * 1024;

/** What tells zlib to expect gzip, with windows of any length (zlib.h, "inflateInit2"). */
const GZIP = 15 + 16;

/** Decompressors that work everywhere. */
export const portableDecompressors: Decompressors = { gzip: gunzipped, zstandard: unpackedZstandard };

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new ZStream();
  zlibInflateInit2(stream, GZIP);
  let isMemberOver = false;
  for await (const chunk of chunks) {
    stream.input = chunk;
    stream.next_in = 0;
    stream.avail_in = chunk.length;
    // Where the output was full, there may be more.
    for (stream.avail_out = 1; stream.avail_in > 0 || stream.avail_out === 0; ) {
      if (isMemberOver) {
        // Padding; anything else has to be another member.
        if (stream.avail_in === 0) break;
        if (chunk[stream.next_in] === 0) return;
        zlibInflateReset(stream);
      }
      const output = new Uint8Array(OUTPUT_LENGTH);
      stream.output = output;
      stream.next_out = 0;
      stream.avail_out = output.length;
      const status = zlibInflate(stream, Z_NO_FLUSH);
      if (stream.next_out > 0) yield output.subarray(0, stream.next_out);
      isMemberOver = status === Z_STREAM_END;
      if (status < 0 && status !== Z_BUF_ERROR) throw new CompressionError(`is damaged: ${stream.msg}`);
    }
  }
  if (!isMemberOver) throw new CompressionError("ends too early");
}

async function* unpackedZstandard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Few captures need it.
  const { Decompress, ZstdErrorCode } = await import("fzstd");
  const ready: Uint8Array[] = [];
  const checksums = new FrameChecksums();
  const decompress = new Decompress((bytes, isEnd) => {
    if (isEnd !== true) checksums.blockUnpacked(bytes);
    if (bytes.length > 0) ready.push(bytes);
  });
  const frames = new ZstandardFrames(checksums);
  function* outputOf(piece: Uint8Array, isLast: boolean): Generator<Uint8Array> {
    let failure: unknown;
    try {
      decompress.push(piece, isLast);
    } catch (error) {
      failure = error;
    }
    yield* ready.splice(0);
    if (failure === undefined) return checksums.verify();
    // On data that is damaged, it may fail in any way.
    const { code, message }: { code?: unknown; message?: unknown } = Object(failure);
    if (code === ZstdErrorCode.UnexpectedEOF) throw new CompressionError("ends too early");
    throw new CompressionError(typeof code === "number" ? `is damaged: ${String(message)}` : "is damaged");
  }
  // It keeps what it is given.
  for await (const bytes of inPieces(chunks, PIECE_LENGTH)) {
    for (const piece of frames.pieces(bytes)) yield* outputOf(new Uint8Array(piece), false);
  }
  yield* outputOf(new Uint8Array(0), true);
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += length) yield chunk.subarray(at, at + length);
  }
}
