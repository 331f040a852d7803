import type { Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import type { Palette } from "./palette.js";
import { printable } from "./sanitise.js";
import { summaryText } from "./summary-text.js";
import type { TimeColumn } from "./time-column.js";

const NUMBER_WIDTH = 6;
const PROTOCOL_WIDTH = 15;
const NAME_WIDTH = 30;
/** Width of an IPv4 address and a port: longer ones push the rest of their line aside. */
const ENDPOINT_WIDTH = "255.255.255.255:65535".length;

/** One message as one line: number, time, conversation and direction, protocol, message, and the few facts that matter. */
export function summaryLine(message: Message, times: TimeColumn, colors: Palette): string {
  const { number, origin, conversation, direction, protocol, name, status } = message;
  const arrow = direction === "c2s" ? ">" : "<";
  const place = `${String(conversation.stream).padStart(3)} ${endpointText(conversation.client).padEnd(ENDPOINT_WIDTH)} ${arrow}`;
  const told = printable(summaryText(message));
  const columns = [
    String(number).padStart(NUMBER_WIDTH),
    colors.faint(times.text(origin)),
    place,
    colors.protocol(protocol)(printable(protocol).padEnd(PROTOCOL_WIDTH)),
    // Nothing is to stand behind the last word of a line.
    colors.heading(told === "" ? printable(name) : printable(name).padEnd(NAME_WIDTH)),
    ...(told === "" ? [] : [told]),
    ...(status === "ok" || status === name
      ? []
      : [colors.severity(status === "malformed" ? "error" : "warning")(`[${status}]`)]),
  ];
  return `${columns.join(" ")}\n`;
}
