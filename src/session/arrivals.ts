import type { Origin } from "../network/conversation.js";
import { empty } from "../schema/empty.js";

/** A packet that brought some bytes of a direction, or shows that they are missing. */
export interface Arrival {
  readonly origin: Origin;
  /** Offset in the stream behind them, gaps counted. */
  readonly until: number;
}

/** Unused lists that are kept. */
const MOST_KEPT = 64;

/** What directions share in which nothing waits: nothing is ever put in. */
export const NO_ARRIVALS: Arrival[] = [];

const spare: Arrival[][] = [];

/**
 * An empty list. As with buffers, at any time most directions of most conversations need none, and those that do take
 * turns with the same few, which keep their storage.
 */
export function takeArrivals(): Arrival[] {
  return spare.pop() ?? [];
}

/** Gives back a list that is no longer in use. */
export function giveArrivalsBack(list: Arrival[]): void {
  empty(list);
  if (spare.length < MOST_KEPT) spare.push(list);
}
