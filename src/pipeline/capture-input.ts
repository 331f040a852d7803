import { CaptureError, type CaptureSource } from "../capture/source.js";
import { messageOf } from "../common/message-of.js";

/** The bytes of a capture, in any form in which a program or a page has them. */
export type CaptureInput =
  | CaptureSource
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** Bytes that are read at once, at most. */
const CHUNK = 256 * 1024;

/** What a capture is called that has no name. */
const UNNAMED = "capture";

/**
 * Makes a capture of bytes, whatever holds them: a `Blob` or `File`, an array, a stream, chunks that come one by one.
 * Streams and chunks can be read only once.
 *
 * @param name what it is called in messages; by default, the name of a `File`, or "capture"
 */
export function captureOf(input: CaptureInput, name?: string): CaptureSource {
  if (isSource(input)) return name === undefined ? input : { ...input, name, open: (signal) => input.open(signal) };
  const own = "name" in input && typeof input.name === "string" ? input.name : UNNAMED;
  const called = name ?? own;
  // Bytes and blobs can be read again.
  const isReadOnce = !(input instanceof Uint8Array || input instanceof ArrayBuffer || input instanceof Blob);
  return { name: called, isReadOnce, open: (signal) => readable(bytesIn(input, signal), called) };
}

/** True for what opens itself. The file streams of Node.js have a method `open` as well. */
function isSource(input: CaptureInput): input is CaptureSource {
  return "open" in input && !(Symbol.asyncIterator in input);
}

/** The chunks in an input. */
function bytesIn(
  input: Exclude<CaptureInput, CaptureSource>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (input instanceof Uint8Array) return [input];
  if (input instanceof ArrayBuffer) return [new Uint8Array(input)];
  if (input instanceof Blob) return fromStream(input.stream(), signal);
  return input instanceof ReadableStream ? fromStream(input, signal) : input;
}

/** Reads a stream by its reader: not every browser can iterate over one. */
async function* fromStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = readerOf(stream);
  // Otherwise a pending read would keep the stream open.
  const cancel = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    // What is left is not wanted; a stream that has failed has told so.
    await reader.cancel().catch(() => {});
  }
}

/** What both kinds of readers can do. */
type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/**
 * A reader that fills the same memory again where the stream can do that, as those of blobs can: a chunk is valid until
 * the next one is asked for, and browsers are slow to free what nobody uses any more.
 */
function readerOf(stream: ReadableStream<Uint8Array>): ChunkReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    return stream.getReader();
  }
  let memory = new ArrayBuffer(CHUNK);
  return {
    cancel: (reason) => reader.cancel(reason),
    read: async () => {
      const { done, value } = await reader.read(new Uint8Array(memory));
      if (done || value === undefined) return { done: true, value: undefined };
      memory = value.buffer;
      return { done, value };
    },
  };
}

/**
 * The chunks of an input, or why there are no more: whatever fails there is a failure of the capture, not of this
 * program.
 */
export async function* readable(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) throw new TypeError("its chunks are not bytes (Uint8Array)");
      yield chunk;
    }
  } catch (error) {
    throw new CaptureError(name, `reading it failed: ${messageOf(error)}`, error);
  }
}
