import type { Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import type { Severity } from "../../schema/language/field-tree.js";
import { printable } from "../writers/sanitise.js";
import { cutEnd, widthOf } from "../writers/text-width.js";
import { absoluteTime } from "../writers/time.js";
import { NOTHING, reasonIn } from "./asked.js";
import type { OpenRequests } from "./open-requests.js";
import { colorless, type Palette } from "./palette.js";
import type { ShownColumn } from "./shown-column.js";
import { reasonOf, statusMark } from "./status-mark.js";
import { summaryText } from "./summary-text.js";
import type { TimeColumn } from "./time-column.js";

/** What the columns of a summary need to know. */
export interface SummaryStyle {
  /** Undefined for the time of day alone. */
  readonly times: TimeColumn | undefined;
  readonly colors: Palette;
  /** Undefined if failed replies do not say what was asked, as in a pipe. */
  readonly requests: OpenRequests | undefined;
}

const UNLIMITED = Number.POSITIVE_INFINITY;
/** What was asked is left out if there are not so many columns for it, beside the reason why it failed. */
const LEAST_ASKED = 12;
/** How a reply begins that brings what was asked for. */
const SUCCESS = /^result=kNetSuccess\b/;
/** The classes around the one that says what the message is about. */
const OUTER_CLASSES = /^(?:\w+ > )+(?=\w)/;

/** How much there is room for. Sizes are in columns: the least that a column takes, and where it is cut. */
interface Layout {
  /** The narrowest terminal that it is for. */
  readonly from: number;
  readonly number: number;
  /** The last digit of the time that is shown, in ISO 8601. */
  readonly timeEnd: number;
  readonly stream: number;
  /** "none" shows the number of the conversation alone. */
  readonly client: "address" | "port" | "none";
  readonly protocol: readonly [number, number];
  readonly name: readonly [number, number];
  /** True if names are shown whole. */
  readonly isFull: boolean;
}

/** As Wireshark does, all of them leave a good part of the line to the contents. */
const LAYOUTS: readonly Layout[] = [
  {
    from: UNLIMITED,
    number: 6,
    timeEnd: 23,
    stream: 3,
    client: "address",
    protocol: [15, UNLIMITED],
    name: [38, UNLIMITED],
    isFull: true,
  },
  { from: 160, number: 6, timeEnd: 23, stream: 3, client: "address", protocol: [15, 20], name: [38, 40], isFull: true },
  { from: 120, number: 5, timeEnd: 23, stream: 3, client: "port", protocol: [10, 12], name: [22, 32], isFull: false },
  { from: 100, number: 5, timeEnd: 23, stream: 3, client: "none", protocol: [10, 12], name: [22, 32], isFull: false },
];
const NARROWEST: Layout = {
  from: 0,
  number: 5,
  timeEnd: 19,
  stream: 2,
  client: "none",
  protocol: [4, 6],
  name: [18, 26],
  isFull: false,
};
/** Below this width, only the message and its contents are shown. */
const TINY = 50;

/**
 * The columns of a summary on a terminal: as much of each as there is room for. The server goes by the name of its
 * protocol.
 *
 * @param width of the terminal in columns; unlimited for whole columns
 */
export function summaryColumns(width: number, style: SummaryStyle): readonly ShownColumn[] {
  const { colors } = style;
  const layout = LAYOUTS.find(({ from }) => width >= from) ?? NARROWEST;
  const { isFull } = layout;
  const number = counting(layout.number, ({ number }) => number);
  const stream = counting(layout.stream, ({ conversation }) => conversation.stream);
  const direction: ShownColumn = { least: 1, most: 1, text: ({ direction }) => (direction === "c2s" ? ">" : "<") };
  const protocol: ShownColumn = {
    ...sized(layout.protocol),
    text: ({ protocol }) => printable(isFull ? protocol : shortProtocol(protocol)),
    paint: ({ protocol }) => colors.protocol(protocol),
  };
  const name: ShownColumn = {
    ...sized(layout.name),
    text: ({ name }) => printable(isFull ? name : shortName(name)),
    paint: (message) => toned(message, colors, colors.heading),
  };
  const contents = contentsColumn(style, isFull);
  if (width < TINY) return [number, name, contents];
  return [
    number,
    timeColumn(style, layout.timeEnd),
    stream,
    ...clientColumn(layout),
    direction,
    protocol,
    name,
    contents,
  ];
}

function sized([least, most]: readonly [number, number]): Pick<ShownColumn, "least" | "most"> {
  return { least, most };
}

function counting(least: number, of: (message: Message) => number): ShownColumn {
  return { least, most: UNLIMITED, isNumber: true, text: (message) => String(of(message)) };
}

function clientColumn({ client, from }: Layout): readonly ShownColumn[] {
  if (client === "none") return [];
  if (client === "port") return [{ least: 6, most: 6, text: ({ conversation }) => `:${conversation.client.port}` }];
  const least = "255.255.255.255:65535".length;
  const most = from === UNLIMITED ? UNLIMITED : least;
  return [{ least, most, keepsEnd: true, text: ({ conversation }) => endpointText(conversation.client) }];
}

/**
 * When a message was complete: the time of day (UTC), unless the user wants something else.
 *
 * @param timeEnd where it ends in ISO 8601
 */
export function timeColumn({ times, colors }: SummaryStyle, timeEnd: number): ShownColumn {
  const common = { most: UNLIMITED, isNumber: true, paint: () => colors.faint };
  if (times !== undefined) {
    return { ...common, least: times.format === "absolute" ? 27 : 12, text: ({ origin }) => times.text(origin) };
  }
  const dateEnd = "2026-11-20T".length;
  const text = ({ origin }: Message) => {
    const whole = absoluteTime(origin);
    // A time that no calendar has is a number of seconds.
    return whole.startsWith("@") ? whole : whole.slice(dateEnd, timeEnd);
  };
  return { ...common, least: timeEnd - dateEnd, text };
}

/** What a message says; on a terminal, what went wrong comes first. */
export function contentsColumn(style: SummaryStyle, isFull: boolean): ShownColumn {
  const { colors, requests } = style;
  return {
    least: 0,
    most: UNLIMITED,
    text: (message, room) => {
      const mark = statusMark(message, colorless, reasonOf(message));
      const contents = (requests && failureOf(message, requests, room)) ?? contentsOf(message, isFull);
      return joined(requests === undefined ? [contents, mark] : [mark, contents], " ");
    },
    paint: (message) => toned(message, colors, (text) => text),
  };
}

/** The name of a message, and what it says, as in Wireshark's column of this name. */
export function infoColumn(style: SummaryStyle, isFull: boolean): ShownColumn {
  const contents = contentsColumn(style, isFull);
  return {
    ...contents,
    text: (message, room) => {
      const name = printable(message.name);
      return joined([name, contents.text(message, room - widthOf(name) - 1)], " ");
    },
  };
}

function joined(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== "").join(between);
}

