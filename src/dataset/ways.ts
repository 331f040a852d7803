import type { Message } from "../dissect/message.js";
import type { Endpoint } from "../network/conversation.js";
import { destinationOf, sourceOf } from "../output/writers/endpoints.js";
import { MESSAGES } from "./general-tables.js";
import { KnownCells } from "./known-cells.js";

/** The columns from the conversation up to the protocol. */
const FIRST = MESSAGES.columns.findIndex(({ name }) => name === "stream");
const END = MESSAGES.columns.findIndex(({ name }) => name === "message");

/** From where to where messages go, and in which protocol. */
interface Way extends Pick<Message, "conversation" | "direction" | "protocol"> {
  readonly destination: Endpoint;
  readonly cells: KnownCells;
}

/** What messages that go the same way have in the columns of `messages` about that. */
export class Ways {
  /** The way of the last message, by where it came from. */
  readonly #ways = new WeakMap<Endpoint, Way>();

  cellsOf(message: Message): KnownCells {
    const { conversation, direction, protocol } = message;
    const source = sourceOf(message);
    const destination = destinationOf(message);
    const known = this.#ways.get(source);
    if (
      known?.conversation === conversation &&
      known.direction === direction &&
      known.protocol === protocol &&
      known.destination === destination
    ) {
      return known.cells;
    }
    const cells = new KnownCells(FIRST, END);
    this.#ways.set(source, { conversation, direction, protocol, destination, cells });
    return cells;
  }
}
