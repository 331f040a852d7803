import type { Limits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { type FrameOrder, frameOrderOf } from "../../network/frame-order.js";
import { ENTRY_BYTES } from "../../session/stream/direction-stream.js";

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
 */
export class OrderWatch {
  /** Where the next message stands. It never decreases. */
  frameOrder: FrameOrder = 0;
  /**
   * True once the order of one thread might have been another: such as after a loss, where messages wait for the search
   * for the next one, of which only this thread knows.
   */
  isUncertain = false;
  #frame = 0;
  /** Where what comes now stands, unless it waits. */
  #now: FrameOrder = 0;
  #captured = 0;
  #isImmediate = false;
  /** True while what is passed on has come before the order began to wait, so that others were passed on meanwhile. */
  #isLate = false;
  /** Since when the order waits, if it does. */
  #since: { readonly awaited: Origin; readonly frameOrder: FrameOrder; readonly captured: number } | undefined;
  #held = { captured: 0, inOne: 0, inAll: 0 };

  constructor(readonly limits: Pick<Limits, "turnSeconds">) {}

  get held(): Held {
    return this.#held;
  }

  /** Up to where in the order of frames all messages have been passed on. */
  get frontier(): FrameOrder {
    return this.#since === undefined ? this.#current : this.frameOrder - 1;
  }

  /** Where the packet that is read stands. */
  get #current(): FrameOrder {
    return frameOrderOf({ frame: this.#frame });
  }

  /** Notes that a packet is read. */
  packet(frame: number, length: number): void {
    this.#frame = frame;
    // What becomes certain with the time of a packet comes before what the packet brings.
    this.#now = this.#current - 1;
    this.#captured += length + ENTRY_BYTES;
  }

  /** Notes that what the packet brings comes next. */
  arrives(): void {
    this.#now = this.#current;
  }

  /** Notes that one more conversation ends with the capture, as it does in each thread. */
  ending(): void {
    this.#frame++;
    this.arrives();
  }

  /** Notes that the current packet has brought something; everything before it has been passed on, or waits. */
  begin(): void {
    if (this.#since === undefined && this.#now > this.frameOrder) this.frameOrder = this.#now;
  }

  /** Notes where what is passed on next stands in the order of frames. */
  reach(frameOrder: FrameOrder): void {
    if (frameOrder > this.frameOrder) this.frameOrder = frameOrder;
    this.#isLate = this.#since !== undefined && frameOrder < this.#since.frameOrder;
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
    else this.#since = since ?? { awaited, frameOrder: this.#current, captured: this.#captured };
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
  emits(): void {
    if (this.#isLate || (this.#isImmediate && this.#since !== undefined)) this.isUncertain = true;
  }
}
