import type { StateMessage } from "../dissector/state-event.js";
import type { Origin } from "../network/conversation.js";

/** Where in a recording something was said. */
export interface Moment {
  /** Number of the message. */
  readonly number: number;
  readonly origin: Origin;
  /** Number of the conversation. */
  readonly stream: number;
}

export function momentOf({ number, origin, conversation }: StateMessage): Moment {
  return { number, origin, stream: conversation.stream };
}
