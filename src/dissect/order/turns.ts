import type { Limits } from "../../limits.js";
import {
  type Direction,
  inDirection,
  type Origin,
  opposite,
  placeOf,
  secondsBetween,
} from "../../network/conversation.js";
import type { DirectionDissection } from "../direction-dissection.js";
import { FrameQueue, type Queued } from "./frame-queue.js";

type TurnLimits = Pick<Limits, "undecidedBytes" | "queuedBytes" | "turnSeconds">;

/** What all lines share. */
interface TurnTotal {
  /** Number of bytes in all directions whose turn has not come. */
  bytes: number;
}

/** The place of one direction of a conversation in a line. */
export class Turn implements Queued {
  frame = 0;
  place = -1;
  /** True if the direction can go on as soon as it is its turn. */
  isWanted = false;
  /** Number of the frame that it goes on with. */
  since = 0;
  /** True if it could not go on with what it had when it was last its turn, so that it needs what has come since. */
  isStuck = false;
  /** Number of bytes that wait for the turn, as last counted. */
  bytes = 0;
  /** Number of the frame that others no longer wait for; negative if there is none. */
  overdue = -1;

  constructor(
    readonly dissection: DirectionDissection,
    readonly conversation: ConversationTurns,
  ) {}

  /** The turn of the other direction. */
  get other(): Turn {
    return inDirection(this.conversation, opposite(this.dissection.direction));
  }

  /** The packet that others wait for although the direction cannot go on with it yet. */
  get awaited(): Origin | undefined {
    const { isSearching, stream } = this.dissection;
    return (isSearching ? stream.next : undefined) ?? stream.postponed.first;
  }
}

/** The turns of both directions of a conversation. */
export class ConversationTurns {
  readonly c2s: Turn;
  readonly s2c: Turn;
  /** True once nothing more comes: the conversation ends when both directions have had their turns. */
  isClosed = false;

  /** @param line where they stand: with the turns of other conversations, or by themselves */
  constructor(
    readonly line: Turns,
    dissectionOf: (direction: Direction) => DirectionDissection,
  ) {
    this.c2s = new Turn(dissectionOf("c2s"), this);
    this.s2c = new Turn(dissectionOf("s2c"), this);
  }

  /** True if a direction can go on, as soon as it is its turn. */
  get isWanted(): boolean {
    return this.c2s.isWanted || this.s2c.isWanted;
  }
}

/**
 * A line of conversations that take turns: decides which direction of which of them goes on. Messages are passed on in
 * the order in which they came, although some of a direction are known late: those that follow a loss.
 */
export class Turns {
  /** The directions that want to go on, and those that others wait for, by the frame that they would go on with. */
  readonly #queue = new FrameQueue<Turn>();
  /** The latest packet. */
  #now: Origin | undefined;

  constructor(
    readonly limits: TurnLimits,
    readonly total: TurnTotal,
  ) {}

  /** Number of the next frame that it is the turn of, or that others wait for. */
  get nextFrame(): number {
    return this.#queue.first?.frame ?? Number.POSITIVE_INFINITY;
  }

  /** Notes what a packet has changed in a direction: it has come at once, or is held up. */
  came(turn: Turn, now: Origin | undefined): void {
    this.#now = now ?? this.#now;
    this.want(turn);
  }

  /** Notes that a direction wants to go on, if it has anything to go on with. */
  want(turn: Turn): void {
    const { dissection } = turn;
    if (!turn.isWanted && !dissection.isIdle) {
      const { stream } = dissection;
      const origin = turn.isStuck ? stream.last : stream.next;
      turn.since = origin === undefined ? 0 : placeOf(origin);
      turn.isWanted = true;
    }
    this.#update(turn);
  }

  /**
   * Takes the turn that comes next; undefined if all have to wait. `done` has to follow.
   *
   * @param own the direction that the latest packet belongs to; undefined if no more packets come
   */
  take(own: Turn | undefined): Turn | undefined {
    for (;;) {
      const first = this.#queue.first;
      if (first === undefined || (!first.isWanted && own !== undefined && this.#canWait(own, first))) return undefined;
      this.#queue.remove(first);
      if (first.isWanted) return first;
      first.overdue = first.frame;
    }
  }

  /** Notes how a turn has ended. */
  done(turn: Turn, hasMoved: boolean): void {
    turn.isWanted = false;
    turn.isStuck = !hasMoved;
    if (!hasMoved) {
      this.#update(turn);
      return;
    }
    this.want(turn);
    // Each direction can unblock the other, as the server's answer in a key exchange does.
    this.want(turn.other);
  }

  /** Notes that nobody needs to wait for a direction any more. */
  leave(turn: Turn): void {
    turn.isWanted = false;
    this.#count(turn, 0);
    this.#queue.remove(turn);
  }

  /** True unless too much waits for a direction, or it has been waited for too long. */
  #canWait(own: Turn, { awaited }: Turn): boolean {
    const { undecidedBytes, queuedBytes, turnSeconds } = this.limits;
    if (own.bytes > undecidedBytes || this.total.bytes > queuedBytes) return false;
    return awaited === undefined || this.#now === undefined || secondsBetween(awaited, this.#now) < turnSeconds;
  }

  /** Puts a direction where it belongs in the queue. */
  #update(turn: Turn): void {
    const { isWanted, awaited, dissection, since } = turn;
    this.#count(turn, isWanted ? dissection.stream.held : 0);
    const isWhatOthersAwait = !isWanted || dissection.isSearching;
    const frame = isWhatOthersAwait && awaited !== undefined ? placeOf(awaited) : since;
    if (isWanted || (awaited !== undefined && frame !== turn.overdue)) this.#queue.put(turn, frame);
    else this.#queue.remove(turn);
  }

  /** Notes how many bytes of a direction wait for its turn. */
  #count(turn: Turn, bytes: number): void {
    this.total.bytes += bytes - turn.bytes;
    turn.bytes = bytes;
  }
}
