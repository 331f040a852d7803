import { type FileHandle, open } from "node:fs/promises";
import { CaptureError, type CaptureSource } from "../../capture/source.js";
import { decompressorsOf } from "./decompressors.js";
import { whyUnreadable } from "./file-error.js";
import { statOf, systemPath } from "./system-path.js";

/** Bytes of a file read at once: enough to make the cost of the calls negligible, few enough for a cache. */
const BLOCK_LENGTH = 256 * 1024;

/** The path that stands for standard input. */
export const STANDARD_INPUT = "-";

/** The name of a capture in messages: its path, or "standard input" for "-". */
export function captureName(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** True for standard input, a pipe or a device. A folder or a missing file is reported when it is read. */
export async function isReadOnce(path: string): Promise<boolean> {
  return path === STANDARD_INPUT || (await isPipe(path));
}

/** True if the path exists and is neither a file nor a folder. */
export async function isPipe(path: string): Promise<boolean> {
  const facts = await statOf(path).catch(() => undefined);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/**
 * The capture at a path, or on standard input ("-").
 *
 * @param length the most bytes of a file to read, for one that is still growing; by default, all that exist at the time
 * of reading
 * @param stdin used in place of standard input
 */
export function captureAt(path: string, length?: number, stdin?: AsyncIterable<Uint8Array>): CaptureSource {
  return {
    name: captureName(path),
    isReadOnce: path === STANDARD_INPUT,
    open: (signal) => openCapture(path, length, stdin, signal),
    decompressors: decompressorsOf(async () =>
      (await isReadOnce(path)) ? undefined : () => openCapture(path, length),
    ),
  };
}

/**
 * Yields the bytes of a capture in chunks: blocks of a file, or what standard input ("-") has ready, so that a
 * recording can be read while it is being made. A chunk is valid until the next one is asked for.
 * @param length the most bytes of a file to read.
 * @param stdin used in place of standard input.
 * @param signal tells that nobody waits for its bytes any more.
 * @throws CaptureError from the iterator.
 */
export function openCapture(
  path: string,
  length = Number.POSITIVE_INFINITY,
  stdin?: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): AsyncIterable<Uint8Array> {
  return path === STANDARD_INPUT ? readStandardInput(stdin, signal) : readFile(path, length);
}

async function* readStandardInput(
  stdin: AsyncIterable<Uint8Array> | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  // It may bring nothing for a long time, and would keep the program waiting.
  const close = () => void process.stdin.destroy();
  if (stdin === undefined) signal?.addEventListener("abort", close);
  try {
    // Only touched when needed: the getter opens it.
    yield* stdin ?? process.stdin;
  } catch (error) {
    throw captureError(captureName(STANDARD_INPUT), error);
  } finally {
    signal?.removeEventListener("abort", close);
  }
}

async function* readFile(path: string, length: number): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(await systemPath(path), "r");
    // Not every system refuses to open a folder, and reading one fails in different ways.
    if ((await handle.stat()).isDirectory()) throw new CaptureError(path, "this is a folder, not a capture file");
    const file = handle;
    let left = length;
    const read = async (block: Uint8Array) => {
      const { bytesRead } = await file.read(block, 0, Math.min(BLOCK_LENGTH, left), null);
      left -= bytesRead;
      return bytesRead;
    };
    // While one block is processed, the next one is being read.
    let [current, other] = [new Uint8Array(BLOCK_LENGTH), new Uint8Array(BLOCK_LENGTH)];
    let reading = read(current);
    for (;;) {
      const bytesRead = await reading;
      if (bytesRead === 0) return;
      reading = read(other);
      // An error is reported when this block's turn comes.
      reading.catch(() => {});
      yield current.subarray(0, bytesRead);
      [current, other] = [other, current];
    }
  } catch (error) {
    throw captureError(path, error);
  } finally {
    await handle?.close();
  }
}

/** Turns a system error into a `CaptureError`; any other error is a fault of this program and is returned unchanged. */
function captureError(file: string, error: unknown): unknown {
  if (error instanceof CaptureError || !(error instanceof Error) || !("code" in error)) return error;
  return new CaptureError(file, whyUnreadable(error), error);
}
