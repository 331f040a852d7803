import type { Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { hueOf } from "../../output/text/hue.js";
import { colorless } from "../../output/text/palette.js";
import { reasonOf, statusMark } from "../../output/text/status-mark.js";
import { summaryText } from "../../output/text/summary-text.js";
import { printable } from "../../output/writers/sanitise.js";
import { absoluteTime } from "../../output/writers/time.js";
import type { Row } from "../session-api.js";

/**
 * A message as a line of the list.
 *
 * @param place in the list
 * @param first the first message of all
 */
export function rowOf(message: Message, place: number, first: Origin): Row {
  const { number, origin, conversation, direction, protocol, name, status, nodes } = message;
  const { stream, client, server } = conversation;
  return {
    place,
    number,
    time: absoluteTime(origin),
    seconds: secondsBetween(first, origin),
    stream,
    client: endpointText(client),
    server: endpointText(server),
    isFromServer: direction === "s2c",
    protocol: printable(protocol),
    hue: hueOf(protocol),
    name: printable(name),
    summary: summaryText(message),
    mark: statusMark(message, colorless, reasonOf(message)),
    status,
    error: nodes?.context?.error,
  };
}
