import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TimelineView } from "../../session-api.js";
import { cellText, columnOf, moved, type Place } from "./timeline-cells.js";
import { AXIS_HEIGHT, LANE_HEIGHT } from "./timeline-drawing.js";

interface GridProps {
  readonly data: TimelineView;
  /** Of all cells of a row, in pixels. */
  readonly width: number;
  readonly onList: (row: number, column: number) => void;
  readonly onGo: (row: number, column: number) => void;
  readonly onZoom: (isCloser: boolean, seconds: number) => void;
}

/** Width of the words beside a cell at most, in pixels. */
const WORDS = 260;

/** The cells of the time line for those who use keys: one of them is the current one, and says what is in it. */
export function TimelineGrid({ data, width, onList, onGo, onZoom }: GridProps): VNode {
  const [place, setPlace] = useState<Place>({ row: 0, seconds: 0 });
  const cell = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const row = Math.min(place.row, data.lanes.length);
  const column = columnOf(data, { ...place, row });
  useEffect(() => {
    if (document.activeElement !== grid.current) return;
    cell.current?.firstElementChild?.scrollIntoView({ block: "nearest" });
    cell.current?.scrollIntoView({ block: "nearest" });
  }, [row, column]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.altKey || event.metaKey) return;
    const next = moved(data, { ...place, row }, key, event.ctrlKey);
    if (next !== undefined) setPlace(next);
    else if (key === "Enter") onList(row, column);
    else if (key === " ") onGo(row, column);
    else if (key === "+" || key === "-") onZoom(key === "+", place.seconds);
    else return;
    event.preventDefault();
  };
  const left = (column / data.columns) * width;
  const top = AXIS_HEIGHT + row * LANE_HEIGHT;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the cells lie over a drawing, and only one of them is there
    <div
      ref={grid}
      id="time-line"
      class="cells"
      role="grid"
      tabIndex={0}
      aria-label="Cells of the time line"
      aria-rowcount={data.lanes.length + 1}
      aria-colcount={data.columns}
      aria-activedescendant={`cell-${row}-${column}`}
      onKeyDown={onKeyDown}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="row" aria-rowindex={row + 1} tabIndex={-1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div
          ref={cell}
          key={`${row} ${column}`}
          id={`cell-${row}-${column}`}
          class="cell"
          role="gridcell"
          tabIndex={-1}
          aria-colindex={column + 1}
          aria-selected={true}
          style={{
            left: `${left - 1}px`,
            top: `${top}px`,
            width: `${width / data.columns + 2}px`,
            height: `${LANE_HEIGHT}px`,
          }}
        >
          <span class="cell-words" style={{ left: `${Math.min(0, width - WORDS - left)}px`, width: `${WORDS}px` }}>
            {cellText(data, row, column)}
          </span>
        </div>
      </div>
    </div>
  );
}
