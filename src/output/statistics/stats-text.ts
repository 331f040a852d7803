import { counted } from "../../common/counted.js";
import {
  byCount,
  byName,
  type Count,
  type ErrorCount,
  type Latency,
  OTHERS,
  type PartyCount,
  type Trouble,
  troubles,
  type UnansweredCount,
} from "../../stats/index.js";
import type { Column } from "../tables/fitted-columns.js";
import { plainTable } from "../tables/plain-table.js";
import type { Palette } from "../text/palette.js";
import { printable } from "../writers/sanitise.js";
import { absoluteTime } from "../writers/time.js";
import { bar, sparkline } from "./bars.js";
import { duration, hierarchy, type Layer, perSecond, type StatsReport } from "./stats-report.js";

const BAR_COLUMNS = 12;

/** A row for messages of one name in one protocol. */
interface OfProtocol {
  readonly protocol: string;
  readonly name: string;
}

const PROTOCOL: Column<Pick<OfProtocol, "protocol">> = {
  title: "protocol",
  isOptional: true,
  cell: ({ protocol }) => protocol,
};
const COUNT: Column<Pick<Count, "count">> = { title: "count", isNumber: true, cell: ({ count }) => String(count) };
const BYTES: Column<Pick<Count, "bytes">> = { title: "bytes", isNumber: true, cell: ({ bytes }) => String(bytes) };

/**
 * The statistics as tables for people. Empty tables are left out.
 *
 * @param width of the terminal in columns
 */
export function statsText(report: StatsReport, { heading, faint }: Palette, width: number): string {
  const { statistics, isFiltered, isComplete } = report;
  const { messages } = statistics;
  const seconds = duration(report);
  const section = <Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]) =>
    rows.length === 0 ? "" : `\n${heading(title)}\n${plainTable(rows, columns, faint, width)}`;
  const byProtocol = <Row extends OfProtocol>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]) =>
    section(title, rows, isAmbiguous(rows) ? [PROTOCOL, ...columns] : columns);
  const types = statistics.types.sort(byCount);
  const classes = statistics.classes.sort(byCount);
  const { unaccepted } = report.packets;
  const trouble = [
    ...troubles.map((name) => ({ title: TROUBLE_TITLES[name], count: 0, bytes: 0, ...statistics.troubles.get(name) })),
    { title: "conversations with data not accepted", count: unaccepted.streams.size, bytes: unaccepted.bytes },
  ].filter(({ count }) => count > 0);
  const layers = hierarchy(report);
  return [
    overview(report, width),
    isComplete ? "" : "Stopped before the end of the input: this covers what was read until then.\n",
    section("Protocols", layers, LAYER_COLUMNS),
    section(`Messages: ${messages.count}, ${counted(messages.bytes, "byte")}`, types, [
      PROTOCOL,
      { title: "message", cell: ({ name }) => name },
      ...countColumns(types, seconds),
    ]),
    section("Classes, each including those inside it", classes, [
      { title: "class", cell: ({ name }) => name },
      ...countColumns(classes, seconds),
    ]),
    section("Players", statistics.players, partyColumns(statistics.players)),
    section("Ages", statistics.ages, partyColumns(statistics.ages)),
    byProtocol("From request to reply, in milliseconds", statistics.latencies.sort(byName), latencyColumns("request")),
    byProtocol("Ping round trips, in milliseconds", statistics.pings.sort(byName), latencyColumns("ping")),
    byProtocol(unansweredTitle(statistics), isFiltered ? [] : statistics.unanswered.sort(byCount), UNANSWERED_COLUMNS),
    byProtocol("Errors", statistics.errors.sort(byCount), ERROR_COLUMNS),
    trouble.length > 0
      ? section("Trouble", trouble, TROUBLE_COLUMNS)
      : `\n${heading("Trouble")}\n${noTrouble(report, layers)}\n`,
  ].join("");
}

/** Replies may be among the bytes that nobody could read. */
function unansweredTitle({ troubles }: StatsReport["statistics"]): string {
  const isUnread = (["gap", "skipped", "encrypted"] as const).some((trouble) => troubles.get(trouble)?.count);
  return `Requests without a reply${isUnread ? " (some may have one in bytes that are missing or unreadable)" : ""}`;
}

function noTrouble({ statistics, isFiltered }: StatsReport, layers: readonly Layer[]): string {
  if (layers.some(({ missing = 0 }) => missing > 0)) {
    return "none in messages; the missing bytes are in conversations whose protocol is not known";
  }
  return statistics.messages.count > 0
    ? "none: no gaps, and nothing that could not be decrypted or dissected"
    : `none in messages: there is none ${isFiltered ? "that matches the filter" : "of a known protocol"}`;
}

