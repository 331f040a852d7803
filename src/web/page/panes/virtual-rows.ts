import type { RefObject } from "preact";
import { useLayoutEffect, useReducer } from "preact/hooks";
import { longList } from "./long-list.js";

/** Rows beyond the visible ones that are drawn, so that scrolling by keys shows no blank. */
const OVERSCAN = 8;

/** The rows of a long list that have to be drawn. */
export interface VirtualRows {
  readonly items: readonly { readonly index: number; readonly start: number }[];
  /** Height of the element with the rows, in pixels. */
  readonly height: number;
  scrollTo(index: number): void;
}

/**
 * Draws only the visible rows of a list. Libraries for this measure each row: 16 MB of places for a million rows, anew
 * whenever another one comes.
 *
 * @param rowHeight in pixels, the same for all rows
 * @param headHeight of what stays above the rows while they are scrolled
 */
export function useVirtualRows(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  headHeight = 0,
): VirtualRows {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const changed = () => redraw(0);
    const sizes = new ResizeObserver(changed);
    sizes.observe(current);
    current.addEventListener("scroll", changed, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener("scroll", changed);
    };
  }, []);
  const { scrollTop, clientHeight } = list.current ?? { scrollTop: 0, clientHeight: 0 };
  const scale = longList(count, rowHeight, clientHeight - headHeight);
  const top = scale.topAt(scrollTop);
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const end = clientHeight === 0 ? 0 : Math.min(count, Math.ceil((top + clientHeight) / rowHeight) + OVERSCAN);
  // Where the upper edge is among all rows, it is this far down in the element.
  const offset = Math.min(scrollTop, scale.scrollFor(top)) - top;
  return {
    items: Array.from({ length: Math.max(0, end - first) }, (_, at) => ({
      index: first + at,
      start: (first + at) * rowHeight + offset,
    })),
    height: scale.height,
    scrollTo: (index) => {
      const { current } = list;
      if (current === null) return;
      const start = index * rowHeight;
      const room = current.clientHeight - headHeight;
      const now = longList(count, rowHeight, room);
      const at = now.topAt(current.scrollTop);
      const lowest = start + rowHeight - room;
      if (start < at) current.scrollTop = now.scrollFor(start);
      else if (lowest > at) current.scrollTop = Math.ceil(now.scrollFor(lowest));
    },
  };
}
