import type { InternalError } from "../dissector/failure.js";
import { defaultLimits, type Limits } from "../limits.js";
import { type Direction, inDirection, type Origin } from "../network/conversation.js";
import { Decoder } from "../schema/decode/decode.js";
import type { RecognisedConversation, RecognisedSession, SessionListener } from "../session/session.js";
import { DirectionDissection, type DissectionContext } from "./direction-dissection.js";
import type { MessageListener } from "./message.js";
import { ConversationTurns, type Turn, Turns } from "./order/turns.js";

/**
 * How messages are put in order: as in the capture, or only those of each conversation. Then nothing waits for other
 * conversations, and all messages of a conversation have been passed on when it has ended.
 */
export type MessageOrder = "capture" | "conversation";

interface DissectionOptions {
  /** Called for errors in this program or in a dissector; the direction in which one happens is given up. */
  readonly onInternalError?: ((error: InternalError) => void) | undefined;
  /** Called for each conversation once it has ended and its last message has been passed on. */
  readonly onSession?: ((session: RecognisedConversation) => void) | undefined;
  readonly limits?: Limits;
  /** False if dissection of a direction stops at a message whose end is not known; true by default. */
  readonly searchesAfterUnknownEnd?: boolean | undefined;
  readonly order?: MessageOrder | undefined;
}

/**
 * Splits the plaintext of conversations into messages, decodes them, and passes them on with their numbers. Without a
 * listener, does only what it takes to tell what a conversation is.
 */
export class Dissection implements SessionListener {
  readonly #context: DissectionContext;
  readonly #conversations = new WeakMap<RecognisedSession, ConversationTurns>();
  readonly #turnTotal = { bytes: 0 };
  /** The line of all conversations that take turns with each other. */
  readonly #line: Turns;

  constructor(
    listener: MessageListener | undefined,
    readonly options: DissectionOptions = {},
  ) {
    const { limits = defaultLimits, searchesAfterUnknownEnd = true } = options;
    const decoder = new Decoder(limits);
    this.#context = { listener, decoder, limits, searchesAfterUnknownEnd, nextNumber: 1, waiting: 0 };
    this.#line = new Turns(limits, this.#turnTotal);
  }

  /** Number of bytes in all directions that wait for more. */
  get waiting(): number {
    return this.#context.waiting;
  }

  advanced(session: RecognisedSession, direction: Direction): void {
    const turn = inDirection(this.#turnsOf(session), direction);
    const { line } = turn.conversation;
    line.came(turn, inDirection(session.streams, direction).last);
    // If the protocol was not known until now, both directions may have bytes.
    line.want(turn.other);
    this.#goOn(line, turn);
    if (this.#context.listener !== undefined || session.dissector.isSettled !== true) return;
    session.leave();
    line.want(turn);
    line.want(turn.other);
    this.#goOn(line, turn);
  }

  held(session: RecognisedSession, direction: Direction, origin: Origin): void {
    const turn = inDirection(this.#turnsOf(session), direction);
    const { line } = turn.conversation;
    line.came(turn, origin);
    this.#goOn(line, turn);
  }

  datagram(session: RecognisedSession, direction: Direction): void {
    const dropped = this.#conversations.has(session) ? 0 : session.dropped;
    const { dissection } = inDirection(this.#turnsOf(session), direction);
    this.#attempt(dissection, () => dissection.datagram(dropped));
    this.#attempt(dissection, () => dissection.finish());
    // Whatever went wrong with this datagram, the next one starts from scratch.
    dissection.renew();
  }

  closed(session: RecognisedSession): void {
    const turns = this.#turnsOf(session);
    const { line, c2s, s2c } = turns;
    turns.isClosed = true;
    line.want(c2s);
    line.want(s2c);
    if (!turns.isWanted) this.#finish(turns);
    this.#goOn(line, c2s);
  }

  ended(): void {
    this.#goOn(this.#line, undefined);
  }

  /**
   * Dissects what has come, as far as it is its turn.
   *
   * @param own the direction in which a packet has come; undefined if no more packets come
   */
  #goOn(line: Turns, own: Turn | undefined): void {
    // Without messages there is nothing to put in order.
    const waiting = this.#context.listener === undefined ? undefined : own;
    for (let turn = line.take(waiting); turn !== undefined; turn = line.take(waiting)) {
      const { dissection, conversation } = turn;
      const lastFrame = line.nextFrame;
      const hasMoved = this.#attempt(dissection, () => dissection.run(lastFrame)) ?? true;
      line.done(turn, hasMoved);
      if (conversation.isClosed && !conversation.isWanted) this.#finish(conversation);
    }
  }

  /** Ends the dissection of a conversation that has had its turns. */
  #finish({ line, c2s, s2c }: ConversationTurns): void {
    for (const turn of [c2s, s2c]) {
      line.leave(turn);
      this.#attempt(turn.dissection, () => turn.dissection.finish());
    }
    const { session } = c2s.dissection;
    this.#conversations.delete(session);
    // A dissector that has worked so far can still fail in its last call.
    this.#attempt(c2s.dissection, () => this.options.onSession?.(session));
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

  #turnsOf(session: RecognisedSession): ConversationTurns {
    let turns = this.#conversations.get(session);
    if (turns === undefined) {
      const line = this.#isByItself(session) ? new Turns(this.#context.limits, this.#turnTotal) : this.#line;
      turns = new ConversationTurns(line, (direction) => new DirectionDissection(session, direction, this.#context));
      this.#conversations.set(session, turns);
    }
    return turns;
  }

  /** True if a conversation takes no turns with others. */
  #isByItself({ spokenBy }: RecognisedSession): boolean {
    return this.options.order === "conversation" || spokenBy.announces === true;
  }
}
