const TRIES = 3;

/**
 * The processor time of some work for a size, divided by that for a quarter of the size: 4 if it grows linearly, 16 if
 * quadratically. The minimum of several tries counts, as anything else on the machine only adds to it.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    small = Math.min(small, await costOf(() => work(size / 4)));
    large = Math.min(large, await costOf(() => work(size)));
  }
  return large / small;
}

/** Processor time of some work, in milliseconds; excludes other programs. */
export async function costOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
