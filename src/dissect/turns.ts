import type { Limits } from "../limits.js";
import type { Direction, Origin } from "../network/conversation.js";
import type { RecognisedSession } from "../session/session.js";
import type { DirectionDissection } from "./direction-dissection.js";

type TurnLimits = Pick<Limits, "undecidedBytes" | "queuedBytes" | "turnSeconds">;

/**
 * Decides which direction of a conversation may go on. The messages of both are passed on in the order in which they
 * came, although some of a direction are known late: those that follow a loss.
 */
export class Turns {
  /** Number of bytes in all directions whose turn has not come. */
  #queued = 0;

  constructor(readonly limits: TurnLimits) {}

  /** Returns the number of the frame up to which it is the turn of a direction; undefined if the other one comes first. */
  take(own: DirectionDissection, other: DirectionDissection): number | undefined {
    const { next, postponed } = own.stream;
    const heldUp = frameOf(other.stream.postponed.first);
    const othersNext = frameOf(other.stream.next);
    const otherWaits = other.isSearching || othersNext > frameOf(postponed.first);
    const first = heldUp < othersNext || !otherWaits ? other.stream.postponed.first : other.stream.next;
    const isEarly = next !== undefined && first !== undefined && next.frame > first.frame;
    const waits = isEarly && this.#canWait(own, other, first);
    this.#queue(own, waits ? own.stream.held : 0);
    return waits ? undefined : Math.min(heldUp, othersNext);
  }

  /** Notes that a direction waits for no turn any more. */
  leave(dissection: DirectionDissection): void {
    this.#queue(dissection, 0);
  }

  /** True unless too much of a direction waits, or it has waited too long, since a packet of the other one came. */
  #canWait({ stream, queued }: DirectionDissection, other: DirectionDissection, since: Origin): boolean {
    const { undecidedBytes, queuedBytes, turnSeconds } = this.limits;
    const isTooMuch = stream.held > undecidedBytes || this.#queued - queued + stream.held > queuedBytes;
    // One side may have fallen silent.
    const isTooLong = [stream, other.stream].some(({ last }) => secondsBetween(since, last ?? since) >= turnSeconds);
    return !isTooMuch && !isTooLong;
  }

  /** Notes how many bytes of a direction wait for their turn. */
  #queue(dissection: DirectionDissection, bytes: number): void {
    this.#queued += bytes - dissection.queued;
    dissection.queued = bytes;
  }
}

/** Returns the direction whose bytes or gap came first, if both have any waiting. */
export function earlierIn({ streams: { c2s, s2c } }: RecognisedSession): Direction | undefined {
  if (c2s.next === undefined || s2c.next === undefined) return undefined;
  return s2c.next.frame < c2s.next.frame ? "s2c" : "c2s";
}

function frameOf(origin: Origin | undefined): number {
  return origin?.frame ?? Number.POSITIVE_INFINITY;
}

function secondsBetween(earlier: Origin, later: Origin): number {
  return later.seconds - earlier.seconds + (later.nanoseconds - earlier.nanoseconds) / 1e9;
}
