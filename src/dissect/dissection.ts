import { defaultLimits, type Limits } from "../limits.js";
import { type Direction, type Origin, opposite } from "../network/conversation.js";
import { Decoder } from "../schema/decode.js";
import type { InternalError } from "../session/failure.js";
import type { RecognisedConversation, RecognisedSession, SessionListener } from "../session/session.js";
import { DirectionDissection, type DissectionContext } from "./direction-dissection.js";
import type { MessageListener } from "./message.js";

type Directions = Readonly<Record<Direction, DirectionDissection>>;

interface DissectionOptions {
  /** Called for errors in this program or in a dissector; the direction in which one happens is given up. */
  readonly onInternalError?: ((error: InternalError) => void) | undefined;
  /** Called for each conversation once it has ended. */
  readonly onSession?: ((session: RecognisedConversation) => void) | undefined;
  readonly limits?: Limits;
  /** False if dissection of a direction stops at a message whose end is not known; true by default. */
  readonly searchesAfterUnknownEnd?: boolean | undefined;
}

/**
 * Splits the plaintext of conversations into messages, decodes them, and passes them on with their numbers. Without a
 * listener, does only what it takes to tell what a conversation is.
 */
export class Dissection implements SessionListener {
  readonly #context: DissectionContext;
  readonly #directions = new WeakMap<RecognisedSession, Directions>();
  /** Number of bytes in all directions whose turn has not come. */
  #queued = 0;

  constructor(
    listener: MessageListener | undefined,
    readonly options: DissectionOptions = {},
  ) {
    const { limits = defaultLimits, searchesAfterUnknownEnd = true } = options;
    const decoder = new Decoder(limits);
    this.#context = { listener, decoder, limits, searchesAfterUnknownEnd, nextNumber: 1, waiting: 0 };
  }

  /** Number of bytes in all directions that wait for more. */
  get waiting(): number {
    return this.#context.waiting;
  }

  advanced(session: RecognisedSession, direction: Direction): void {
    const directions = this.#directionsOf(session);
    // Each direction can unblock the other, as the server's answer in a key exchange does. What came first goes first.
    let turn = earlier(session) ?? direction;
    for (let idle = 0; idle < 2; turn = opposite(turn)) idle = this.#run(directions, turn) ? 0 : idle + 1;
    if (this.#context.listener !== undefined || session.dissector.isSettled !== true) return;
    session.leave();
    this.#run(directions, "c2s");
    this.#run(directions, "s2c");
  }

  datagram(session: RecognisedSession, direction: Direction): void {
    const dropped = this.#directions.has(session) ? 0 : session.dropped;
    const dissection = this.#directionsOf(session)[direction];
    this.#attempt(dissection, () => dissection.datagram(dropped));
    this.#attempt(dissection, () => dissection.finish());
    // Whatever went wrong with this datagram, the next one starts from scratch.
    dissection.renew();
  }

  closed(session: RecognisedSession): void {
    this.advanced(session, "c2s");
    const { c2s, s2c } = this.#directionsOf(session);
    for (const dissection of [c2s, s2c]) {
      this.#queue(dissection, 0);
      this.#attempt(dissection, () => dissection.finish());
    }
    // A dissector that has worked so far can still fail in its last call.
    this.#attempt(c2s, () => this.options.onSession?.(session));
    this.#directions.delete(session);
  }

  /** Dissects the bytes received in one direction, as far as it is their turn; true if it made progress. */
  #run(directions: Directions, direction: Direction): boolean {
    const dissection = directions[direction];
    if (dissection.isIdle && dissection.queued === 0) return false;
    const lastFrame = this.#lastFrame(dissection, directions[opposite(direction)]);
    const { held } = dissection.session.streams[dissection.direction];
    this.#queue(dissection, lastFrame === undefined ? held : 0);
    return lastFrame !== undefined && (this.#attempt(dissection, () => dissection.run(lastFrame)) ?? true);
  }

  /** Notes how many bytes of a direction wait for their turn. */
  #queue(dissection: DirectionDissection, bytes: number): void {
    this.#queued += bytes - dissection.queued;
    dissection.queued = bytes;
  }

  /** Runs code that calls a dissector: an error that it throws ends only this direction. */
  #attempt<T>(dissection: DirectionDissection, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      const { session, direction } = dissection;
      const { stream } = session.conversation;
      const { offset } = session.streams[direction];
      this.options.onInternalError?.({ error, dissector: session.spokenBy.name, stream, direction, offset });
      dissection.crashed();
      return undefined;
    }
  }

  /**
   * The frame up to which it is the turn of a direction; undefined if the other one has to come first. Messages are
   * passed on in the order in which they came, although bytes that follow a loss come late.
   */
  #lastFrame(own: DirectionDissection, other: DirectionDissection): number | undefined {
    const { next, postponed } = own.stream;
    const heldUp = frameOf(other.stream.postponed.first);
    const othersNext = frameOf(other.stream.next);
    const otherWaits = other.isSearching || othersNext > frameOf(postponed.first);
    const first = heldUp < othersNext || !otherWaits ? other.stream.postponed.first : other.stream.next;
    const isEarly = next !== undefined && first !== undefined && next.frame > first.frame;
    if (isEarly && this.#canWait(own, first)) return undefined;
    return Math.min(heldUp, othersNext);
  }

  /** True unless too much of a direction waits, or it has waited too long, since a packet of the other one came. */
  #canWait({ stream, queued }: DirectionDissection, since: Origin): boolean {
    const { undecidedBytes, queuedBytes, turnSeconds } = this.#context.limits;
    const isTooMuch = stream.held > undecidedBytes || this.#queued - queued + stream.held > queuedBytes;
    return !isTooMuch && secondsBetween(since, stream.last ?? since) < turnSeconds;
  }

  #directionsOf(session: RecognisedSession): Directions {
    let directions = this.#directions.get(session);
    if (directions === undefined) {
      directions = {
        c2s: new DirectionDissection(session, "c2s", this.#context),
        s2c: new DirectionDissection(session, "s2c", this.#context),
      };
      this.#directions.set(session, directions);
    }
    return directions;
  }
}

/** Returns the direction whose bytes or gap came first, if both have any waiting. */
function earlier({ streams: { c2s, s2c } }: RecognisedSession): Direction | undefined {
  if (c2s.next === undefined || s2c.next === undefined) return undefined;
  return s2c.next.frame < c2s.next.frame ? "s2c" : "c2s";
}

function frameOf(origin: Origin | undefined): number {
  return origin?.frame ?? Number.POSITIVE_INFINITY;
}

function secondsBetween(earlier: Origin, later: Origin): number {
  return later.seconds - earlier.seconds + (later.nanoseconds - earlier.nanoseconds) / 1e9;
}
