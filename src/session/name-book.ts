import type { Names } from "../schema/nodes.js";

/** Names of one kind that are kept at most; a shard has some thousand players and ages. The oldest one makes room. */
const MOST_NAMES = 100_000;
/** Characters of a name at most: what is longer names nothing, it tells a story. */
const LONGEST_NAME = 256;

/** The names of things that the traffic has shown so far. Shared by all conversations of a dissector. */
export class NameBook implements Names {
  readonly #kinds = new Map<string, Map<string, string>>();

  get(kind: string, id: string): string | undefined {
    return this.#kinds.get(kind)?.get(id);
  }

  /** Takes down a name; an empty one says nothing. */
  set(kind: string, id: string, name: string): void {
    if (name === "" || name.length > LONGEST_NAME) return;
    let names = this.#kinds.get(kind);
    if (names === undefined) {
      names = new Map();
      this.#kinds.set(kind, names);
    }
    if (names.size >= MOST_NAMES && !names.has(id)) {
      const [oldest] = names.keys();
      if (oldest !== undefined) names.delete(oldest);
    }
    names.set(id, name);
  }
}