function overview(report: StatsReport, width: number): string {
  const { statistics, packets } = report;
  const { first, timeline, messages } = statistics;
  if (first === undefined) return `No messages in ${counted(packets.packets, "packet")}\n`;
  const seconds = duration(report);
  const rate = perSecond(messages.count, seconds);
  const facts = [
    absoluteTime(first),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(6)} seconds`]),
    ...(rate === undefined ? [] : [`${shortNumber(rate)} messages per second`]),
  ];
  const line = `${facts.join(", ")}\n`;
  if (timeline.columns.length < 2) return line;
  const unit = `messages per column of ${timeline.width} s`;
  const space = timeline.columns.length + 1 + unit.length > width ? "\n" : " ";
  return `${line}${sparkline(timeline.columns)}${space}${unit}\n`;
}

const LAYER_COLUMNS: readonly Column<Layer>[] = [
  { title: "protocol", cell: ({ depth, name }) => "  ".repeat(depth) + name },
  { title: "packets", isNumber: true, cell: ({ packets }) => optional(packets) },
  { title: "conversations", isNumber: true, cell: ({ conversations }) => optional(conversations) },
  { title: "bytes", isNumber: true, cell: ({ bytes }) => optional(bytes) },
  { title: "missing", isNumber: true, cell: ({ missing }) => optional(missing) },
  { title: "messages", isNumber: true, cell: ({ messages }) => optional(messages) },
];

/** Whether messages of several protocols have the same name, as those of versions of one protocol do. */
function isAmbiguous(rows: readonly OfProtocol[]): boolean {
  const protocols = new Map(rows.map(({ name, protocol }) => [name, protocol]));
  return rows.some(({ name, protocol }) => protocols.get(name) !== protocol);
}

function countColumns(rows: readonly Count[], seconds: number | undefined): readonly Column<Count>[] {
  const most = rows.reduce((highest, { bytes }) => Math.max(highest, bytes), 0);
  return [
    COUNT,
    BYTES,
    {
      title: "per second",
      isNumber: true,
      isOptional: true,
      cell: ({ count }) => shortNumber(perSecond(count, seconds)),
    },
    { title: "share of bytes", isOptional: true, cell: ({ bytes }) => bar(bytes / most, BAR_COLUMNS) },
  ];
}

function partyColumns(parties: readonly PartyCount[]): readonly Column<PartyCount>[] {
  const kinds = new Set(parties.map(kindText));
  const ids = new Set(parties.map((party) => `${kindText(party)} ${party.id}`));
  const individual = parties.filter(({ dissector }) => dissector !== OTHERS);
  const [title = "", ...otherTitles] = new Set(individual.map(({ idTitle }) => idTitle));
  return [
    ...(kinds.size > 1 ? [{ title: "kind", cell: kindText }] : []),
    ...(ids.size < parties.length ? [{ title: "scope", cell: ({ scope }: PartyCount) => printable(scope) }] : []),
    { title: title === "" || otherTitles.length > 0 ? "id" : printable(title), isNumber: true, cell: ({ id }) => id },
    { title: "name", cell: ({ name }) => name },
    { title: "messages c2s", isNumber: true, cell: ({ c2s }) => String(c2s.count) },
    { title: "s2c", isNumber: true, belongsToPrevious: true, cell: ({ s2c }) => String(s2c.count) },
    { title: "bytes c2s", isNumber: true, cell: ({ c2s }) => String(c2s.bytes) },
    { title: "s2c", isNumber: true, belongsToPrevious: true, cell: ({ s2c }) => String(s2c.bytes) },
  ];
}

function kindText({ dissector, kind }: PartyCount): string {
  return `${dissector} ${kind}`;
}

function latencyColumns(title: string): readonly Column<Latency>[] {
  return [
    { title, cell: ({ name }) => name },
    { title: "count", isNumber: true, cell: ({ times }) => String(times.count) },
    { title: "min", isNumber: true, cell: ({ times }) => times.min.toFixed(3) },
    { title: "median", isNumber: true, cell: ({ times }) => times.at(0.5).toFixed(3) },
    { title: "95 %", isNumber: true, cell: ({ times }) => times.at(0.95).toFixed(3) },
    { title: "max", isNumber: true, cell: ({ times }) => times.max.toFixed(3) },
  ];
}

const UNANSWERED_COLUMNS: readonly Column<UnansweredCount>[] = [
  { title: "request", cell: ({ name }) => name },
  COUNT,
  {
    title: "message",
    cell: ({ count, numbers }) =>
      numbers.map((number) => `#${number}`).join(" ") + (count > numbers.length ? " ..." : ""),
  },
];

const ERROR_COLUMNS: readonly Column<ErrorCount>[] = [
  { title: "error", cell: ({ error }) => error },
  { title: "message", cell: ({ name }) => name },
  COUNT,
];

const TROUBLE_TITLES: Readonly<Record<Trouble, string>> = {
  gap: "gaps",
  skipped: "ranges skipped",
  encrypted: "ranges not decrypted",
  truncated: "messages cut short",
  malformed: "malformed messages",
  unknown: "messages with unknown parts",
  undissected: "undissected parts of messages",
};

const TROUBLE_COLUMNS: readonly Column<Count & { readonly title: string }>[] = [
  { title: "what", cell: ({ title }) => title },
  COUNT,
  BYTES,
];

function optional(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

/** A number with three significant digits or all digits before the point, never as a power of ten. */
function shortNumber(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}
