import type { Names } from "../schema/nodes.js";

/** Names that are kept at most; a shard has some thousand players and ages. The oldest one makes room. */
const MOST_NAMES = 100_000;

/** The names of things that the traffic has shown so far. Shared by all conversations of a dissector. */
export class NameBook implements Names {
  readonly #names = new Map<string, string>();

  get(kind: string, id: string): string | undefined {
    return this.#names.get(`${kind} ${id}`);
  }

  /** Takes down a name; an empty one says nothing. */
  set(kind: string, id: string, name: string): void {
    if (name === "") return;
    const key = `${kind} ${id}`;
    if (this.#names.size >= MOST_NAMES && !this.#names.has(key)) {
      const [oldest] = this.#names.keys();
      if (oldest !== undefined) this.#names.delete(oldest);
    }
    this.#names.set(key, name);
  }
}
