import type { ChatLine } from "../../state/chat-log.js";
import type { Palette } from "../text/palette.js";
import { CellWriter } from "../writers/cell-writer.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { CHAT_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";
import { momentJson, partyJson, partyText } from "./common.js";

export const chatFormats = ["text", "markdown", "csv", "json"] as const;
export type ChatFormat = (typeof chatFormats)[number];

/** One line of `chat`. */
export function chatLine(line: ChatLine, format: ChatFormat, colors: Palette): string {
  const { from, to, channel, text, isRelayed, at } = line;
  switch (format) {
    case "json": {
      const said = { from: partyJson(from), to: to.map(partyJson), channel, text, relayed: isRelayed };
      return `${safeJson({ schema: CHAT_SCHEMA, ...momentJson(at), ...said })}\n`;
    }
    case "csv":
      return cells([String(at.number), absoluteTime(at.origin), channel, partyText(from), receivers(line), text]);
    case "markdown":
      return `- ${absoluteTime(at.origin)} **${escaped(partyText(from))}**${toWhom(line, escaped)}: ${escaped(text)}\n`;
    case "text": {
      const time = colors.faint(absoluteTime(at.origin));
      return `${time} ${colors.heading(printable(partyText(from)))}${colors.faint(toWhom(line, printable))}: ${printable(text)}\n`;
    }
  }
}

/** What comes before the first line. */
export function chatHead(format: ChatFormat): string {
  return format === "csv" ? cells(["number", "time", "channel", "from", "to", "text"]) : "";
}

function toWhom(line: ChatLine, safe: (text: string) => string): string {
  if (line.channel === "age") return "";
  const names = receivers(line);
  return ` (${line.channel}${names === "" ? "" : ` to ${safe(names)}`})`;
}

function receivers({ to }: ChatLine): string {
  return to.map(partyText).join(", ");
}

/** Text that Markdown shows as it is. */
function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]()<>#+\-.!|~&:@/]/g, "\\$&");
}

function cells(values: readonly string[]): string {
  const writer = new CellWriter("csv");
  for (const value of values) {
    writer.beginCell();
    writer.value(value);
    writer.endCell();
  }
  writer.endLine();
  return writer.toString();
}
