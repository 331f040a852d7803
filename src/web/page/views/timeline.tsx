import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Lane, TimelineView as TimelineData } from "../../session-api.js";
import { api, applyFilter, goTo } from "../session.js";
import * as state from "../state.js";
import { themeColor } from "../theme.js";

const LANE_HEIGHT = 22;
const AXIS_HEIGHT = 24;
const TITLE_WIDTH = 300;
/** The bar of a busy column has this height at most, in pixels. */
const BAR = LANE_HEIGHT - 6;
/** How much a turn of the wheel zooms. */
const ZOOM = 1.25;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Conversations as lanes over time: how much happens, and what is wrong. Drag to zoom, click to go to a message. */
export function TimelineView(): VNode {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [span, setSpan] = useState<Span | undefined>(undefined);
  const [data, setData] = useState<TimelineData | undefined>(undefined);
  const [drag, setDrag] = useState<Span | undefined>(undefined);
  const [width, setWidth] = useState(800);
  const version = state.progress.value?.messages ?? 0;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(100, element.clientWidth - TITLE_WIDTH)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    let isCurrent = true;
    void api()
      .timeline(Math.max(1, Math.floor(width / 3)), span?.from, span?.to)
      .then((answer) => {
        if (isCurrent) setData(answer);
      });
    return () => {
      isCurrent = false;
    };
  }, [span, width, version]);
  useEffect(() => {
    if (canvas.current !== null && data !== undefined) draw(canvas.current, data, width, drag);
  }, [data, width, drag]);
  const secondsAt = (event: MouseEvent) => {
    const { left = 0 } = canvas.current?.getBoundingClientRect() ?? {};
    const fraction = Math.max(0, Math.min(1, (event.clientX - left) / width));
    return (data?.from ?? 0) + fraction * ((data?.to ?? 1) - (data?.from ?? 0));
  };
  const zoom = (factor: number, around: number) => {
    if (data === undefined) return;
    const [from, to] = [around - (around - data.from) * factor, around + (data.to - around) * factor];
    setSpan({ from: Math.max(0, from), to });
  };
  const onPointerUp = (event: PointerEvent) => {
    if (drag === undefined || data === undefined) return;
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    setDrag(undefined);
    if ((to - from) / (data.to - data.from) > 0.005) setSpan({ from, to });
    else {
      const { top = 0 } = canvas.current?.getBoundingClientRect() ?? {};
      const number = messageNear(data, Math.floor((event.clientY - top - AXIS_HEIGHT) / LANE_HEIGHT), from);
      if (number !== undefined) void goTo(number);
    }
  };
  const middle = data === undefined ? 0 : (data.from + data.to) / 2;
  return (
    <section class="timeline" aria-label="Time line">
      <div class="view-tools">
        <button type="button" onClick={() => zoom(1 / ZOOM, middle)}>
          Zoom in
        </button>
        <button type="button" onClick={() => zoom(ZOOM, middle)}>
          Zoom out
        </button>
        <button type="button" disabled={span === undefined} onClick={() => setSpan(undefined)}>
          All
        </button>
        <button
          type="button"
          disabled={span === undefined || data === undefined}
          onClick={() => void filterByTime(data)}
        >
          List only this time
        </button>
        <Legend />
      </div>
      <div class="scroller" ref={box}>
        <div class="lanes" style={{ gridTemplateColumns: `${TITLE_WIDTH}px 1fr` }}>
          <div class="lane-titles" style={{ paddingTop: `${AXIS_HEIGHT}px` }}>
            {data?.lanes.map((lane) => (
              <LaneTitle key={lane.stream} lane={lane} />
            ))}
          </div>
          <canvas
            ref={canvas}
            aria-label={`${data?.lanes.length ?? 0} conversations over time`}
            role="img"
            style={{ width: `${width}px`, height: `${AXIS_HEIGHT + LANE_HEIGHT * (data?.lanes.length ?? 0)}px` }}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ from: secondsAt(event), to: secondsAt(event) });
            }}
            onPointerMove={(event) => {
              if (drag !== undefined) setDrag({ from: drag.from, to: secondsAt(event) });
            }}
            onPointerUp={onPointerUp}
            onWheel={(event) => {
              if (!event.ctrlKey && !event.altKey) return;
              event.preventDefault();
              zoom(event.deltaY < 0 ? 1 / ZOOM : ZOOM, secondsAt(event));
            }}
          />
        </div>
      </div>
    </section>
  );
}

