import type { Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import { destinationOf, sourceOf } from "./endpoints.js";
import { membersJson } from "./field-json.js";
import { summaryText } from "./summary-text.js";
import { absoluteTime } from "./time.js";
import { treeJson } from "./tree-json.js";

/** One message as one line of JSON: plain nested values. */
export function jsonLine(message: Message): string {
  const { nodes } = message;
  const fields =
    nodes === undefined ? `"offset":${message.offset},"length":${message.length}` : membersJson(nodes, 0, "");
  return `${head(message)},"fields":{${fields}},"notes":${JSON.stringify(message.notes)}}\n`;
}

/** One message as one line of JSON: the annotated tree. */
export function jsonTreeLine(message: Message): string {
  const tree = message.nodes === undefined ? `"tree":[],"sources":[]` : treeJson(message.nodes);
  return `${head(message)},${tree},"notes":${JSON.stringify(message.notes)}}\n`;
}

/** What both forms begin with. */
function head(message: Message): string {
  const { number, origin, frames, conversation, direction, protocol, name, status } = message;
  return (
    `{"schema":"moul-dissect.message/1","number":${number},"time":"${absoluteTime(origin)}","frames":[${frames.join(",")}],` +
    `"stream":${conversation.stream},"transport":"${conversation.transport}",` +
    `"source":"${endpointText(sourceOf(message))}","destination":"${endpointText(destinationOf(message))}",` +
    `"direction":"${direction}","protocol":"${protocol}","message":"${name}",` +
    `"summary":${JSON.stringify(summaryText(message))},"status":"${status}"`
  );
}
