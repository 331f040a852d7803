import type { Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { type Endpoint, opposite, senderOf } from "../../network/conversation.js";
import { Ascii } from "./ascii.js";
import type { ByteWriter } from "./byte-writer.js";

/** The endpoint that sent a message. */
export function sourceOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, direction);
}

/** The endpoint that a message was sent to. */
export function destinationOf({ conversation, direction }: Message): Endpoint {
  return senderOf(conversation, opposite(direction));
}

/** Writes an endpoint as `endpointText` formats it. */
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
