import type { TimelineView } from "../../session-api.js";
import { themeColor } from "../theme.js";
import { SLOW, type Span, VERY_SLOW } from "./timeline-cells.js";

export const LANE_HEIGHT = 22;
export const AXIS_HEIGHT = 24;
/** The axis, and all conversations together. */
export const HEAD_HEIGHT = AXIS_HEIGHT + LANE_HEIGHT;
/** The bar of a busy column has this height at most, in pixels; above it there is room for the sign of what is wrong. */
const BAR = LANE_HEIGHT - 11;
/** Half the width of a sign. */
const SIGN = 3.5;

/** As in `TimelineView.worst`. */
const FAILED = 2;
const ODD = 3;
const MISSING = 4;

/** What is marked in the time line. */
interface Marks {
  readonly drag: Span | undefined;
  /** When the selected message came, in seconds. */
  readonly selected: number | undefined;
}

/** Draws all conversations together, then each as a lane. */
export function draw(canvas: HTMLCanvasElement, data: TimelineView, width: number, marks: Marks): void {
  const { lanes, from, to } = data;
  const { drag, selected } = marks;
  const scale = window.devicePixelRatio;
  const height = AXIS_HEIGHT + LANE_HEIGHT * (lanes.length + 1);
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  const xOf = (seconds: number) => ((seconds - from) / Math.max(to - from, 1e-9)) * width;
  drawAxis(context, data, xOf, height);
  drawRow(context, data, 0, { begin: 0, end: width });
  for (const [row, { hue, first, last }] of lanes.entries()) {
    drawRow(context, data, row + 1, { hue, begin: xOf(first), end: xOf(last) });
  }
  context.fillStyle = themeColor("--line");
  context.fillRect(0, HEAD_HEIGHT, width, 1);
  if (selected !== undefined && selected >= from && selected <= to) drawSelected(context, xOf(selected), height);
  if (drag === undefined) return;
  context.fillStyle = themeColor("--brush");
  const [left, right] = [xOf(drag.from), xOf(drag.to)];
  context.fillRect(Math.min(left, right), 0, Math.abs(right - left), height);
}

/** Draws the head of the time line once more, which stays in sight while lanes are scrolled. */
export function drawHead(head: HTMLCanvasElement, all: HTMLCanvasElement): void {
  head.width = all.width;
  head.height = Math.min(all.height, HEAD_HEIGHT * window.devicePixelRatio);
  head.getContext("2d")?.drawImage(all, 0, 0);
}

/** A line through all lanes, with a flag that is seen where bars hide it. */
function drawSelected(context: CanvasRenderingContext2D, x: number, height: number): void {
  context.fillStyle = themeColor("--text");
  context.fillRect(x - 0.5, AXIS_HEIGHT - 6, 1, height);
  context.fillRect(x - 3, AXIS_HEIGHT - 6, 6, 4);
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { from, to }: TimelineView,
  xOf: (seconds: number) => number,
  height: number,
): void {
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = themeColor("--faint");
  context.strokeStyle = themeColor("--line");
  for (const seconds of ticks(from, to)) {
    const x = xOf(seconds);
    context.beginPath();
    context.moveTo(x, AXIS_HEIGHT - 6);
    context.lineTo(x, height);
    context.stroke();
    context.fillText(`${Number(seconds.toPrecision(9))} s`, x + 3, AXIS_HEIGHT - 8);
  }
}

interface Look {
  /** Number of the colour of all bars; if it is not given, each bar has those of its protocols. */
  readonly hue?: number;
  readonly begin: number;
  readonly end: number;
}

function drawRow(context: CanvasRenderingContext2D, data: TimelineView, row: number, look: Look): void {
  const { columns, counts, worst, waits, from, to } = data;
  const base = AXIS_HEIGHT + (row + 1) * LANE_HEIGHT - 4;
  const columnWidth = context.canvas.width / window.devicePixelRatio / columns;
  const cells = row * columns;
  const most = counts.subarray(0, columns).reduce((one, other) => Math.max(one, other), 1);
  context.fillStyle = themeColor("--line");
  context.fillRect(look.begin, base, Math.max(1, look.end - look.begin), 1);
  for (let column = 0; column < columns; column++) {
    const count = counts[cells + column] ?? 0;
    if (count === 0) continue;
    // By its logarithm, so that single messages are seen beside a download.
    const bar = 3 + (BAR - 3) * (Math.log1p(count) / Math.log1p(most));
    let top = base;
    for (const { hue, share } of look.hue === undefined ? sharesOf(data, column) : [{ hue: look.hue, share: 1 }]) {
      context.fillStyle = themeColor(`--hue-${hue}`);
      context.fillRect(column * columnWidth, top - share * bar, Math.max(1.5, columnWidth - 0.5), share * bar);
      top -= share * bar;
    }
  }
  // What is wrong comes last, the worst on top, and as wide as can be seen from far.
  for (const wanted of [SLOW, VERY_SLOW]) {
    context.fillStyle = themeColor(wanted === SLOW ? "--slow" : "--very-slow");
    for (let column = 0; column < columns; column++) {
      const wait = waits[cells + column] ?? 0;
      if (wait < wanted) continue;
      const length = Math.max(4, (wait / 1000 / Math.max(to - from, 1e-9)) * columnWidth * columns);
      const end = (column + 1) * columnWidth;
      const begin = Math.max(0, end - length);
      context.fillRect(begin, base + 1, end - begin, 3);
    }
  }
  for (const wanted of [FAILED, ODD, MISSING]) {
    for (let column = 0; column < columns; column++) {
      if (worst[cells + column] !== wanted) continue;
      drawSign(context, wanted, (column + 0.5) * columnWidth, base);
    }
  }
}

/** Which part of the messages of a column is of which colour. */
function sharesOf({ kinds, counts, columns }: TimelineView, column: number) {
  const hues = kinds.length / columns;
  return Array.from({ length: hues }, (_, hue) => {
    return { hue, share: (kinds[column * hues + hue] ?? 0) / Math.max(1, counts[column] ?? 0) };
  }).filter(({ share }) => share > 0);
}

/** What is wrong, by shape and colour, above the bar. */
function drawSign(context: CanvasRenderingContext2D, worst: number, x: number, base: number): void {
  const y = base - BAR - SIGN;
  if (worst === MISSING) {
    context.fillStyle = themeColor("--missing");
    context.fillRect(x - 1, y - SIGN, 2, base - y + SIGN);
    context.fillRect(x - SIGN, y - SIGN, 2 * SIGN, 2);
    context.fillRect(x - SIGN, base - 2, 2 * SIGN, 2);
    return;
  }
  context.fillStyle = themeColor(worst === ODD ? "--odd" : "--failed");
  context.beginPath();
  context.moveTo(x - SIGN, worst === ODD ? y : y - SIGN);
  context.lineTo(x, worst === ODD ? y - SIGN : y + SIGN);
  context.lineTo(x + SIGN, worst === ODD ? y : y - SIGN);
  if (worst === ODD) context.lineTo(x, y + SIGN);
  context.fill();
}

/** Round times between two others: about eight. */
function ticks(from: number, to: number): number[] {
  const rough = Math.max(to - from, 1e-6) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const found: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at);
  return found;
}
