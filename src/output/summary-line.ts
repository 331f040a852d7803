import type { Dissected, Message } from "../dissect/message.js";
import { endpointText } from "../network/address.js";
import type { Palette } from "./palette.js";
import { printable } from "./sanitise.js";
import { statusMark } from "./status-mark.js";
import { summaryText, valueText } from "./summary-text.js";
import type { TimeColumn } from "./time-column.js";

const NUMBER_WIDTH = 6;
const PROTOCOL_WIDTH = 15;
/** Width of the longest name of a message that is built in. */
const NAME_WIDTH = "Cli2GateKeeper_FileSrvIpAddressRequest".length;
/** Width of an IPv4 address and a port: longer ones push the rest of their line aside. */
const ENDPOINT_WIDTH = "255.255.255.255:65535".length;

/** One message as one line: number, time, conversation and direction, protocol, message, and the few facts that matter. */
export function summaryLine(message: Message, times: TimeColumn, colors: Palette): string {
  const { number, origin, conversation, direction, protocol, name } = message;
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
    told,
    statusMark(message, colors, reasonOf(message)),
  ];
  return lineOf(columns);
}

function lineOf(columns: readonly string[]): string {
  let line = "";
  for (const column of columns) if (column !== "") line += line === "" ? column : ` ${column}`;
  return `${line}\n`;
}

/** Bytes from outside a capture as one line: what they are, and what they say. */
export function valueSummaryLine(value: Dissected, colors: Palette): string {
  const columns = [
    colors.heading(printable(value.name)),
    printable(valueText(value)),
    statusMark(value, colors, reasonOf(value)),
  ];
  return lineOf(columns);
}

/** Where and why a message breaks, if it does and its text does not say so already. */
function reasonOf({ nodes, status, notes }: Dissected): string | undefined {
  if (nodes === undefined || (status !== "malformed" && status !== "truncated")) return undefined;
  return notes.find(({ severity }) => severity !== "note")?.text;
}
