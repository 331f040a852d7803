import type { Writable } from "node:stream";

/** Characters that are gathered before they are written: large writes cost less than many. */
const BLOCK = 64 * 1024;

/** Writes text in large pieces and notices when its reader has gone away or is slow. */
export class TextOutput {
  #pending = "";
  #full = false;
  #closed = false;
  #failure: Error | undefined;

  /** @param isOwn true for a stream that ends with this output, such as that of a file */
  constructor(
    readonly stream: Writable,
    readonly isOwn = false,
  ) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (error.code !== "EPIPE" && error.code !== "EOF") this.#failure = error;
    });
    stream.on("close", () => {
      this.#closed = true;
    });
  }

  /** True if nobody reads any more, as behind `| head`. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Why writing failed, other than that the reader of a pipe has gone. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  write(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= BLOCK) this.flush();
  }

  /** Writes bytes as they are, behind all text so far; they are copied. */
  writeBytes(bytes: Uint8Array): void {
    this.flush();
    if (!this.#closed) this.#full = !this.stream.write(Buffer.from(bytes));
  }

  flush(): void {
    if (this.#pending === "" || this.#closed) return;
    this.#full = !this.stream.write(this.#pending);
    this.#pending = "";
  }

  /** Waits while the reader is behind. */
  async drained(): Promise<void> {
    if (!this.#full || this.#closed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.stream.off("drain", done);
        this.stream.off("close", done);
        this.stream.off("error", done);
        resolve();
      };
      this.stream.on("drain", done);
      this.stream.on("close", done);
      this.stream.on("error", done);
    });
    this.#full = false;
  }

  /** Writes what is left and waits until it has gone out. */
  async end(): Promise<void> {
    this.flush();
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      this.stream.once("error", () => resolve());
      // A reader that has just gone: nobody tells that the writing is finished.
      this.stream.once("close", () => resolve());
      if (this.isOwn) this.stream.end(() => resolve());
      else this.stream.write("", () => resolve());
    });
  }
}
