import type { ShownDirection } from "../dissect/message.js";
import { sideBySide } from "./alignment.js";
import type { MessagesDifference, Reference } from "./difference.js";
import type { FieldComparison } from "./field-comparison.js";
import type { Match } from "./matching.js";
import type { Entry } from "./normal-form.js";

/** One place of a direction, with the message there in one recording or in both. */
interface Position {
  readonly expected: Entry | undefined;
  readonly found: Entry | undefined;
  /** Index among the messages found: of the one here, or of the one that follows this place. */
  readonly index: number;
}

/** The expected and the found messages of a direction, side by side. */
export function positionsOf({ expected, found, pairs }: Match, direction: ShownDirection): Position[] {
  const [allExpected, allFound] = [expected.said[direction], found.said[direction]];
  return Array.from(sideBySide(pairs[direction], allExpected.length, allFound.length), ({ a, b, isInA, isInB }) => ({
    expected: isInA ? allExpected[a] : undefined,
    found: isInB ? allFound[b] : undefined,
    index: b,
  }));
}

/** The differences of one direction of a conversation. */
export class DirectionDifferences {
  readonly #found: readonly Entry[];

  constructor(
    readonly match: Match,
    readonly direction: ShownDirection,
    readonly fields: FieldComparison,
  ) {
    this.#found = match.found.said[direction];
  }

  /** All of them, in order. */
  all(): MessagesDifference[] {
    const positions = positionsOf(this.match, this.direction);
    const moved = this.#moved(positions);
    return positions.flatMap((position) => this.#at(position, moved));
  }

  /** The differences at one place. A message that has moved is reported where it was found. */
  #at(position: Position, moved: ReadonlyMap<Entry, Entry>): MessagesDifference[] {
    const { expected, found } = position;
    const from = found && moved.get(found);
    const isElsewhere = expected !== undefined && moved.has(expected);
    if (found !== undefined && expected !== undefined && from === undefined && !isElsewhere) {
      const fields = this.fields.of(expected, found);
      if (fields.length === 0 || !found.counts) return [];
      return [{ kind: "changed", ...this.#location(found, position), expected: expected.at, found: found.at, fields }];
    }
    const differences: MessagesDifference[] = [];
    if (expected?.counts && !isElsewhere) {
      differences.push({ kind: "missing", ...this.#location(expected, position), expected: expected.at });
    }
    if (found?.counts) {
      const location = this.#location(found, position);
      if (from === undefined) differences.push({ kind: "added", ...location, found: found.at });
      else differences.push({ kind: "moved", ...location, expected: from.at, found: found.at });
    }
    return differences;
  }

  /**
   * Maps each message that is in a different place than expected to its counterpart: found to expected, and vice versa.
   * The expected one may also be paired with a found one that seemed to be a changed form of it.
   */
  #moved(positions: readonly Position[]): ReadonlyMap<Entry, Entry> {
    const { mapping, conversation } = this.fields;
    const apart = positions
      .map(({ expected, found }) => ({
        expected,
        found,
        expectedKey: expected && mapping.expectedKey(expected, conversation),
        foundKey: found && mapping.foundKey(found, conversation),
      }))
      .filter(({ expectedKey, foundKey }) => expectedKey !== foundKey);
    const missing = new Map<string, Entry[]>();
    for (const { expected, expectedKey: key } of apart) {
      if (expected === undefined || key === undefined) continue;
      const same = missing.get(key);
      if (same === undefined) missing.set(key, [expected]);
      else same.push(expected);
    }
    const moved = new Map<Entry, Entry>();
    for (const { found, foundKey: key = "" } of apart) {
      const from = missing.get(key)?.shift();
      if (from === undefined || found === undefined || this.fields.of(from, found).length > 0) continue;
      moved.set(found, from);
      moved.set(from, found);
    }
    return moved;
  }

  #location({ form }: Entry, { found, index }: Position) {
    const { where } = this.match;
    const before = referenceTo(this.#found[index - 1]);
    const after = referenceTo(this.#found[found === undefined ? index : index + 1]);
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
