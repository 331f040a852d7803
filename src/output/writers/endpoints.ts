import type { Message } from "../../dissect/message.js";
import { type Endpoint, opposite, senderOf } from "../../network/conversation.js";

/** The endpoint that sent a message. */
export function sourceOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, direction);
}

/** The endpoint that a message was sent to. */
export function destinationOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, opposite(direction));
}
