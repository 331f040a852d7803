import { directionOf, type Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { type Conversation, type Endpoint, inDirection } from "../../network/conversation.js";
import { destinationOf, sourceOf } from "../writers/endpoints.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";

/** What a conversation has in all lines of a direction, valid until another endpoint becomes its client. */
interface Place {
  readonly client: Endpoint;
  readonly protocol: string;
  readonly json: PackedBytes;
}

const places = { c2s: new WeakMap<Conversation, Place>(), s2c: new WeakMap<Conversation, Place>() };

/** Returns the members that say which way a message went, from the end of its frames on. */
export function placeOf(message: Message): PackedBytes {
  const { conversation, direction, protocol } = message;
  const { client } = conversation;
  const known = inDirection(places, direction).get(conversation);
  if (known !== undefined && known.client === client && known.protocol === protocol) return known.json;
  const { stream, transport } = conversation;
  const [source, destination] = [endpointText(sourceOf(message)), endpointText(destinationOf(message))];
  const members = { stream, transport, source, destination, direction: directionOf(message), protocol };
  const json = new PackedBytes(`],${safeJson(members).slice(1, -1)},`);
  inDirection(places, direction).set(conversation, { client, protocol, json });
  return json;
}
