import type { Slice } from "./expression.js";

/** Returns the part of a text (in characters as JavaScript counts them) or byte string that a slice selects. */
export function sliced<T extends string | Uint8Array>(whole: T, slice: Slice): string | Uint8Array {
  const start = place(slice.from, whole.length);
  const end = endOf(slice, start, whole.length);
  if (typeof whole === "string") return whole.slice(start, end);
  return whole.subarray(start, end);
}

/** The most bytes or characters that a slice can select; infinite if that depends on the whole. */
export function longestPart({ from, to, inclusive }: Slice): number {
  if (to === undefined) return from < 0 ? -from : Number.POSITIVE_INFINITY;
  if (!inclusive) return from < 0 ? Math.min(to, -from) : to;
  return from < 0 === to < 0 ? Math.max(0, to - from + 1) : Number.POSITIVE_INFINITY;
}

function endOf({ to, inclusive }: Slice, start: number, length: number): number {
  if (to === undefined) return length;
  return inclusive ? place(to, length) + 1 : start + to;
}

function place(offset: number, length: number): number {
  return offset < 0 ? Math.max(0, length + offset) : offset;
}
