import type { LimitName, Limits } from "../limits.js";

/** One sentence for each limit that kept something out of the output. */
export function limitRemarks(counts: ReadonlyMap<LimitName, number>, limits: Limits): string[] {
  return [...counts].map(([name, count]) => {
    const times = count === 1 ? "once" : `${count} times`;
    return `the limit ${name}=${limits[name]} was reached ${times}, so some data was skipped; --limit ${name}=N changes it`;
  });
}
