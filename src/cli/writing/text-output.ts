import type { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { GatheredText } from "../../output/writers/gathered-text.js";
import { PieceBuffers, type PieceSize } from "../../output/writers/piece-buffers.js";
import { whyUnwritable } from "../../platform/node/file-error.js";

/** How much is gathered before it is written: a few large writes cost less than many small ones. */
const PIECES: PieceSize = { bytes: 64 * 1024, mostSpare: 64 };

/** Bytes that may wait to be written: more than usual packets need, as it costs time to hold back others. */
const MOST_WAITING = 16 * 1024 * 1024;

/** What output is written to. */
export interface Destination {
  readonly stream: Writable;
  /** What the user calls it. */
  readonly name?: string;
  /** True for a stream that ends with this output, such as that of a file. */
  readonly isOwn: boolean;
  /** Called at the end: `isWhole` is true if everything has been written. */
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
  /** Bytes that the stream has not said to be written; it says so only while nothing else is done. */
  #waiting = 0;
  #failure: NodeJS.ErrnoException | undefined;

  /** @param open returns the destination, once there is something to write */
  constructor(readonly open: () => Destination) {}

  /** Output to a stream that is already open. */
  static on(stream: Writable, { isOwn = false }: Partial<Pick<Destination, "isOwn">> = {}): TextOutput {
    const output = new TextOutput(() => ({ stream, isOwn }));
    output.#stream();
    return output;
  }

  /** True if the reader has gone, as with `| head`. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Why writing failed, as a sentence; a reader of a pipe that has gone is no failure. */
  get failure(): string | undefined {
    if (this.#failure === undefined) return undefined;
    return `${this.#destination?.name ?? "the output"} cannot be written: ${whyUnwritable(this.#failure)}`;
  }

  /** @param text a string, or UTF-8, which is copied */
  write(text: string | Uint8Array): void {
    this.#text.write(text);
  }

  /**
   * Writes bytes without copying them: they must not change from now on.
   *
   * @param written called once they may change again; never if that cannot be known
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
    this.#waiting += bytes.length;
    let isReleased = false;
    const release = () => {
      // The system is done with bytes once they are written; any other stream may keep them.
      if ("fd" in stream && !isReleased) written();
      isReleased = true;
    };
    stream.write(bytes, () => {
      this.#waiting -= bytes.length;
      release();
    });
    // Nothing waits in the stream, which says so only later: bytes used again at once are still in the processor's cache.
    if (stream.writableLength === 0) release();
  }

  /** Whether so much waits to be written that nothing should be added. */
  get isFull(): boolean {
    return !this.#closed && this.#waiting > MOST_WAITING;
  }

  /** Waits while the reader lags behind. */
  async drained(): Promise<void> {
    const stream = this.#destination?.stream;
    if (stream === undefined || this.#closed) return;
    if (stream.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        const done = () => {
          for (const event of ["drain", "close", "error"]) stream.off(event, done);
          resolve();
        };
        for (const event of ["drain", "close", "error"]) stream.on(event, done);
      });
    }
    // What was written at once is reported only now.
    if (this.isFull) await setImmediate();
  }

  /** Writes the rest and waits until it has gone out. A file exists from then on, even if nothing was written. */
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

  /** Ends the output after an error: a file that would be half written is deleted. */
  async discard(): Promise<void> {
    const destination = this.#destination;
    if (destination?.isOwn !== true) return;
    const { stream } = destination;
    if (!stream.closed) await new Promise((resolve) => stream.once("close", resolve).destroy());
    await destination.settle?.(false);
  }

  /** Ends the output, without creating a file if there is nothing to write. */
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
