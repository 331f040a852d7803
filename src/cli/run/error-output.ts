import { Writable } from "node:stream";
import type { Progress } from "../progress.js";

/** Standard error that removes a progress line before it writes, and waits while a pager has the screen. */
export class ErrorOutput extends Writable {
  #held: Uint8Array[] | undefined;

  /** @param progress the line that shares the terminal */
  constructor(
    readonly target: Writable,
    readonly progress: Progress | undefined,
  ) {
    super();
  }

  /** Holds everything back until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  /** Writes what was held back. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const chunk of held) this.target.write(chunk);
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (this.#held !== undefined) this.#held.push(chunk);
    else {
      this.progress?.clear();
      this.target.write(chunk);
    }
    // The target has a buffer of its own, and there is never much to say.
    done();
  }
}
