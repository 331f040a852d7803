import type { LeafValue, NameLookup } from "../language/field-tree.js";

/** Most values kept for the same kinds. */
const MOST_KNOWN = 4096;

/** What a reader makes of the names that it found behind references: making the ids to look for takes longest. */
export class FoundNames<T> {
  readonly #byLookup = new WeakMap<NameLookup, FoundIn<T>>();
  #lastLookup: NameLookup | undefined;
  #last: FoundIn<T> | undefined;

  constructor(readonly make: (kind: string, name: string) => T) {}

  /**
   * @param kinds what the value may refer to
   * @returns null for a value without a name
   */
  of(names: NameLookup, kinds: readonly string[], value: LeafValue): T | null {
    const { revision } = names;
    if (revision === undefined) return this.#found(names, kinds, value, undefined, 0).made;
    const { changes, values } = this.#in(names).of(names, revision, kinds);
    const known = values.get(value);
    if (known !== undefined && known.changes === changes) return known.made;
    const found = this.#found(names, kinds, value, known, changes);
    if (found !== known) {
      if (values.size >= MOST_KNOWN) values.clear();
      values.set(value, found);
    }
    return found.made;
  }

  #in(names: NameLookup): FoundIn<T> {
    if (this.#last !== undefined && names === this.#lastLookup) return this.#last;
    const found = this.#byLookup.get(names) ?? new FoundIn<T>();
    this.#byLookup.set(names, found);
    this.#lastLookup = names;
    this.#last = found;
    return found;
  }

  /** @param known what was found before other names changed */
  #found(
    names: NameLookup,
    kinds: readonly string[],
    value: LeafValue,
    known: Found<T> | undefined,
    changes: number,
  ): Found<T> {
    const id = String(value);
    for (const kind of kinds) {
      const name = names.get(kind, id);
      if (name === undefined) continue;
      if (known?.kind !== kind || known.name !== name) return { kind, name, made: this.make(kind, name), changes };
      known.changes = changes;
      return known;
    }
    if (known === undefined || known.name !== undefined) return { kind: "", name: undefined, made: null, changes };
    known.changes = changes;
    return known;
  }
}

/** What was found in one lookup. */
class FoundIn<T> {
  readonly #byKinds = new Map<readonly string[], FoundOf<T>>();
  /** Those asked for last: many references in a row have the same kinds. */
  #kinds: readonly string[] | undefined;
  #last: FoundOf<T> = nothingFound();

  of(names: NameLookup, revision: number, kinds: readonly string[]): FoundOf<T> {
    if (kinds !== this.#kinds) {
      this.#last = this.#byKinds.get(kinds) ?? nothingFound();
      this.#byKinds.set(kinds, this.#last);
      this.#kinds = kinds;
    }
    const last = this.#last;
    if (last.revision !== revision) {
      last.changes = changesOf(names, revision, kinds);
      last.revision = revision;
    }
    return last;
  }
}

/** What was found for references to the same kinds of things. */
interface FoundOf<T> {
  /** The revision of all names when it was last asked for, and how often those of the kinds had changed. */
  revision: number;
  changes: number;
  readonly values: Map<LeafValue, Found<T>>;
}

function nothingFound<T>(): FoundOf<T> {
  return { revision: -1, changes: -1, values: new Map() };
}

/** What was found for a value. */
interface Found<T> {
  readonly kind: string;
  /** Undefined for a value without a name. */
  readonly name: string | undefined;
  readonly made: T | null;
  /** The changes when it was looked up. */
  changes: number;
}

/** A number that is higher whenever a name of one of some kinds has changed. */
function changesOf(names: NameLookup, revision: number, kinds: readonly string[]): number {
  let changes = 0;
  for (const kind of kinds) changes += names.revisionOf?.(kind) ?? revision;
  return changes;
}
