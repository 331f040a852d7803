const TRIES = 3;

/**
 * How many times as much processor time some work takes for a size than for a quarter of it: 4 if it grows with the size, 16
 * if with its square. Of each the least of some tries counts, as whatever else happens only adds to it.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    small = Math.min(small, await costOf(() => work(size / 4)));
    large = Math.min(large, await costOf(() => work(size)));
  }
  return large / small;
}

/** Processor time of some work, in milliseconds; other programs do not count. */
export async function costOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
