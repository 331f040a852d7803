import type { Decompressors } from "./compression/decompressors.js";

/** A capture, wherever its bytes come from: a file, a pipe, memory, a page. */
export interface CaptureSource {
  /** What it is called in messages. */
  readonly name: string;
  /**
   * Begins to read it. A chunk is valid until the next one is asked for. Called once for each run, or twice by what reads
   * a capture twice. In Node.js, gzip data that turns out to be damaged is read once more.
   * @param signal tells it that nobody waits for its bytes any more
   * @throws CaptureError from the iterator if it cannot be read, or only in part
   */
  open(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** True if it can be opened only once, as a stream. */
  readonly isReadOnce?: boolean;
  /** What unpacks it faster than the portable decompressors do, where its surroundings have such. */
  readonly decompressors?: Decompressors;
}

/** A capture that cannot be opened, or cannot be read any further. */
export class CaptureError extends Error {
  override readonly name = "CaptureError";
  /** File name, or "standard input". */
  readonly file: string;
  /** What is wrong, in plain English, to follow the file's name and a colon. */
  readonly text: string;

  constructor(file: string, text: string, cause?: unknown) {
    super(`${file}: ${text}`, { cause });
    this.file = file;
    this.text = text;
  }
}
