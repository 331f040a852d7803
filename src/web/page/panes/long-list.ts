/**
 * Pixels that an element may be high: browsers have at most 33 million of those of the screen, which are 8 million of the
 * page's at 400 % zoom.
 */
const HIGHEST = 8_000_000;

/** How a list is scrolled whose rows together are higher than an element may be: all of it moves faster than the bar. */
export interface LongList {
  /** Of the element with the rows. */
  readonly height: number;
  /** Where in all rows the upper edge is, if the element is scrolled so far. */
  topAt(scrollTop: number): number;
  /** How far to scroll the element so that the upper edge is there. */
  scrollFor(top: number): number;
}

/** @param room pixels in which rows are seen */
export function longList(count: number, rowHeight: number, room: number): LongList {
  const all = count * rowHeight;
  const height = Math.min(all, HIGHEST);
  const factor = all === height ? 1 : (all - room) / (height - room);
  const most = Math.max(0, all - room);
  return {
    height,
    topAt: (scrollTop) => Math.max(0, Math.min(most, scrollTop * factor)),
    scrollFor: (top) => Math.max(0, Math.min(most, top)) / factor,
  };
}
