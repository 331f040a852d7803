import type { Writable } from "node:stream";
import { whyUnwritable } from "../file-error.js";
import { GatheredText } from "./gathered-text.js";
import { PieceBuffers, type PieceSize } from "./piece-buffers.js";

/** What is gathered before it is written: large writes cost less than many. */
const PIECES: PieceSize = { bytes: 64 * 1024, mostSpare: 64 };

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
  readonly #buffers = new PieceBuffers(PIECES);
  readonly #text = new GatheredText(this.#buffers, (bytes) =>
    this.#writeOut(bytes, () => this.#buffers.give(bytes.buffer)),
  );
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
    this.#text.write(text);
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
    this.#text.flush();
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
    if (destination?.isOwn !== true) return;
    const { stream } = destination;
    if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve).destroy());
    await destination.settle?.(false);
  }

  /** Has no file written if there is nothing to be in it. */
  async endWithoutInput(): Promise<void> {
    if (this.#destination !== undefined || !this.#text.isEmpty) await this.end();
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
