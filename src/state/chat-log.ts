import type { ChatEvent } from "../dissector/state-event.js";
import type { Moment } from "./moment.js";
import { Relayed } from "./relayed.js";

/** Something that somebody said. */
export interface ChatLine extends Omit<ChatEvent, "kind" | "key"> {
  readonly at: Moment;
}

/** What was said, each once: a server relays it to everyone who is to hear it. */
export class ChatLog {
  readonly #relayed = new Relayed();

  /** The line of an event; undefined if it is a copy of one. */
  take({ kind: _, key, ...said }: ChatEvent, at: Moment): ChatLine | undefined {
    return this.#relayed.isNew(key, said.isRelayed ? `to ${at.stream}` : "from") ? { ...said, at } : undefined;
  }
}
