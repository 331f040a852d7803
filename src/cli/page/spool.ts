import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

const BLOCK_LENGTH = 256 * 1024;

/** Keeps what an input brings in a temporary file, so that it can be read from its beginning, again and again. */
export class Spool {
  #length = 0;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  private constructor(
    readonly folder: string,
    readonly file: FileHandle,
  ) {}

  static async of(input: Readable): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
    const spool = new Spool(folder, await open(join(folder, "capture"), "w+", 0o600));
    void spool.#fill(input);
    return spool;
  }

  /** Yields everything from the beginning, then what comes, until the input ends. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    let position = 0;
    for (;;) {
      if (position < this.#length) {
        const block = new Uint8Array(Math.min(BLOCK_LENGTH, this.#length - position));
        const { bytesRead } = await this.file.read(block, 0, block.length, position);
        position += bytesRead;
        yield block.subarray(0, bytesRead);
      } else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  /** Deletes the file. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    this.#wake();
    await this.file.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #fill(input: Readable): Promise<void> {
    try {
      for await (const chunk of input) {
        const bytes: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        await this.file.write(bytes, 0, bytes.length, this.#length);
        this.#length += bytes.length;
        this.#wake();
      }
    } catch {
      // An input that fails brings nothing more, like one that ends.
    }
    this.#hasEnded = true;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
