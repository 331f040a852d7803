import { empty } from "../../common/empty.js";
import type { Origin } from "../../network/conversation.js";

/** A packet that brought bytes of a direction, or shows that they are missing. */
interface Arrival {
  readonly origin: Origin;
  /** Offset in the stream after them, gaps counted. */
  readonly until: number;
}

/** Where a packet begins. */
interface Start {
  /** Offset in the stream. */
  readonly offset: number;
  /** Length of the packet or gap before it. */
  readonly before: number;
}

/** Shared by all directions in which nothing waits, so nothing is ever added. */
const NONE: Arrival[] = [];

/** Unused lists that are kept. */
const MOST_KEPT = 64;

/**
 * Empty lists to reuse. As with buffers, most directions of most conversations need none at any given time; the others
 * take turns with the same few, which keep their storage.
 */
const spare: Arrival[][] = [];

/** Remembers which packets brought the bytes of a direction that are not dissected yet, one entry per packet. */
export class Arrivals {
  #list = NONE;
  /** The last packet that is used up: the offset in the stream after it, and the number of bytes it brought. */
  #passedUntil = 0;
  #passedLength = 0;

  /** In the order of the stream. */
  get all(): readonly Arrival[] {
    return this.#list;
  }

  /** Adds a packet that brought everything from the end of the previous one up to `until`. */
  add(origin: Origin, until: number): void {
    if (this.#list === NONE) this.#list = spare.pop() ?? [];
    this.#list.push({ origin, until });
  }

  /** The origin of all bytes before an offset, if they came in one packet. */
  soleOrigin(until: number): Origin | undefined {
    const first = this.#list[0];
    return first !== undefined && first.until >= until ? first.origin : undefined;
  }

  /** The origins of all bytes before an offset, in the order of the stream. */
  origins(until: number): readonly Origin[] {
    const found: Origin[] = [];
    for (const arrival of this.#list) {
      found.push(arrival.origin);
      if (arrival.until >= until) break;
    }
    return found;
  }

  /** Where packets begin between two offsets. */
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

  /** Forgets the packets that end at or before an offset. */
  drop(offset: number): void {
    const list = this.#list;
    let done = 0;
    for (const { until } of list) {
      if (until > offset) break;
      this.#passedLength = until - this.#passedUntil;
      this.#passedUntil = until;
      done++;
    }
    if (done === 0) return;
    if (done < list.length) list.splice(0, done);
    else this.#release();
  }

  /** Puts the list away, for other directions to use. */
  #release(): void {
    empty(this.#list);
    if (spare.length < MOST_KEPT) spare.push(this.#list);
    this.#list = NONE;
  }
}
