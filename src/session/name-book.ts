import { defaultLimits } from "../limits.js";
import type { Names } from "../schema/nodes.js";

/** Characters of a name at most: what is longer names nothing, it tells a story. */
const LONGEST_NAME = 256;

/**
 * The names of things that the traffic has shown so far. Shared by all conversations of a dissector, or by those of one
 * scope, within which ids mean the same.
 */
export class NameBook implements Names {
  readonly #kinds: Map<string, Map<string, string>>;
  readonly #scope: string;

  /** @param most names of one kind that are kept; the oldest one makes room */
  constructor(
    readonly most = defaultLimits.names,
    scope = "",
    kinds = new Map<string, Map<string, string>>(),
  ) {
    this.#scope = scope;
    this.#kinds = kinds;
  }

  /** The names of one scope. They count towards the same limits as all others. */
  within(scope: string): NameBook {
    return new NameBook(this.most, `${scope} `, this.#kinds);
  }

  get(kind: string, id: string): string | undefined {
    return this.#kinds.get(kind)?.get(this.#scope + id);
  }

  /** Takes down a name; an empty one says nothing. */
  set(kind: string, id: string, name: string): void {
    if (name === "" || name.length > LONGEST_NAME) return;
    let names = this.#kinds.get(kind);
    if (names === undefined) {
      names = new Map();
      this.#kinds.set(kind, names);
    }
    const key = this.#scope + id;
    if (names.size >= this.most && !names.has(key)) {
      const [oldest] = names.keys();
      if (oldest !== undefined) names.delete(oldest);
    }
    names.set(key, name);
  }
}
