import type { Slice } from "./expression.js";

/** Returns the part of a text (in characters as JavaScript counts them) or byte string that a slice selects. */
export function sliced<T extends string | Uint8Array>(whole: T, slice: Slice): string | Uint8Array {
  const start = place(slice.from, whole.length);
  const end = endOf(slice, start, whole.length);
  if (typeof whole === "string") return whole.slice(start, end);
  return whole.subarray(start, end);
}

function endOf({ to, inclusive }: Slice, start: number, length: number): number {
  if (to === undefined) return length;
  return inclusive ? place(to, length) + 1 : start + to;
}

function place(offset: number, length: number): number {
  return offset < 0 ? Math.max(0, length + offset) : offset;
}
