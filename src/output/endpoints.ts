import type { Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import { type Endpoint, opposite, senderOf } from "../network/conversation.js";
import { Ascii } from "./ascii.js";
import type { ByteWriter } from "./byte-writer.js";

/** Who sent a message. */
export function sourceOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, direction);
}

/** Who a message went to. */
export function destinationOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, opposite(direction));
}

/** Writes what `endpointText` gives. */
export function writeEndpoint(writer: ByteWriter, endpoint: Endpoint): void {
  const { address, port } = endpoint;
  if (address.includes(":")) {
    writer.ascii(endpointText(endpoint));
    return;
  }
  writer.ascii(address);
  writer.byte(Ascii.Colon);
  writer.digits(port);
}
