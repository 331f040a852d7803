import type { LeafValue, NameLookup } from "../language/field-tree.js";

/** Most values kept for the same kinds. */
const MOST_KNOWN = 4096;

/**
 * What a reader makes of the names that it found behind references, until any name changes: making the ids to look for
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
    const values = this.#in(names).values(revision, kinds);
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
  #revision = -1;
  readonly #byKinds = new Map<readonly string[], Map<LeafValue, T | null>>();
  /** Those asked for last: many references in a row have the same kinds. */
  #kinds: readonly string[] | undefined;
  #values = new Map<LeafValue, T | null>();

  values(revision: number, kinds: readonly string[]): Map<LeafValue, T | null> {
    if (revision !== this.#revision) {
      this.#byKinds.clear();
      this.#kinds = undefined;
      this.#revision = revision;
    }
    if (kinds !== this.#kinds) {
      this.#values = this.#byKinds.get(kinds) ?? new Map<LeafValue, T | null>();
      this.#byKinds.set(kinds, this.#values);
      this.#kinds = kinds;
    }
    return this.#values;
  }
}
