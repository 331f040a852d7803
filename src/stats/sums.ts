import type { Count } from "./count.js";

/** What was counted under some keys. */
export type Sums = readonly (readonly [key: string, count: number, bytes: number])[];

/** Takes out what counts have come to. */
export function sumsIn(counts: Iterable<readonly [string, Count]>): Sums {
  const sums: (readonly [string, number, number])[] = [];
  for (const [key, sum] of counts) {
    if (sum.count === 0) continue;
    sums.push([key, sum.count, sum.bytes]);
    sum.count = 0;
    sum.bytes = 0;
  }
  return sums;
}