function LaneTitle({ lane }: { readonly lane: Lane }): VNode {
  const { stream, protocol, hue, player, title, messages, missing } = lane;
  return (
    <button
      type="button"
      class="lane-title"
      style={{ height: `${LANE_HEIGHT}px` }}
      title={`${title}: ${messages} messages${missing > 0 ? `, ${missing} bytes missing` : ""}. Click to list only these.`}
      onClick={() => {
        state.view.value = "messages";
        void applyFilter(`stream == ${stream}`);
      }}
    >
      <span class="stream">{stream}</span> <span class={`hue-${hue}`}>{protocol}</span>{" "}
      {player === "" ? <span class="faint">{title}</span> : <strong>{player}</strong>}
      {missing > 0 && <span class="mark"> {missing} bytes missing</span>}
    </button>
  );
}

function Legend(): VNode {
  return (
    <span class="legend">
      <span class="key ok" /> messages <span class="key failed" /> failed requests <span class="key odd" /> malformed,
      unknown, encrypted <span class="key missing" /> missing bytes
    </span>
  );
}

/** Lists only the messages between two times. */
async function filterByTime(data: TimelineData | undefined): Promise<void> {
  if (data === undefined) return;
  const [from, to] = await Promise.all([api().timeAt(data.from), api().timeAt(data.to)]);
  if (from === undefined || to === undefined) return;
  state.view.value = "messages";
  await applyFilter(`time >= ${from} and time <= ${to}`);
}

function messageNear(
  { lanes, columns, firsts, from, to }: TimelineData,
  row: number,
  seconds: number,
): number | undefined {
  if (row < 0 || row >= lanes.length) return undefined;
  const at = Math.floor(((seconds - from) / (to - from)) * columns);
  for (let distance = 0; distance < columns; distance++) {
    for (const column of [at - distance, at + distance]) {
      const number = column < 0 || column >= columns ? 0 : (firsts[row * columns + column] ?? 0);
      if (number > 0) return number;
    }
  }
  return undefined;
}

function draw(canvas: HTMLCanvasElement, data: TimelineData, width: number, drag: Span | undefined): void {
  const { lanes, columns, counts, worst, from, to } = data;
  const scale = window.devicePixelRatio;
  const height = AXIS_HEIGHT + LANE_HEIGHT * lanes.length;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  const columnWidth = width / columns;
  const most = counts.reduce((one, other) => Math.max(one, other), 1);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = themeColor("--faint");
  context.strokeStyle = themeColor("--line");
  for (const seconds of ticks(from, to)) {
    const x = ((seconds - from) / (to - from)) * width;
    context.beginPath();
    context.moveTo(x, AXIS_HEIGHT - 6);
    context.lineTo(x, height);
    context.stroke();
    context.fillText(`${Number(seconds.toPrecision(9))} s`, x + 3, AXIS_HEIGHT - 8);
  }
  const kinds = ["", "", themeColor("--failed"), themeColor("--odd"), themeColor("--missing")];
  for (const [row, lane] of lanes.entries()) {
    const base = AXIS_HEIGHT + (row + 1) * LANE_HEIGHT - 3;
    const own = themeColor(`--hue-${lane.hue}`);
    context.fillStyle = themeColor("--line");
    const [begin, end] = [lane.first, lane.last].map((seconds) => ((seconds - from) / (to - from)) * width);
    context.fillRect(begin ?? 0, base, Math.max(1, (end ?? 0) - (begin ?? 0)), 1);
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column;
      const count = counts[cell] ?? 0;
      if (count === 0) continue;
      // By its logarithm, so that single messages are seen beside a download.
      const bar = 3 + (BAR - 3) * (Math.log1p(count) / Math.log1p(most));
      context.fillStyle = kinds[worst[cell] ?? 0] || own;
      context.fillRect(column * columnWidth, base - bar, Math.max(1.5, columnWidth - 0.5), bar);
    }
  }
  if (drag === undefined) return;
  context.fillStyle = themeColor("--brush");
  const [left, right] = [drag.from, drag.to].map((seconds) => ((seconds - from) / (to - from)) * width);
  context.fillRect(Math.min(left ?? 0, right ?? 0), 0, Math.abs((right ?? 0) - (left ?? 0)), height);
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
