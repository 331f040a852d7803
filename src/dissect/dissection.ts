import { defaultLimits, type Limits } from "../limits.js";
import { type Direction, opposite } from "../network/conversation.js";
import { Decoder } from "../schema/decode.js";
import type { InternalError } from "../session/failure.js";
import type { RecognisedConversation, RecognisedSession, SessionListener } from "../session/session.js";
import { DirectionDissection, type DissectionContext } from "./direction-dissection.js";
import type { MessageListener } from "./message.js";
import { earlierIn, Turns } from "./turns.js";

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
  readonly #turns: Turns;

  constructor(
    listener: MessageListener | undefined,
    readonly options: DissectionOptions = {},
  ) {
    const { limits = defaultLimits, searchesAfterUnknownEnd = true } = options;
    const decoder = new Decoder(limits);
    this.#context = { listener, decoder, limits, searchesAfterUnknownEnd, nextNumber: 1, waiting: 0 };
    this.#turns = new Turns(limits);
  }

  /** Number of bytes in all directions that wait for more. */
  get waiting(): number {
    return this.#context.waiting;
  }

  advanced(session: RecognisedSession, direction: Direction): void {
    const directions = this.#directionsOf(session);
    // Each direction can unblock the other, as the server's answer in a key exchange does. What came first goes first.
    let turn = earlierIn(session) ?? direction;
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
      this.#turns.leave(dissection);
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
    const lastFrame = this.#turns.take(dissection, directions[opposite(direction)]);
    return lastFrame !== undefined && (this.#attempt(dissection, () => dissection.run(lastFrame)) ?? true);
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
