import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";

/** Rows beyond the visible ones that are drawn, so that scrolling by keys shows no blank. */
const OVERSCAN = 8;

/** The rows of a long list that have to be drawn. */
export interface VirtualRows {
  readonly items: readonly { readonly index: number; readonly start: number }[];
  /** Height of all rows, in pixels. */
  readonly height: number;
  scrollTo(index: number): void;
}

/** Draws only the visible rows of a list. @param rowHeight in pixels, the same for all rows */
export function useVirtualRows(list: RefObject<HTMLElement | null>, count: number, rowHeight: number): VirtualRows {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const options = {
    count,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(0),
  };
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  kept.current ??= new Virtualizer(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    items: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
