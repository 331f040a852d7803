import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Lane, TimelineView as TimelineData } from "../../session-api.js";
import { api, applyFilter, goTo } from "../session.js";
import * as state from "../state.js";
import { useTheme } from "../theme.js";
import { useAnswer } from "../use-answer.js";
import { columnOf, messageIn, type Span, spanOf } from "./timeline-cells.js";
import { AXIS_HEIGHT, draw, drawHead, HEAD_HEIGHT, LANE_HEIGHT } from "./timeline-drawing.js";
import { TimelineGrid } from "./timeline-grid.js";
import { descriptionOf, LaneTitles, Legend } from "./timeline-lanes.js";

const TITLE_WIDTH = 300;
/** How much a turn of the wheel zooms. */
const ZOOM = 1.25;

/** Conversations as lanes over time: how much happens, and what is wrong. Drag to zoom, click to go to a message. */
export function TimelineView(): VNode {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const head = useRef<HTMLCanvasElement>(null);
  const [span, setSpan] = useState<Span | undefined>(undefined);
  const [drag, setDrag] = useState<Span | undefined>(undefined);
  const width = useWidthOfLanes(box);
  const columns = Math.max(1, Math.floor(width / 3));
  const data = useAnswer(() => api().timeline(columns, span?.from, span?.to), [span, width]);
  const selected = state.detail.value?.row.seconds;
  const isDark = useTheme();
  useEffect(() => {
    if (canvas.current === null || data === undefined) return;
    draw(canvas.current, data, width, { drag, selected });
    if (head.current !== null) drawHead(head.current, canvas.current);
  }, [data, width, drag, selected, isDark]);
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
      <Tools
        isZoomed={span !== undefined}
        onZoom={(factor) => zoom(factor, middle)}
        onAll={() => setSpan(undefined)}
        onList={() => {
          if (data !== undefined) void listOnly(undefined, data);
        }}
      />
      <div class="scroller" ref={box}>
        <div class="lanes" style={{ gridTemplateColumns: `${TITLE_WIDTH}px 1fr` }}>
          <LaneTitles data={data} />
          <div class="lane-cells">
            <canvas
              ref={head}
              class="lane-head"
              role="img"
              aria-label="Axis of time"
              style={{ width: `${width}px`, height: `${HEAD_HEIGHT}px`, marginBottom: `-${HEAD_HEIGHT}px` }}
            />
            <canvas
              ref={canvas}
              aria-label={descriptionOf(data?.lanes ?? [])}
              role="img"
              style={{
                width: `${width}px`,
                height: `${AXIS_HEIGHT + LANE_HEIGHT * (1 + (data?.lanes.length ?? 0))}px`,
              }}
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
            {data !== undefined && (
              <TimelineGrid
                data={data}
                width={width}
                onList={(row, column) => void listOnly(data.lanes[row - 1], widened(spanOf(data, column)))}
                onGo={(row, column) => {
                  const number = messageIn(data, row, column);
                  if (number !== undefined) void goTo(number);
                }}
                onZoom={(isCloser, seconds) => zoom(isCloser ? 1 / ZOOM : ZOOM, seconds)}
              />
            )}
          </div>
        </div>
      </div>
    </section>
  );
}

/** The width of the lanes beside their titles in a box, in pixels. */
function useWidthOfLanes(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(100, element.clientWidth - TITLE_WIDTH)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

interface ToolsProps {
  readonly isZoomed: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onAll: () => void;
  readonly onList: () => void;
}

function Tools({ isZoomed, onZoom, onAll, onList }: ToolsProps): VNode {
  return (
    <div class="view-tools">
      <button type="button" onClick={() => onZoom(1 / ZOOM)}>
        Zoom in
      </button>
      <button type="button" onClick={() => onZoom(ZOOM)}>
        Zoom out
      </button>
      <button type="button" disabled={!isZoomed} onClick={onAll}>
        All
      </button>
      <button type="button" disabled={!isZoomed} onClick={onList}>
        List only this time
      </button>
      <Legend />
    </div>
  );
}

/** Lists only the messages between two times, of all conversations or of one. */
async function listOnly(lane: Lane | undefined, span: Span): Promise<void> {
  const [from, to] = await Promise.all([api().timeAt(span.from), api().timeAt(span.to)]);
  if (from === undefined || to === undefined) return;
  state.view.value = "messages";
  const during = `time >= ${from} and time <= ${to}`;
  await applyFilter(lane === undefined ? during : `stream == ${lane.stream} and ${during}`);
}

/** The time in which the messages of a cell may have come: which cell they are in is found out by milliseconds. */
function widened({ from, to }: Span): Span {
  return { from: from - 0.0005, to: to + 0.0005 };
}

/** The message that is nearest. @param row 0 for all lanes */
function messageNear(data: TimelineData, row: number, seconds: number): number | undefined {
  if (row < 0 || row > data.lanes.length) return undefined;
  return messageIn(data, row, columnOf(data, { row, seconds }));
}
