import type { LeafValue, NameLookup } from "../language/field-tree.js";

/** Most values kept for the same kinds. */
const MOST_KNOWN = 4096;

/**
 * What a reader makes of the names that it found behind references, until a name of these kinds changes: making the ids to look for
 * takes longest. Null for what has no name.
 */
export class FoundNames<T> {
  readonly #byLookup = new WeakMap<NameLookup, FoundIn<T>>();
  #lastLookup: NameLookup | undefined;
  #last: FoundIn<T> | undefined;

  constructor(readonly make: (kind: string, name: string) => T) {}

  /** @param kinds what the value may refer to */
  of(names: NameLookup, kinds: readonly string[], value: LeafValue): T | null {
    const { revision } = names;
    if (revision === undefined) return this.#lookedUp(names, kinds, value);
    const values = this.#in(names).values(names, revision, kinds);
    const known = values.get(value);
    if (known !== undefined) return known;
    if (values.size >= MOST_KNOWN) values.clear();
    const found = this.#lookedUp(names, kinds, value);
    values.set(value, found);
    return found;
  }

  #in(names: NameLookup): FoundIn<T> {
    if (this.#last !== undefined && names === this.#lastLookup) return this.#last;
    const found = this.#byLookup.get(names) ?? new FoundIn<T>();
    this.#byLookup.set(names, found);
    this.#lastLookup = names;
    this.#last = found;
    return found;
  }

  #lookedUp(names: NameLookup, kinds: readonly string[], value: LeafValue): T | null {
    const id = String(value);
    for (const kind of kinds) {
      const name = names.get(kind, id);
      if (name !== undefined) return this.make(kind, name);
    }
    return null;
  }
}

/** What was found in one lookup. */
class FoundIn<T> {
  readonly #byKinds = new Map<readonly string[], FoundOf<T>>();
  /** Those asked for last: many references in a row have the same kinds. */
  #kinds: readonly string[] | undefined;
  #last: FoundOf<T> = { revision: -1, changes: -1, values: new Map() };

  values(names: NameLookup, revision: number, kinds: readonly string[]): Map<LeafValue, T | null> {
    if (kinds !== this.#kinds) {
      this.#last = this.#byKinds.get(kinds) ?? { revision: -1, changes: -1, values: new Map() };
      this.#byKinds.set(kinds, this.#last);
      this.#kinds = kinds;
    }
    const last = this.#last;
    if (last.revision !== revision) {
      const changes = changesOf(names, revision, kinds);
      if (changes !== last.changes) last.values.clear();
      last.changes = changes;
      last.revision = revision;
    }
    return last.values;
  }
}

/** What was found for references to the same kinds of things. */
interface FoundOf<T> {
  /** The revision of all names when it was last asked for, and how often those of the kinds had changed. */
  revision: number;
  changes: number;
  readonly values: Map<LeafValue, T | null>;
}

/** A number that is higher whenever a name of one of some kinds has changed. */
function changesOf(names: NameLookup, revision: number, kinds: readonly string[]): number {
  let changes = 0;
  for (const kind of kinds) changes += names.revisionOf?.(kind) ?? revision;
  return changes;
}
