import { sideBySide } from "./alignment.js";
import type { Difference, Reference } from "./difference.js";
import type { FieldComparison } from "./field-comparison.js";
import type { Direction } from "./line.js";
import type { Match } from "./matching.js";
import type { Entry } from "./normal-form.js";

/** What stands at one place of a direction, in one recording or in both. */
export interface Position {
  readonly expected: Entry | undefined;
  readonly found: Entry | undefined;
  /** Index among those that were found, of it or of what comes behind it. */
  readonly index: number;
}

/** What was expected and what was found of a direction, beside each other. */
export function positionsOf({ expected, found, pairs }: Match, direction: Direction): Position[] {
  const [theirs, ours] = [expected.said[direction], found.said[direction]];
  return Array.from(sideBySide(pairs[direction], theirs.length, ours.length), ({ a, b, isInA, isInB }) => ({
    expected: isInA ? theirs[a] : undefined,
    found: isInB ? ours[b] : undefined,
    index: b,
  }));
}

/** The differences of one direction of a conversation. */
export class DirectionDifferences {
  readonly #ours: readonly Entry[];

  constructor(
    readonly match: Match,
    readonly direction: Direction,
    readonly fields: FieldComparison,
  ) {
    this.#ours = match.found.said[direction];
  }

  /** All of them, in order. */
  all(): Difference[] {
    const positions = positionsOf(this.match, this.direction);
    const moved = this.#moved(positions);
    return positions.flatMap((position): Difference[] => {
      const { expected, found } = position;
      const entry = found ?? expected;
      if (entry === undefined) return [];
      const from = moved.get(entry);
      // What has moved is told where it was found.
      if (from !== undefined && found === undefined) return [];
      const fields = expected !== undefined && found !== undefined ? this.fields.of(expected, found) : [];
      if (expected !== undefined && found !== undefined && fields.length === 0) return [];
      if (!entry.counts) return [];
      const told = this.#told(entry, position);
      if (from !== undefined) return [{ kind: "moved", ...told, expected: from.at, found: entry.at }];
      if (found === undefined) return [{ kind: "missing", ...told, expected: entry.at }];
      if (expected === undefined) return [{ kind: "added", ...told, found: entry.at }];
      return [{ kind: "changed", ...told, expected: expected.at, found: found.at, fields }];
    });
  }

  /** What stands at another place than expected: the message that was expected for the one that was found, and back. */
  #moved(positions: readonly Position[]): ReadonlyMap<Entry, Entry> {
    const { renaming, conversation } = this.fields;
    const missing = new Map<string, Entry[]>();
    for (const { expected, found } of positions) {
      if (expected === undefined || found !== undefined) continue;
      const key = renaming.expectedKey(expected, conversation);
      const same = missing.get(key);
      if (same === undefined) missing.set(key, [expected]);
      else same.push(expected);
    }
    const moved = new Map<Entry, Entry>();
    for (const { expected, found } of positions) {
      if (found === undefined || expected !== undefined) continue;
      const from = missing.get(renaming.foundKey(found, conversation))?.shift();
      if (from === undefined || this.fields.of(from, found).length > 0) continue;
      moved.set(found, from);
      moved.set(from, found);
    }
    return moved;
  }

  #told({ form }: Entry, { found, index }: Position) {
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
