import type { LimitName, Limits } from "../../../limits.js";
import type { Origin } from "../../conversation.js";
import { copyOf, type UnprovenSegment } from "./far-numbers.js";

/** Shared by all directions in which everything is believed: nothing is ever added. */
const NONE_UNPROVEN: UnprovenSegment[] = [];

/** The FIN of one direction of a TCP connection, and what its sender has sent beyond it: one of the two did not happen. */
export class StreamEnd {
  /** Sequence number of the FIN, the one after the last byte. */
  at = 0;
  /** The packet that brought it; undefined without a FIN. */
  origin: Origin | undefined;
  /** Whether an acknowledgment has come since the FIN has: one that came before may mean something else. */
  isAnswered = false;
  #beyond = NONE_UNPROVEN;

  get isExceeded(): boolean {
    return this.#beyond.length > 0;
  }

  set(at: number, origin: Origin): void {
    this.at = at;
    this.origin = origin;
    this.isAnswered = false;
  }

  /** Keeps what was sent beyond the FIN; returns the limit that leaves no room for it. */
  keep(segment: UnprovenSegment, { heldSegments, heldBytes }: Limits): LimitName | undefined {
    if (this.#beyond === NONE_UNPROVEN) this.#beyond = [];
    if (this.#beyond.length >= heldSegments) return "heldSegments";
    const kept = this.#beyond.reduce((sum, other) => sum + other.bytes.length, segment.bytes.length);
    if (kept > heldBytes) return "heldBytes";
    this.#beyond.push(copyOf(segment));
    return undefined;
  }

  /** Takes out what was sent beyond the FIN. */
  takeBeyond(): readonly UnprovenSegment[] {
    const beyond = this.#beyond;
    this.#beyond = NONE_UNPROVEN;
    return beyond;
  }
}
