import type { Match } from "./compare.js";
import type { Difference, Reference } from "./difference.js";
import type { FieldComparison } from "./field-comparison.js";
import type { Direction } from "./line.js";
import type { Entry } from "./normal-form.js";
import type { Renaming } from "./renaming.js";

/** What stands at one place of a direction, in one recording or in both. */
export interface Step {
  readonly expected: Entry | undefined;
  readonly found: Entry | undefined;
  /** Index among those that were found, of it or of what comes behind it. */
  readonly index: number;
}

/** What was expected and what was found of a direction, beside each other. */
export function stepsOf({ expected, found, pairs }: Match, direction: Direction): Step[] {
  const [theirs, ours] = [expected.said[direction], found.said[direction]];
  const steps: Step[] = [];
  let [one, other] = [0, 0];
  const missing = () => steps.push({ expected: theirs[one++], found: undefined, index: other });
  const added = () => steps.push({ expected: undefined, found: ours[other], index: other++ });
  for (const [nextOne, nextOther] of pairs[direction]) {
    while (one < nextOne) missing();
    while (other < nextOther) added();
    steps.push({ expected: theirs[one++], found: ours[other], index: other++ });
  }
  while (one < theirs.length) missing();
  while (other < ours.length) added();
  return steps;
}

/** The differences of one direction of a conversation. */
export class DirectionDifferences {
  readonly #ours: readonly Entry[];

  constructor(
    readonly match: Match,
    readonly direction: Direction,
    readonly fields: FieldComparison,
    readonly renaming: Renaming,
    readonly conversation: number,
  ) {
    this.#ours = match.found.said[direction];
  }

  /** All of them, in order. */
  all(): Difference[] {
    const steps = stepsOf(this.match, this.direction);
    const moved = this.#moved(steps);
    return steps.flatMap((step): Difference[] => {
      const { expected, found } = step;
      const entry = found ?? expected;
      if (entry === undefined) return [];
      const from = moved.get(entry);
      // What has moved is told where it was found.
      if (from !== undefined && found === undefined) return [];
      const fields = expected !== undefined && found !== undefined ? this.fields.of(expected, found) : [];
      if (expected !== undefined && found !== undefined && fields.length === 0) return [];
      if (!entry.counts) return [];
      const told = this.#told(entry, step);
      if (from !== undefined) return [{ kind: "moved", ...told, expected: from.at, found: entry.at }];
      if (found === undefined) return [{ kind: "missing", ...told, expected: entry.at }];
      if (expected === undefined) return [{ kind: "added", ...told, found: entry.at }];
      return [{ kind: "changed", ...told, expected: expected.at, found: found.at, fields }];
    });
  }

  /** What stands at another place than expected: the message that was expected for the one that was found, and back. */
  #moved(steps: readonly Step[]): ReadonlyMap<Entry, Entry> {
    const missing = new Map<string, Entry[]>();
    for (const { expected, found } of steps) {
      if (expected === undefined || found !== undefined) continue;
      const key = this.renaming.expectedKey(expected, this.conversation);
      const same = missing.get(key);
      if (same === undefined) missing.set(key, [expected]);
      else same.push(expected);
    }
    const moved = new Map<Entry, Entry>();
    for (const { expected, found } of steps) {
      if (found === undefined || expected !== undefined) continue;
      const from = missing.get(this.renaming.foundKey(found, this.conversation))?.shift();
      if (from === undefined || this.fields.of(from, found).length > 0) continue;
      moved.set(found, from);
      moved.set(from, found);
    }
    return moved;
  }

  #told({ form }: Entry, { found, index }: Step) {
    const { where } = this.match;
    const before = referenceTo(this.#ours[index - 1]);
    const after = referenceTo(this.#ours[found === undefined ? index : index + 1]);
    return {
      ...where,
      direction: this.direction,
      message: form.shape.message,
      classes: form.shape.classes,
      before,
      after,
    };
  }
}

function referenceTo(entry: Entry | undefined): Reference | undefined {
  return entry && { at: entry.at, message: entry.form.shape.message, classes: entry.form.shape.classes };
}
