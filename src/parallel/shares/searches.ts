import type { Trace } from "./trace.js";

/** The most that is remembered. */
const MOST = 10_000;

/** A search of a thread. */
interface Span {
  readonly thread: number;
  readonly from: number;
  readonly until: number;
}

/**
 * Knows while which frames a thread has searched for a message. One thread alone would have had all messages wait
 * meanwhile; several do not know of each other's searches.
 */
export class Searches {
  readonly #searches: Span[] = [];
  readonly #immediate: { readonly thread: number; readonly frame: number }[] = [];

  /** True while a thread but this one has searched. */
  isWithin(thread: number, frame: number): boolean {
    return this.#searches.some((one) => one.thread !== thread && one.from <= frame && frame <= one.until);
  }

  /** Takes what a trace says. @returns false if that may have made a difference */
  add(thread: number, { searches, immediate }: Trace): boolean {
    if (searches.length + immediate.length === 0) return true;
    for (const [from, until] of searches) this.#searches.push({ thread, from, until });
    // What was passed on at once would have come before what others waited with.
    for (const frame of immediate) this.#immediate.push({ thread, frame });
    const isFull = this.#searches.length > MOST || this.#immediate.length > MOST;
    return !isFull && !this.#immediate.some(({ thread, frame }) => this.isWithin(thread, frame));
  }
}
