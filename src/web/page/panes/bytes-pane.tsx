import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Detail, TreeLine } from "../../session-api.js";
import * as state from "../state.js";
import { useVirtualRows } from "./virtual-rows.js";

const LINE_HEIGHT = 18;
/** Bytes of a line, where there is room for so many, and where there is not. */
const MANY = 16;
const FEW = 8;
/** Pixels that a line of many bytes takes. */
const ROOM_FOR_MANY = 560;

/** The bytes of the selected message, and of what was inflated from it. */
export function BytesPane(): VNode {
  const shown = state.shownDetail.value;
  const current = Math.min(state.shownSource.value, Math.max(0, (shown?.sources.length ?? 1) - 1));
  const source = shown?.sources[current];
  return (
    <section class="pane bytes-pane" aria-label="Bytes">
      <div class="pane-head" role="tablist" aria-label="Where the bytes are from" hidden={source === undefined}>
        {shown?.sources.map(({ title, bytes }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            class="tab"
            aria-selected={index === current}
            onClick={() => {
              state.shownSource.value = index;
            }}
          >
            {title} ({bytes.length} bytes)
          </button>
        ))}
      </div>
      {shown === undefined || source === undefined ? (
        <p class="hint">
          {shown === undefined ? "Select a message to see its bytes." : "This is no message, and has no bytes."}
        </p>
      ) : (
        <Hex shown={shown} source={current} bytes={source.bytes} />
      )}
    </section>
  );
}

interface HexProps {
  readonly shown: Detail;
  readonly source: number;
  readonly bytes: Uint8Array;
}

function Hex({ shown, source, bytes }: HexProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [perLine, setPerLine] = useState(MANY);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const sizes = new ResizeObserver(() => setPerLine(current.clientWidth < ROOM_FOR_MANY ? FEW : MANY));
    sizes.observe(current);
    return () => sizes.disconnect();
  }, []);
  const rows = useVirtualRows(list, Math.ceil(bytes.length / perLine), LINE_HEIGHT);
  const line = shown.lines[state.selectedLine.value];
  const [start, end] = line?.source === source ? [line.start, line.end] : [0, 0];
  useEffect(() => {
    if (end > start) rows.scrollTo(Math.floor(start / perLine));
  }, [start, end, source, perLine]);
  const look = perLine === MANY ? "scroller hex" : "scroller hex few";
  const choose = (offset: number) => {
    const index = lineAt(shown.lines, source, offset);
    if (index !== undefined) state.selectedLine.value = index;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section ref={list} class={look} id="bytes" tabIndex={0} aria-label="Bytes in hexadecimal and as text">
      <div class="rows" style={{ height: `${rows.height}px` }}>
        {rows.items.map(({ index, start: top }) => {
          const offset = index * perLine;
          const part = bytes.subarray(offset, offset + perLine);
          return (
            <div key={index} class="row" style={{ top: `${top}px` }}>
              <span class="offset">{offset.toString(16).padStart(6, "0")}</span>
              <Cells part={part} offset={offset} marked={[start, end]} textOf={hexText} kind="digits" choose={choose} />
              <Cells
                part={part}
                offset={offset}
                marked={[start, end]}
                textOf={asciiText}
                kind="chars"
                choose={choose}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

interface CellsProps {
  readonly part: Uint8Array;
  readonly offset: number;
  readonly marked: readonly [number, number];
  readonly textOf: (byte: number) => string;
  readonly kind: string;
  readonly choose: (offset: number) => void;
}

function Cells({ part, offset, marked: [start, end], textOf, kind, choose }: CellsProps): VNode {
  return (
    <span class={kind}>
      {Array.from(part, (byte, at) => {
        const isMarked = offset + at >= start && offset + at < end;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree does the same by keys
          // biome-ignore lint/a11y/noStaticElementInteractions: as above
          <span key={at} class={isMarked ? "byte marked" : "byte"} onClick={() => choose(offset + at)}>
            {textOf(byte)}
          </span>
        );
      })}
    </span>
  );
}

function hexText(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

function asciiText(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
}

/** The innermost field that has a byte. */
function lineAt(lines: readonly TreeLine[], source: number, offset: number): number | undefined {
  let found: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.kind === "field" && line.source === source && line.start <= offset && offset < line.end) found = index;
  }
  return found;
}
