import type { Limits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";

/** Bytes of memory that a packet may count as, besides its own: see `DirectionStream.held`. */
const ENTRY_BYTES = 64;

/** What is waiting for others at most, in one thread. */
export interface Held {
  /** Bytes that were captured while the order of messages had to wait. */
  readonly captured: number;
  /** Bytes that waited in one direction, and in all directions. */
  readonly inOne: number;
  readonly inAll: number;
}

/**
 * Follows where messages stand in the order of a capture of which one of several threads dissects some conversations, so
 * that what they pass on can be put in the order in which one thread would pass on all of it.
 *
 * A place is twice the number of a frame; what is known only after a frame has a place between it and the next one.
 */
export class OrderWatch {
  /** Where the next message stands. It never decreases. */
  place = 0;
  /**
   * True once the order of one thread might have been another: such as after a loss, where messages wait for the search
   * for the next one, of which only this thread knows.
   */
  isUncertain = false;
  #frame = 0;
  /** The place of what comes now, unless it waits. */
  #now = 0;
  #captured = 0;
  #isImmediate = false;
  /** True while what is passed on has come before the order began to wait, so that others were passed on meanwhile. */
  #isLate = false;
  /** Since when the order waits, if it does. */
  #since: { readonly awaited: Origin; readonly frame: number; readonly captured: number } | undefined;
  #held = { captured: 0, inOne: 0, inAll: 0 };

  constructor(readonly limits: Pick<Limits, "turnSeconds">) {}

  get held(): Held {
    return this.#held;
  }

  /** The place up to which all messages have been passed on. */
  get frontier(): number {
    return this.#since === undefined ? 2 * this.#frame : this.place - 1;
  }

  /** Notes that a packet is read. */
  packet(frame: number, length: number): void {
    this.#frame = frame;
    // What becomes certain with the time of a packet comes before what the packet brings.
    this.#now = 2 * frame - 1;
    this.#captured += length + ENTRY_BYTES;
  }

  /** Notes that what the packet brings comes next. */
  arrives(): void {
    this.#now = 2 * this.#frame;
  }

  /** Notes that one more conversation ends with the capture, as it does in each thread. */
  ending(): void {
    this.#frame++;
    this.arrives();
  }

  /** Notes that the current packet has brought something; everything before it has been passed on, or waits. */
  begin(): void {
    if (this.#since === undefined && this.#now > this.place) this.place = this.#now;
  }

  /** Notes that what is passed on next has come at a place in the order of frames: see `placeOf`. */
  reach(frame: number): void {
    const place = 2 * frame;
    if (place > this.place) this.place = place;
    this.#isLate = this.#since !== undefined && frame < this.#since.frame;
  }

  /** Notes what the order of messages waits for, at the latest packet. */
  waits(what: "nothing" | "search" | "packet", awaited: Origin | undefined, now: Origin | undefined): void {
    const since = this.#since;
    if (since !== undefined) {
      this.#held.captured = Math.max(this.#held.captured, this.#captured - since.captured);
      const isLong = now === undefined || secondsBetween(since.awaited, now) >= this.limits.turnSeconds;
      if (isLong) this.isUncertain = true;
    }
    if (what === "nothing") this.#since = undefined;
    else if (what === "search" || awaited === undefined) this.isUncertain = true;
    else this.#since = since ?? { awaited, frame: this.#frame, captured: this.#captured };
    this.#isLate = false;
  }

  /** Notes that messages no longer wait for a direction. */
  overdue(): void {
    this.isUncertain = true;
  }

  /** Notes how many bytes wait. */
  waiting(inOne: number, inAll: number): void {
    if (inOne > this.#held.inOne) this.#held.inOne = inOne;
    if (inAll > this.#held.inAll) this.#held.inAll = inAll;
  }

  /** Carries out what happens whether or not the order waits. */
  atOnce(act: () => void): void {
    this.begin();
    this.#isImmediate = true;
    act();
    this.#isImmediate = false;
  }

  /** Notes that a message is passed on. */
  passes(): void {
    if (this.#isLate || (this.#isImmediate && this.#since !== undefined)) this.isUncertain = true;
  }
}
