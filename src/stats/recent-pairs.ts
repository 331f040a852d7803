import type { BoundedMap } from "./bounded-map.js";
import { keyOf } from "./keys.js";

/** Most second names for each first one that are found quickly; a protocol has a few hundred types of messages. */
const MOST_RECENT = 1000;

/** The values of keys made of two names: those used before are found without building the key. */
export class RecentPairs<V> {
  readonly #found = new Map<string, Map<string, V>>();
  /** The last first name, and what was found with it: mostly, the same comes again. */
  #first = "";
  #own = new Map<string, V>();

  constructor(readonly values: BoundedMap<V>) {}

  of(first: string, second: string): V {
    if (first !== this.#first || this.#own.size >= MOST_RECENT) this.#begin(first);
    let value = this.#own.get(second);
    if (value === undefined) {
      value = this.values.of(keyOf(first, second));
      this.#own.set(second, value);
    }
    return value;
  }

  #begin(first: string): void {
    const known = this.#found.get(first);
    this.#first = first;
    this.#own = known === undefined || known.size >= MOST_RECENT ? new Map() : known;
    this.#found.set(first, this.#own);
  }
}
