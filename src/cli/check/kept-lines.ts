import { type Line, parseLine } from "../../check/index.js";

/** The messages that may be written to an expectation, by number. */
export class KeptLines {
  /** Kept outside the heap, whose size is limited; as objects, they would take several times as much. */
  readonly #texts = new Map<number, Uint8Array>();

  /** @param text that `parseLine` reads */
  keep(number: number, text: string): void {
    this.#texts.set(number, Buffer.from(text));
  }

  get(number: number): Line | undefined {
    const text = this.#texts.get(number);
    return text && lineOf(text);
  }

  /** All of them, in order. */
  *all(): Generator<Line> {
    for (const text of this.#texts.values()) yield lineOf(text);
  }
}

function lineOf(text: Uint8Array): Line {
  return parseLine(new TextDecoder().decode(text));
}
