import type { Message } from "../dissect/message.js";
import type { Endpoint } from "../network/conversation.js";

/** Who sent a message. */
export function sourceOf({ conversation, direction }: Message): Endpoint {
  return direction === "c2s" ? conversation.client : conversation.server;
}

/** Who a message went to. */
export function destinationOf({ conversation, direction }: Message): Endpoint {
  return direction === "c2s" ? conversation.server : conversation.client;
}
