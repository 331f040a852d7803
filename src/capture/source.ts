import { type FileHandle, open, stat } from "node:fs/promises";
import { whyUnreadable } from "../file-error.js";

/** How much of a file is read at once, in bytes: large enough that the calls do not count, small enough for a cache. */
const BLOCK_LENGTH = 256 * 1024;

/** The path that stands for standard input. */
export const STANDARD_INPUT = "-";

/** A capture cannot be opened, or not be read any further. */
export class CaptureError extends Error {
  override readonly name = "CaptureError";
  /** File name, or "standard input". */
  readonly file: string;
  /** What is wrong, in plain English that goes behind the file's name and a colon. */
  readonly text: string;

  constructor(file: string, text: string, cause?: unknown) {
    super(`${file}: ${text}`, { cause });
    this.file = file;
    this.text = text;
  }
}

/** What a capture is called in messages: its path, or "standard input" for "-". */
export function captureName(path: string): string {
  return path === STANDARD_INPUT ? "standard input" : path;
}

/** True for standard input, a pipe or a device. What is a folder, or not there, is told of when its turn comes. */
export async function isReadOnce(path: string): Promise<boolean> {
  return path === STANDARD_INPUT || (await isPipe(path));
}

/** True for what has a name, but is neither a file nor a folder. */
export async function isPipe(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/**
 * The bytes of a capture in chunks as they come: blocks of a file, or what is ready of standard input ("-"), so that a
 * recorder can be read while it is recording. A chunk is valid until the next one is asked for.
 * @param length how many bytes of a file are read at most.
 * @param stdin what stands for standard input.
 * @throws CaptureError from the iterator.
 */
export function openCapture(
  path: string,
  length = Number.POSITIVE_INFINITY,
  stdin?: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  return path === STANDARD_INPUT ? readStandardInput(stdin) : readFile(path, length);
}

async function* readStandardInput(stdin: AsyncIterable<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  try {
    // Only touched when it is wanted: the getter opens it.
    yield* stdin ?? process.stdin;
  } catch (error) {
    throw captureError(captureName(STANDARD_INPUT), error);
  }
}

async function* readFile(path: string, length: number): AsyncGenerator<Uint8Array> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, "r");
    // Not every system refuses to open a folder, and reading one fails in different ways.
    if ((await handle.stat()).isDirectory()) throw new CaptureError(path, "this is a folder, not a capture file");
    const file = handle;
    let left = length;
    const read = async (block: Uint8Array) => {
      const { bytesRead } = await file.read(block, 0, Math.min(BLOCK_LENGTH, left), null);
      left -= bytesRead;
      return bytesRead;
    };
    // While one block is worked on, the next one is being read.
    let [current, other] = [new Uint8Array(BLOCK_LENGTH), new Uint8Array(BLOCK_LENGTH)];
    let reading = read(current);
    for (;;) {
      const bytesRead = await reading;
      if (bytesRead === 0) return;
      reading = read(other);
      // What goes wrong is told when its turn comes.
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

/** An error of the system as one of the capture; any other one is a fault of this program and stays what it is. */
function captureError(file: string, error: unknown): unknown {
  if (error instanceof CaptureError || !(error instanceof Error) || !("code" in error)) return error;
  return new CaptureError(file, whyUnreadable(error), error);
}
