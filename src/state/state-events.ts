import type { Dissector } from "../dissector/dissector.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import type { StateEvent, StateMessage, StateReader } from "../dissector/state-event.js";

const NOTHING: readonly StateEvent[] = [];

/** What messages mean, as their dissectors say. */
export class StateEvents {
  readonly #readers = new Map<string, StateReader | undefined>();
  /** The protocol that came last, and what reads its messages. */
  #protocol: string | undefined;
  #reader: StateReader | undefined;

  /** @param kinds only events of these kinds are of interest: others may be left out */
  constructor(
    readonly dissectors: readonly Dissector[],
    readonly kinds?: ReadonlySet<StateEvent["kind"]>,
  ) {}

  /** What a message means; must be asked of all messages of a run, in order. */
  of(message: StateMessage): readonly StateEvent[] {
    const { protocol } = message;
    if (protocol !== this.#protocol) {
      this.#protocol = protocol;
      this.#reader = this.#readerOf(protocol);
    }
    const events = this.#reader?.(message) ?? NOTHING;
    expectNoPromise(events, "what stateReader() returned");
    return events;
  }

  #readerOf(protocol: string): StateReader | undefined {
    // The protocols of a dissector are named after it.
    const [name = ""] = protocol.split(".");
    if (!this.#readers.has(name)) {
      const named = this.dissectors.find((dissector) => dissector.name === name);
      const reader = named?.stateReader?.(this.kinds);
      expectNoPromise(reader, "stateReader()");
      this.#readers.set(name, reader);
    }
    return this.#readers.get(name);
  }
}
