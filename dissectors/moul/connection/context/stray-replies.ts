import type { Passed } from "moul-dissect/dissector";
import type { RequestKey } from "./requests.js";

/**
 * Most replies of a connection that are remembered because their requests may be seen late: after a loss, where it takes
 * several messages to find the next one, or if the capture has packets in another order than they were sent.
 */
const MOST = 16;

/** In place of a key. All keys are numbers most of the time, which are found fastest among nothing but numbers. */
const NONE = -1;

/** The latest replies of a connection whose requests have not been seen, in a ring. */
export class StrayReplies {
  readonly #replies: Passed[] = [];
  readonly #keys: RequestKey[] = [];
  #next = 0;

  add(key: RequestKey, reply: Passed): void {
    this.take(key);
    this.#replies[this.#next] = reply;
    this.#keys[this.#next] = key;
    this.#next = (this.#next + 1) % MOST;
  }

  /** Removes and returns the reply that came before its request. */
  take(key: RequestKey): Passed | undefined {
    const place = this.#keys.indexOf(key);
    if (place < 0) return undefined;
    this.#keys[place] = NONE;
    return this.#replies[place];
  }
}