/** What a message says; where there is little room, without what takes much of it and says little. */
function contentsOf(message: Message, isFull: boolean): string {
  const text = summaryText(message);
  if (isFull) return text;
  const outer = OUTER_CLASSES.exec(text)?.[0] ?? "";
  const isOuter = outer !== "" && classesOf(message).has(outer.slice(0, outer.indexOf(" ")));
  return (isOuter ? text.slice(outer.length) : text).replace(SUCCESS, "ok");
}

function classesOf({ nodes }: Message): ReadonlySet<string> {
  const classes = new Set<string>();
  nodes?.forEachClass((name) => classes.add(name));
  return classes;
}

/** What a failed reply was asked for, and why it failed; undefined if it did not. */
function failureOf(message: Message, requests: OpenRequests, room: number): string | undefined {
  const { nodes } = message;
  const { error } = nodes?.context ?? {};
  if (nodes === undefined || error === undefined) return undefined;
  const asked = requests.answeredBy(message)?.asked ?? NOTHING;
  const reason = reasonIn(error, asked);
  if (asked.text === "") return joined([reason, summaryText(message)], ": ");
  // The reason is what people look for.
  const left = room - widthOf(reason) - 2;
  if (left < LEAST_ASKED) return reason;
  const thing = cutEnd(asked.text, left).text;
  const place = nodes.annotation(0);
  const more = place === undefined ? [] : [`(${printable(place)})`];
  let text = `${thing}: ${reason}`;
  for (const part of [...more, printable(error)]) if (widthOf(text) + 1 + widthOf(part) <= room) text += ` ${part}`;
  return text;
}

/** The colour of what went wrong, if anything did. */
function toned(message: Message, { severity }: Palette, usual: (text: string) => string): (text: string) => string {
  const trouble = troubleOf(message);
  return trouble === undefined ? usual : severity(trouble);
}

function troubleOf({ nodes, status }: Message): Severity | undefined {
  if (status === "malformed" || nodes?.context?.error !== undefined) return "error";
  return status === "ok" ? undefined : "warning";
}

/** "auth" for "moul.auth", where the game is the same on every line; "bzflag" for "bzflag.107e", a version. */
function shortProtocol(protocol: string): string {
  const name = protocol.slice(protocol.lastIndexOf(".") + 1);
  return /^\d/.test(name) ? protocol.slice(0, -name.length - 1) : name;
}

/** The name without who sends it to whom ("Cli2Auth_"), which other columns say. */
function shortName(name: string): string {
  return name.replace(/^[A-Z][A-Za-z]*2[A-Z][A-Za-z]*_(?=.)/, "");
}
