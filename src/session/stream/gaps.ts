import type { GapReason } from "../../network/conversation.js";

/** A missing piece of the stream. */
export interface Gap {
  /** Offset of its first byte in the stream as sent, gaps counted. */
  readonly offset: number;
  readonly length: number;
  readonly reason: GapReason;
}

/** The gaps among the bytes of a direction that are not dissected yet. */
export class Gaps {
  readonly #list: Gap[] = [];
  #missing = 0;

  /** In the order of the stream. */
  get all(): readonly Gap[] {
    return this.#list;
  }

  /** Their total length. */
  get missing(): number {
    return this.#missing;
  }

  /** Adds a gap after all others. */
  add(gap: Gap): void {
    this.#list.push(gap);
    this.#missing += gap.length;
  }

  /** Returns the first gap, and forgets it. */
  takeFirst(): Gap | undefined {
    const gap = this.#list.shift();
    this.#missing -= gap?.length ?? 0;
    return gap;
  }
}

/** Shared by all directions without gaps, which are nearly all, so nothing is ever added. */
export const NO_GAPS = new Gaps();
