import type { Dissected, Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { type Conversation, type Endpoint, inDirection } from "../../network/conversation.js";
import { Ascii } from "../writers/ascii.js";
import { LineWriter } from "../writers/line-writer.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { printable } from "../writers/sanitise.js";
import { codesOf, type Palette } from "./palette.js";
import { reasonOf, statusMark } from "./status-mark.js";
import { valueText, writeSummary } from "./summary-text.js";
import type { TimeColumn } from "./time-column.js";

const NUMBER_WIDTH = 6;
const PROTOCOL_WIDTH = 15;
/** Width of the longest message name of the built-in dissectors; a longer one pushes the rest of its line aside. */
const NAME_WIDTH = 38;
/** Width of an IPv4 address and a port; a longer endpoint pushes the rest of its line aside. */
const ENDPOINT_WIDTH = "255.255.255.255:65535".length;

const shared = new LineWriter();

/**
 * Returns what shows one message as one line: number, time, conversation and direction, protocol, message, and the few
 * facts that matter. Each line is in UTF-8, and valid until the next one is made.
 */
export function summaryLines(times: TimeColumn, colors: Palette): (message: Message) => Uint8Array {
  const [faint, normal] = codesOf(colors.faint);
  const beforeTime = new PackedBytes(` ${faint}`);
  const afterTime = new PackedBytes(`${normal} `);
  const protocols = packing((protocol) => colors.protocol(protocol)(printable(protocol).padEnd(PROTOCOL_WIDTH)));
  const names = packing((name) => colors.heading(printable(name).padEnd(NAME_WIDTH)));
  return (message) => {
    const { number, origin, protocol, name } = message;
    const writer = shared;
    writer.clear();
    writer.digits(number, NUMBER_WIDTH, Ascii.Blank);
    writer.constant(beforeTime);
    times.write(writer, origin);
    writer.constant(afterTime);
    writer.constant(conversationColumn(message));
    writer.byte(Ascii.Blank);
    writer.constant(protocols(protocol));
    writer.byte(Ascii.Blank);
    const beforeName = writer.length;
    writer.constant(names(name));
    writer.byte(Ascii.Blank);
    const beforeSummary = writer.length;
    writeSummary(writer, message);
    if (writer.length === beforeSummary) {
      // A line does not end in blanks.
      writer.truncate(beforeName);
      writer.safe(colors.heading(printable(name)));
    }
    writer.safe(spaced(statusMark(message, colors, reasonOf(message))));
    writer.byte(Ascii.LineFeed);
    return writer.bytes;
  };
}

/** A column that may be empty, with a blank before it if it is not. */
function spaced(column: string): string {
  return column === "" ? "" : ` ${column}`;
}

/** The texts of a conversation, valid until another endpoint becomes its client. */
interface ConversationColumn {
  readonly client: Endpoint;
  readonly c2s: PackedBytes;
  readonly s2c: PackedBytes;
}

const columns = new WeakMap<Conversation, ConversationColumn>();

/** Conversation and direction. */
function conversationColumn({ conversation, direction }: Message): PackedBytes {
  const { client, stream } = conversation;
  let column = columns.get(conversation);
  if (column?.client !== client) {
    const ends = `${String(stream).padStart(3)} ${endpointText(client).padEnd(ENDPOINT_WIDTH)}`;
    column = { client, c2s: new PackedBytes(`${ends} >`), s2c: new PackedBytes(`${ends} <`) };
    columns.set(conversation, column);
  }
  return inDirection(column, direction);
}

/** Most names kept: a protocol has a few hundred messages. */
const MOST_KEPT = 4096;

/** Keeps the bytes of the texts that stand for names. */
function packing(textOf: (name: string) => string): (name: string) => PackedBytes {
  const kept = new Map<string, PackedBytes>();
  return (name) => {
    let bytes = kept.get(name);
    if (bytes === undefined) {
      bytes = new PackedBytes(textOf(name));
      if (kept.size < MOST_KEPT) kept.set(name, bytes);
    }
    return bytes;
  };
}

/** Bytes from outside a capture as one line: their type, and their contents. */
export function valueSummaryLine(value: Dissected, colors: Palette): string {
  const mark = statusMark(value, colors, reasonOf(value));
  return `${colors.heading(printable(value.name))}${spaced(valueText(value))}${spaced(mark)}\n`;
}
