import { bufferOf } from "../../common/buffer-of.js";
import { directionOf, type Message } from "../../dissect/message.js";
import type { Hit } from "../../find/search.js";
import { plainSummary } from "../text/summary-text.js";
import type { CaptureName } from "../writers/capture-name.js";
import { safeJson } from "../writers/sanitise.js";
import { HIT_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";

/** One line of `find --json`: a message, and where in it the text was found. */
export function hitLine(message: Message, hits: readonly Hit[], capture?: CaptureName): string {
  const { number, origin, conversation, protocol, name } = message;
  return `${safeJson({
    schema: HIT_SCHEMA,
    ...(capture && { capture }),
    number,
    time: absoluteTime(origin),
    stream: conversation.stream,
    direction: directionOf(message),
    protocol,
    message: name,
    summary: bufferOf(plainSummary(message)).toString(),
    hits,
  })}\n`;
}
