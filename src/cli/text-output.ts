import type { Writable } from "node:stream";
import { whyUnwritable } from "../file-error.js";

/** Bytes that are gathered before they are written: large writes cost less than many. */
const BLOCK = 64 * 1024;
/** Bytes of UTF-8 that one unit of a text takes at most. */
const MOST_BYTES = 3;
/** Blocks that wait to be used again at most. */
const MOST_SPARE = 64;
const NO_BLOCK = Buffer.alloc(0);

/** What output is written to. */
export interface Destination {
  readonly stream: Writable;
  /** What the user calls it. */
  readonly name?: string;
  /** True for a stream that ends with this output, such as that of a file. */
  readonly isOwn: boolean;
  /** Told at the end whether all that was to be written has been. */
  settle?(isWhole: boolean): Promise<void>;
}

/** Writes text in large pieces and notices when its reader has gone away or is slow. */
export class TextOutput {
  // Each text is encoded by itself: a single character that is not Latin-1 would make all that is gathered twice as
  // long.
  #block = NO_BLOCK;
  #filled = 0;
  readonly #spare: Buffer<ArrayBuffer>[] = [];
  #destination: Destination | undefined;
  #closed = false;
  #failure: NodeJS.ErrnoException | undefined;

  /** @param open gives what is written to, once there is something to write */
  constructor(readonly open: () => Destination) {}

  /** Text for a stream that is open already. */
  static on(stream: Writable, { isOwn = false }: Partial<Pick<Destination, "isOwn">> = {}): TextOutput {
    const output = new TextOutput(() => ({ stream, isOwn }));
    output.#stream();
    return output;
  }

  /** True if the reader has gone, as behind `| head`. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Why writing failed, other than that the reader of a pipe has gone; a sentence. */
  get failure(): string | undefined {
    if (this.#failure === undefined) return undefined;
    return `${this.#destination?.name ?? "the output"} cannot be written: ${whyUnwritable(this.#failure)}`;
  }

  /** @param text as a string, or in UTF-8: then it is copied */
  write(text: string | Uint8Array): void {
    const most = typeof text === "string" ? MOST_BYTES * text.length : text.length;
    if (most > this.#block.length - this.#filled) {
      this.flush();
      if (most > BLOCK) {
        if (!this.#closed) this.#stream().write(typeof text === "string" ? text : Buffer.from(text));
        return;
      }
      if (this.#block.length === 0) this.#block = this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK);
    }
    if (typeof text === "string") this.#filled += this.#block.write(text, this.#filled);
    else {
      this.#block.set(text, this.#filled);
      this.#filled += text.length;
    }
  }

  /**
   * Writes bytes that do not change from now on: they are not copied.
   *
   * @param written called once they may be changed again; never where that cannot be known
   */
  handOver(bytes: Uint8Array, written: () => void): void {
    this.flush();
    this.#writeOut(bytes, written);
  }

  flush(): void {
    if (this.#filled === 0) return;
    const block = this.#block;
    const bytes = block.subarray(0, this.#filled);
    this.#block = NO_BLOCK;
    this.#filled = 0;
    this.#writeOut(bytes, () => {
      if (this.#spare.length < MOST_SPARE) this.#spare.push(block);
    });
  }

  #writeOut(bytes: Uint8Array, written: () => void): void {
    if (this.#closed) return;
    const stream = this.#stream();
    // The system is done with bytes when they are written; any other stream may keep them.
    if ("fd" in stream) stream.write(bytes, written);
    else stream.write(bytes);
  }

  /** Waits while the reader is behind. */
  async drained(): Promise<void> {
    const stream = this.#destination?.stream;
    if (stream === undefined || this.#closed || !stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of ["drain", "close", "error"]) stream.off(event, done);
        resolve();
      };
      for (const event of ["drain", "close", "error"]) stream.on(event, done);
    });
  }

  /** Writes what is left and waits until it has gone out. A file is there from now on, even if nothing was written. */
  async end(): Promise<void> {
    const stream = this.#stream();
    this.flush();
    if (!this.#closed) {
      await new Promise<void>((resolve) => {
        stream.once("error", () => resolve());
        // If the reader has just gone, the callback of `write` may never come.
        stream.once("close", () => resolve());
        if (this.#destination?.isOwn) stream.end();
        else stream.write("", () => resolve());
      });
    }
    try {
      await this.#destination?.settle?.(this.#failure === undefined);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Nothing more comes, because something has gone wrong: takes away a file that would be half written. */
  async discard(): Promise<void> {
    const destination = this.#destination;
    this.#filled = 0;
    if (destination?.isOwn !== true) return;
    const { stream } = destination;
    if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve).destroy());
    await destination.settle?.(false);
  }

  /** Has no file written if there is nothing to be in it. */
  async endWithoutInput(): Promise<void> {
    if (this.#destination !== undefined || this.#filled > 0) await this.end();
  }

  #stream(): Writable {
    if (this.#destination === undefined) {
      this.#destination = this.open();
      const { stream } = this.#destination;
      this.#closed = stream.destroyed;
      stream.on("error", (error: NodeJS.ErrnoException) => this.#fail(error));
      stream.on("close", () => {
        this.#closed = true;
      });
    }
    return this.#destination.stream;
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#closed = true;
    if (error.code !== "EPIPE" && error.code !== "EOF") this.#failure ??= error;
  }
}
