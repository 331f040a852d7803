import { directionOf, type Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { type Conversation, type Endpoint, inDirection } from "../../network/conversation.js";
import { destinationOf, sourceOf } from "../writers/endpoints.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";

/** What a conversation has in all lines of a direction, valid until another endpoint becomes its client. */
interface ConversationJson {
  readonly client: Endpoint;
  readonly protocol: string;
  readonly json: PackedBytes;
}

const known = {
  c2s: new WeakMap<Conversation, ConversationJson>(),
  s2c: new WeakMap<Conversation, ConversationJson>(),
};

/** Returns the members that say which way a message went, from the end of its frames on. */
export function conversationJson(message: Message): PackedBytes {
  const { conversation, direction, protocol } = message;
  const { client } = conversation;
  const found = inDirection(known, direction).get(conversation);
  if (found !== undefined && found.client === client && found.protocol === protocol) return found.json;
  const { stream, transport } = conversation;
  const [source, destination] = [endpointText(sourceOf(message)), endpointText(destinationOf(message))];
  const members = { stream, transport, source, destination, direction: directionOf(message), protocol };
  const json = new PackedBytes(`],${safeJson(members).slice(1, -1)},`);
  inDirection(known, direction).set(conversation, { client, protocol, json });
  return json;
}
