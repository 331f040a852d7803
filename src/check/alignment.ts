/*
 * Own code, since npm's `diff` cannot continue from where it has stopped: for sequences further apart than its
 * `maxEditLength` it returns nothing. Given 4,096 elements of each at a time, it takes twenty times as long for 50,000
 * of 8 kinds in any order, and if 3,000 of them are new in one sequence, it finds 3,377 of the 5,000 in common.
 */

/**
 * Most steps that are searched at once: sequences further apart than that are aligned piece by piece. So many elements
 * in a row may be in one sequence only, for a memory of 64 MB.
 */
const MOST_STEPS = 4000;

/** Indices of an element that two sequences have in common. */
export type Pair = readonly [a: number, b: number];

/** One place of two aligned sequences: an element of both, or of one of them. */
interface Step {
  /** Index in each sequence: of the element, or of the one that follows this place. */
  readonly a: number;
  readonly b: number;
  readonly isInA: boolean;
  readonly isInB: boolean;
}

/**
 * Two sequences side by side. Elements that only one of them has come before the next pair, those of the first sequence
 * first.
 */
export function* sideBySide(pairs: readonly Pair[], lengthA: number, lengthB: number): Generator<Step> {
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [lengthA, lengthB] as const]) {
    while (a < nextA) yield { a: a++, b, isInA: true, isInB: false };
    while (b < nextB) yield { a, b: b++, isInA: false, isInB: true };
    if (a < lengthA && b < lengthB) yield { a: a++, b: b++, isInA: true, isInB: true };
  }
}

/**
 * Adds to some pairs of two sequences others between them.
 *
 * @param inGap gives the pairs of what is between two neighbouring pairs
 */
export function withPairsBetween<T>(
  expected: readonly T[],
  found: readonly T[],
  same: readonly Pair[],
  inGap: (expected: readonly T[], found: readonly T[]) => readonly Pair[],
): Pair[] {
  const pairs: Pair[] = [];
  let [fromOne, fromOther] = [0, 0];
  for (const [one, other] of [...same, [expected.length, found.length] as const]) {
    const expectedGap = expected.slice(fromOne, one);
    const foundGap = found.slice(fromOther, other);
    for (const [x, y] of inGap(expectedGap, foundGap)) pairs.push([fromOne + x, fromOther + y]);
    if (one < expected.length) pairs.push([one, other]);
    [fromOne, fromOther] = [one + 1, other + 1];
  }
  return pairs;
}

/** Aligns two sequences of texts, as `align` does. */
export function alignTexts(a: readonly string[], b: readonly string[]): Pair[] {
  const numbers = new Map<string, number>();
  const tokenOf = (text: string) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  return align(a.map(tokenOf), b.map(tokenOf));
}

/**
 * Aligns two sequences of tokens by a longest common subsequence, or one close to it if they differ a lot, so that the
 * time is limited. Source: E. Myers, "An O(ND) difference algorithm and its variations" (1986).
 */
export function align(a: readonly number[], b: readonly number[]): Pair[] {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let endA = a.length;
  let endB = b.length;
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  // Tokens that the other side does not have at all cannot be in common.
  const inA = indicesOf(a, from, endA, new Set(b.slice(from, endB)));
  const inB = indicesOf(b, from, endB, new Set(a.slice(from, endA)));
  const pairs: Pair[] = [];
  for (let at = 0; at < from; at++) pairs.push([at, at]);
  for (const [x, y] of common(
    inA.map((index) => a[index] ?? -1),
    inB.map((index) => b[index] ?? -1),
  )) {
    pairs.push([inA[x] ?? 0, inB[y] ?? 0]);
  }
  for (let at = 0; endA + at < a.length; at++) pairs.push([endA + at, endB + at]);
  return pairs;
}

function indicesOf(tokens: readonly number[], from: number, end: number, wanted: ReadonlySet<number>): number[] {
  const indices: number[] = [];
  for (let index = from; index < end; index++) if (wanted.has(tokens[index] ?? -1)) indices.push(index);
  return indices;
}

function common(a: readonly number[], b: readonly number[]): Pair[] {
  const pairs: Pair[] = [];
  let x = 0;
  let y = 0;
  while (x < a.length && y < b.length) [x, y] = advance(a, b, x, y, pairs);
  return pairs;
}

/** Aligns from a place on, to the end or as far as the steps reach; returns the place that was reached. */
function advance(a: readonly number[], b: readonly number[], x0: number, y0: number, pairs: Pair[]): Pair {
  const [n, m] = [a.length - x0, b.length - y0];
  const most = Math.min(n + m, MOST_STEPS);
  const zero = most + 1;
  // The furthest x on each diagonal (x - y), after the steps so far.
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let steps = 0; ; steps++) {
    trace.push(furthest.slice(zero - steps - 1, zero + steps + 2));
    let best: Pair = [0, 0];
    let isEnd = false;
    for (let diagonal = -steps; diagonal <= steps && !isEnd; diagonal += 2) {
      const above = furthest[zero + diagonal + 1] ?? 0;
      const left = furthest[zero + diagonal - 1] ?? 0;
      let x = goesDown(steps, diagonal, left, above) ? above : left + 1;
      let y = x - diagonal;
      while (x < n && y < m && a[x0 + x] === b[y0 + y]) {
        x++;
        y++;
      }
      furthest[zero + diagonal] = x;
      isEnd = x >= n && y >= m;
      if (isEnd || (x <= n && y <= m && x + y >= best[0] + best[1])) best = [x, y];
    }
    if (isEnd || steps === most) {
      for (const [x, y] of pathTo(best, trace).reverse()) pairs.push([x0 + x, y0 + y]);
      return [x0 + best[0], y0 + best[1]];
    }
  }
}

/** True if a diagonal is reached from the one above it, by skipping a token of the second sequence. */
function goesDown(steps: number, diagonal: number, left: number, above: number): boolean {
  return diagonal === -steps || (diagonal !== steps && left < above);
}

/** The pairs on the way to a place, last one first. */
function pathTo([endX, endY]: Pair, trace: readonly Int32Array[]): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [endX, endY];
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const diagonal = x - y;
    const before = trace[steps];
    const above = before?.[diagonal + steps + 2] ?? 0;
    const left = before?.[diagonal + steps] ?? 0;
    const down = goesDown(steps, diagonal, left, above);
    const startX = steps === 0 ? 0 : down ? above : left + 1;
    while (x > startX) pairs.push([--x, --y]);
    if (steps > 0) [x, y] = down ? [above, above - diagonal - 1] : [left, left - diagonal + 1];
  }
  return pairs;
}
