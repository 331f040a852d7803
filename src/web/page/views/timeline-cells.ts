import type { Lane, TimelineView } from "../../session-api.js";

/** Milliseconds from which on somebody notices a wait, and from which on it annoys. */
export const SLOW = 100;
export const VERY_SLOW = 1000;

/** A part of the time line, in seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A cell of the time line: a row (0 is that of all conversations), and a moment in it. */
export interface Place {
  readonly row: number;
  /** Since the first message: what a cell is changes with the part that is shown. */
  readonly seconds: number;
}

/** Rows that Page Up and Page Down pass. */
const PAGE = 10;

/** The column of a place: the nearest one in which something happens, if anything does. */
export function columnOf(data: TimelineView, { row, seconds }: Place): number {
  const { from, to, columns } = data;
  const at = Math.max(0, Math.min(columns - 1, Math.floor(((seconds - from) / Math.max(to - from, 1e-9)) * columns)));
  for (let distance = 0; distance < columns; distance++) {
    if (isBusy(data, row, at - distance)) return at - distance;
    if (isBusy(data, row, at + distance)) return at + distance;
  }
  return at;
}

/** Where a key leads from a place; undefined if it is none of the keys that do. */
export function moved(data: TimelineView, place: Place, key: string, isControl: boolean): Place | undefined {
  const last = data.lanes.length;
  const toRow = (row: number): Place => ({ row: Math.max(0, Math.min(last, row)), seconds: place.seconds });
  switch (key) {
    case "ArrowRight":
      return along(data, place, 1);
    case "ArrowLeft":
      return along(data, place, -1);
    case "ArrowDown":
      return toRow(place.row + 1);
    case "ArrowUp":
      return toRow(place.row - 1);
    case "PageDown":
      return toRow(place.row + PAGE);
    case "PageUp":
      return toRow(place.row - PAGE);
    case "Home":
      return isControl ? toRow(0) : { row: place.row, seconds: data.from };
    case "End":
      return isControl ? toRow(last) : { row: place.row, seconds: data.to };
    default:
      return undefined;
  }
}

/** The next cell in a direction in which something happens; the same one if there is none. */
function along(data: TimelineView, place: Place, step: 1 | -1): Place {
  for (let column = columnOf(data, place) + step; column >= 0 && column < data.columns; column += step) {
    if (!isBusy(data, place.row, column)) continue;
    const { from, to } = spanOf(data, column);
    return { row: place.row, seconds: (from + to) / 2 };
  }
  return place;
}

function isBusy({ counts, columns }: TimelineView, row: number, column: number): boolean {
  return column >= 0 && column < columns && (counts[row * columns + column] ?? 0) > 0;
}

/** The time that a column stands for. */
export function spanOf({ from, to, columns }: TimelineView, column: number): Span {
  const width = (to - from) / columns;
  return { from: from + column * width, to: from + (column + 1) * width };
}

/** Of several messages, the first of the worst is gone to; undefined if there is none. */
export function messageIn(
  { firsts, worst, worstFirsts, columns }: TimelineView,
  row: number,
  column: number,
): number | undefined {
  const cell = row * columns + column;
  const number = ((worst[cell] ?? 0) > 1 ? worstFirsts : firsts)[cell] ?? 0;
  return number === 0 ? undefined : number;
}

/** As in `TimelineView.worst`. */
const WORST = ["", "", "a failed request", "malformed, unknown or encrypted", "missing bytes"];

/** What there is to see in a cell, in words. */
export function cellText(data: TimelineView, row: number, column: number): string {
  const cell = row * data.columns + column;
  const count = data.counts[cell] ?? 0;
  const wait = data.waits[cell] ?? 0;
  const { from } = spanOf(data, column);
  return [
    laneText(data.lanes[row - 1]),
    `${from.toFixed(3)} s`,
    count === 1 ? "1 message" : `${count} messages`,
    WORST[data.worst[cell] ?? 0] ?? "",
    wait >= SLOW ? `a reply after ${secondsText(wait)}` : "",
  ]
    .filter((text) => text !== "")
    .join(", ");
}

function laneText(lane: Lane | undefined): string {
  if (lane === undefined) return "All conversations";
  const { stream, protocol, player } = lane;
  return `Stream ${stream} ${protocol}${player === "" ? "" : ` ${player}`}`;
}

export function secondsText(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toPrecision(2))} s`;
}
