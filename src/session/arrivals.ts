import type { Origin } from "../network/conversation.js";
import { empty } from "../schema/empty.js";

/** A packet that brought some bytes of a direction, or shows that they are missing. */
interface Arrival {
  readonly origin: Origin;
  /** Offset in the stream behind them, gaps counted. */
  readonly until: number;
}

/** Where a packet begins. */
interface Start {
  /** Offset in the stream. */
  readonly offset: number;
  /** Bytes that came in the packet before it, or are missing there. */
  readonly before: number;
}

/** Shared by all directions in which nothing waits: nothing is ever put in. */
const NONE: Arrival[] = [];

/** Unused lists that are kept. */
const MOST_KEPT = 64;

/**
 * Empty lists. As with buffers, at any time most directions of most conversations need none, and those that do take
 * turns with the same few, which keep their storage.
 */
const spare: Arrival[][] = [];

/** Remembers which packets brought the bytes of a direction that are not dissected yet, one entry a packet. */
export class Arrivals {
  #list = NONE;
  /** The last packet of which nothing is left: the offset in the stream behind it, and the bytes that it brought. */
  #passedUntil = 0;
  #passedLength = 0;

  /** In the order of the stream. */
  get all(): readonly Arrival[] {
    return this.#list;
  }

  /** A packet has brought what stands in front of an offset and behind all that came before. */
  add(origin: Origin, until: number): void {
    if (this.#list === NONE) this.#list = spare.pop() ?? [];
    this.#list.push({ origin, until });
  }

  /** The origin of what stands in front of an offset if it has come in one packet. */
  soleOrigin(until: number): Origin | undefined {
    const first = this.#list[0];
    return first !== undefined && first.until >= until ? first.origin : undefined;
  }

  /** The origins of what stands in front of an offset, in the order of the stream. */
  origins(until: number): readonly Origin[] {
    const found: Origin[] = [];
    for (const arrival of this.#list) {
      found.push(arrival.origin);
      if (arrival.until >= until) break;
    }
    return found;
  }

  /** Where packets begin from one offset up to another one. */
  starts(from: number, end: number): readonly Start[] {
    const starts: Start[] = [];
    let [offset, before] = [this.#passedUntil, this.#passedLength];
    for (const { until } of this.#list) {
      if (offset >= end) break;
      if (offset >= from) starts.push({ offset, before });
      before = until - offset;
      offset = until;
    }
    return starts;
  }

  /** What stands in front of an offset is done with. */
  drop(offset: number): void {
    const list = this.#list;
    const last = list.at(-1);
    if (last === undefined) return;
    if (last.until <= offset) {
      // Mostly all of them are done with.
      this.#passed(last.until, list.at(-2)?.until);
      empty(list);
      if (spare.length < MOST_KEPT) spare.push(list);
      this.#list = NONE;
      return;
    }
    let done = 0;
    while (done < list.length && (list[done]?.until ?? 0) <= offset) done++;
    if (done === 0) return;
    this.#passed(list[done - 1]?.until ?? offset, list[done - 2]?.until);
    list.splice(0, done);
  }

  /** Nothing is left of a packet. @param from where it began, if not where the last one that is gone has ended */
  #passed(until: number, from = this.#passedUntil): void {
    this.#passedLength = until - from;
    this.#passedUntil = until;
  }
}
