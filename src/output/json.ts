import { type Dissected, directionOf, type Message, type MessageNote } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import type { Conversation, Direction, Endpoint } from "../network/conversation.js";
import { Opcode } from "../schema/opcode.js";
import { destinationOf, sourceOf } from "./endpoints.js";
import { fieldJson, membersJson, stringJson } from "./field-json.js";
import { safeJson } from "./sanitise.js";
import { summaryText } from "./summary-text.js";
import { absoluteTime } from "./time.js";
import { stretchTreeJson, treeJson } from "./tree-json.js";

const SCHEMA = '"schema":"moul-dissect.message/1"';

/** One message as one line of JSON: plain nested values. */
export function jsonLine(message: Message): string {
  return `{${SCHEMA},${captureMembers(message)},${outcomeMembers(message)},${fieldMembers(message)}}\n`;
}

/** One message as one line of JSON: the annotated tree. */
export function jsonTreeLine(message: Message): string {
  return `{${SCHEMA},${captureMembers(message)},${outcomeMembers(message)},${treeMembers(message)}}\n`;
}

/** Bytes from outside a capture as one line of JSON: plain nested values. */
export function valueLine(value: Dissected): string {
  return `{${SCHEMA},"message":${stringJson(value.name)},${outcomeMembers(value)},${fieldMembers(value)}}\n`;
}

/** Bytes from outside a capture as one line of JSON: the annotated tree. */
export function valueTreeLine(value: Dissected): string {
  return `{${SCHEMA},"message":${stringJson(value.name)},${outcomeMembers(value)},${treeMembers(value)}}\n`;
}

/** What all messages of a conversation in one direction say, for as long as both ends are who they are. */
interface Place {
  readonly client: Endpoint;
  readonly protocol: string;
  members: { [direction in Direction]?: string };
}

const places = new WeakMap<Conversation, Place>();

function placeMembers(message: Message): string {
  const { conversation, direction, protocol } = message;
  const { client } = conversation;
  let place = places.get(conversation);
  if (place?.client !== client || place.protocol !== protocol) {
    place = { client, protocol, members: {} };
    places.set(conversation, place);
  }
  place.members[direction] ??=
    `"stream":${conversation.stream},"transport":"${conversation.transport}",` +
    `"source":"${endpointText(sourceOf(message))}","destination":"${endpointText(destinationOf(message))}",` +
    `"direction":"${directionOf(message)}","protocol":${stringJson(protocol)}`;
  return place.members[direction] ?? "";
}

/** Where a message comes from. */
function captureMembers(message: Message): string {
  const { number, origin, frames, name } = message;
  return (
    `"number":${number},"time":"${absoluteTime(origin)}","frames":[${frames.join(",")}],` +
    `${placeMembers(message)},"message":${stringJson(name)}`
  );
}

function outcomeMembers(value: Dissected): string {
  return `"summary":${stringJson(summaryText(value))},"status":"${value.status}"`;
}

function fieldMembers({ nodes, offset, length, notes }: Dissected): string {
  const fields = nodes === undefined ? `{"offset":${offset},"length":${length}}` : rootJson(nodes);
  return `"fields":${fields},"notes":${notesJson(notes)}`;
}

function notesJson(notes: readonly MessageNote[]): string {
  return notes.length === 0 ? "[]" : safeJson(notes);
}

function rootJson(nodes: NonNullable<Dissected["nodes"]>): string {
  // A struct shows its fields here even where it has a text for them elsewhere.
  return nodes.field(0).opcode === Opcode.Struct ? `{${membersJson(nodes, 0, "")}}` : fieldJson(nodes, 0);
}

function treeMembers({ nodes, offset, length, notes }: Dissected): string {
  const tree = nodes === undefined ? stretchTreeJson(offset, length) : treeJson(nodes);
  return `${tree},"notes":${notesJson(notes)}`;
}
