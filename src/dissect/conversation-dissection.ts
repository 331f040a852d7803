import type { InternalError } from "../dissector/failure.js";
import { type Direction, inDirection, type Origin } from "../network/conversation.js";
import type { FrameOrder } from "../network/frame-order.js";
import type { RecognisedSession, SessionReader } from "../session/session.js";
import { DirectionDissection, type DissectionContext } from "./direction-dissection.js";
import { type Scheduler, Task } from "./order/scheduler.js";

/** What the conversations of a run share. */
export interface ConversationContext extends DissectionContext {
  /** Called for errors in this program or in a dissector; the direction in which one happens is given up. */
  readonly onInternalError: ((error: InternalError) => void) | undefined;
}

/** Makes messages of both directions of a conversation, when it is their turn. */
export class ConversationDissection implements SessionReader {
  readonly c2s: Task;
  readonly s2c: Task;
  readonly #session: RecognisedSession;
  readonly #context: ConversationContext;
  readonly #scheduler: Scheduler;
  readonly #dissections: Readonly<Record<Direction, DirectionDissection>>;
  /** Number of datagrams that could not be kept until the protocol was known, until that is reported. */
  #dropped: number;
  /** True once nothing more comes: the conversation ends when both directions have been dissected. */
  #isClosed = false;
  #isOver = false;

  /** @param scheduler of this conversation alone, or of all whose messages are put in order */
  constructor(session: RecognisedSession, context: ConversationContext, scheduler: Scheduler) {
    this.#session = session;
    this.#context = context;
    this.#scheduler = scheduler;
    this.#dropped = session.dropped;
    const c2s = new DirectionDissection(session, "c2s", context);
    const s2c = new DirectionDissection(session, "s2c", context);
    this.#dissections = { c2s, s2c };
    this.c2s = new Task(c2s, this);
    this.s2c = new Task(s2c, this);
  }

  advanced(direction: Direction): void {
    const scheduler = this.#scheduler;
    const session = this.#session;
    const task = inDirection(this, direction);
    scheduler.arrived(task, inDirection(session.streams, direction).last);
    // If the protocol was not known until now, both directions may have bytes.
    scheduler.ready(task.other);
    scheduler.run(task);
    // Where nobody wants messages, what is known once the dissector is settled is enough.
    if (this.#context.listener !== undefined || session.analyzer.isSettled !== true) return;
    session.leave();
    scheduler.ready(task);
    scheduler.ready(task.other);
    scheduler.run(task);
  }

  outOfOrder(direction: Direction, origin: Origin): void {
    const task = inDirection(this, direction);
    this.#scheduler.arrived(task, origin);
    this.#scheduler.run(task);
  }

  datagram(direction: Direction): void {
    const dissection = inDirection(this.#dissections, direction);
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.#attempt(dissection, () => dissection.datagram(dropped));
    this.#attempt(dissection, () => dissection.finish());
    // Whatever went wrong with this datagram, the next one starts from scratch.
    dissection.renew();
  }

  closed(): void {
    const scheduler = this.#scheduler;
    this.#isClosed = true;
    scheduler.ready(this.c2s);
    scheduler.ready(this.s2c);
    const { watch } = this.#context;
    if (watch === undefined) this.carriedOut();
    else watch.atOnce(() => this.carriedOut());
    scheduler.run(this.c2s);
  }

  carryOut({ work: { direction } }: Task, upTo: FrameOrder): boolean {
    const dissection = inDirection(this.#dissections, direction);
    try {
      return dissection.run(upTo);
    } catch (error) {
      this.#failed(dissection, error);
      return true;
    }
  }

  carriedOut(): void {
    if (this.#isClosed && !this.#isOver && !this.c2s.isReady && !this.s2c.isReady) this.#finish();
  }

  /** Ends the dissection: both directions have had their turns. */
  #finish(): void {
    this.#isOver = true;
    const { c2s, s2c } = this.#dissections;
    for (const task of [this.c2s, this.s2c]) this.#scheduler.remove(task);
    for (const dissection of [c2s, s2c]) this.#attempt(dissection, () => dissection.finish());
    // A dissector that has worked so far can still fail in its last call.
    this.#attempt(c2s, () => this.#session.observer?.dissected?.(this.#session));
  }

  /** Runs code that calls a dissector: an error that it throws ends only this direction. */
  #attempt<T>(dissection: DirectionDissection, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      this.#failed(dissection, error);
      return undefined;
    }
  }

  #failed(dissection: DirectionDissection, error: unknown): void {
    const { streams, conversation, recognisedBy } = this.#session;
    const { direction } = dissection;
    const { stream } = conversation;
    const { offset } = streams[direction];
    this.#context.onInternalError?.({ error, dissector: recognisedBy.name, stream, direction, offset });
    dissection.crashed();
  }
}
