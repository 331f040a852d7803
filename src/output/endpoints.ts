import type { Message } from "../dissect/message.js";
import type { Endpoint } from "../network/conversation.js";

/** An endpoint as text: 127.0.0.1:14617, [::1]:14617. */
export function endpointText({ address, port }: Endpoint): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Who sent a message. */
export function sourceOf({ conversation, direction }: Message): Endpoint {
  return direction === "c2s" ? conversation.client : conversation.server;
}

/** Who a message went to. */
export function destinationOf({ conversation, direction }: Message): Endpoint {
  return direction === "c2s" ? conversation.server : conversation.client;
}
