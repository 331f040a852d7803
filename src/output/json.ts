import { type Dissected, directionOf, type Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
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

/** Where a message comes from. */
function captureMembers(message: Message): string {
  const { number, origin, frames, conversation, protocol, name } = message;
  return (
    `"number":${number},"time":"${absoluteTime(origin)}","frames":[${frames.join(",")}],` +
    `"stream":${conversation.stream},"transport":"${conversation.transport}",` +
    `"source":"${endpointText(sourceOf(message))}","destination":"${endpointText(destinationOf(message))}",` +
    `"direction":"${directionOf(message)}","protocol":${stringJson(protocol)},"message":${stringJson(name)}`
  );
}

function outcomeMembers(value: Dissected): string {
  return `"summary":${stringJson(summaryText(value))},"status":"${value.status}"`;
}

function fieldMembers({ nodes, offset, length, notes }: Dissected): string {
  const fields = nodes === undefined ? `{"offset":${offset},"length":${length}}` : rootJson(nodes);
  return `"fields":${fields},"notes":${safeJson(notes)}`;
}

function rootJson(nodes: NonNullable<Dissected["nodes"]>): string {
  // A struct shows its fields here even where it has a text for them elsewhere.
  return nodes.field(0).opcode === Opcode.Struct ? `{${membersJson(nodes, 0, "")}}` : fieldJson(nodes, 0);
}

function treeMembers({ nodes, offset, length, notes }: Dissected): string {
  const tree = nodes === undefined ? stretchTreeJson(offset, length) : treeJson(nodes);
  return `${tree},"notes":${safeJson(notes)}`;
}
