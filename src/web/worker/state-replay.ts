import type { Dissector } from "../../dissector/dissector.js";
import type { StateEvent, StateMessage } from "../../dissector/state-event.js";
import { type Moment, momentOf } from "../../state/moment.js";
import { StateEvents } from "../../state/state-events.js";
import type { MessageStore } from "../../store/message-store.js";
import { Breathing } from "./breathe.js";
import { GrowingNumbers } from "./growing-numbers.js";

/** What becomes of events. */
interface Replayed<S> {
  readonly make: () => S;
  readonly take: (state: S, event: StateEvent, at: Moment) => void;
}

/**
 * The state of something at any moment, made from the messages whenever it is asked for: what they say would take
 * several times their own memory.
 */
export class StateReplay<S> {
  /** Numbers of the messages that say something about it. */
  readonly #saying = new GrowingNumbers();
  /** The state as it was asked for last, which is often the next to be asked for, too. */
  #state: S;
  #events: StateEvents;
  #taken = 0;
  /** Ends when the question before has been answered. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly dissectors: readonly Dissector[],
    readonly store: MessageStore,
    readonly replayed: Replayed<S>,
  ) {
    this.#state = replayed.make();
    this.#events = new StateEvents(dissectors);
  }

  /** Notes that a message says something about it. */
  note(number: number): void {
    if (this.#saying.get(this.#saying.length - 1) !== number) this.#saying.push(number);
  }

  /** Reads the state as it was after a message. */
  read<R>(number: number, read: (state: S) => R): Promise<R> {
    const answer = this.#turn.then(async () => {
      await this.#goTo(number);
      return read(this.#state);
    });
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #goTo(number: number): Promise<void> {
    if (this.#saying.get(this.#taken - 1) > number) {
      this.#state = this.replayed.make();
      this.#events = new StateEvents(this.dissectors);
      this.#taken = 0;
    }
    const breathing = new Breathing();
    for (; this.#taken < this.#saying.length; this.#taken++) {
      const next = this.#saying.get(this.#taken);
      if (next > number) break;
      this.#take(this.store.at(next - 1));
      if (breathing.isDue) await breathing.breathe();
    }
  }

  #take(message: StateMessage): void {
    const at = momentOf(message);
    const request = message.nodes?.context?.answers?.number;
    // What it asked for may be known from the request alone, which need not have said anything itself.
    if (request !== undefined && this.#saying.get(this.#saying.firstFrom(request)) !== request) {
      this.#events.of(this.store.at(request - 1));
      message = this.store.at(at.number - 1);
    }
    for (const event of this.#events.of(message)) this.replayed.take(this.#state, event, at);
  }
}
