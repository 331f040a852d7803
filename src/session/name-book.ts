import type { LimitName, Limits } from "../limits.js";
import type { Names } from "./dissector.js";

/**
 * The names of things that the traffic has revealed so far. Shared by all conversations of a dissector, or by those of
 * one scope, within which an id always means the same thing.
 */
export class NameBook implements Names {
  readonly #kinds: Map<string, Map<string, string>>;
  readonly #prefix: string;

  /**
   * @param reached called when a name is not kept, or is dropped to make room, because of a limit
   * @param kinds the names of all scopes, where the ids of a scope have its name in front: see `within`
   */
  constructor(
    readonly limits: Pick<Limits, "names" | "nameLength">,
    readonly reached: (limit: LimitName) => void,
    readonly scope?: string,
    kinds = new Map<string, Map<string, string>>(),
  ) {
    this.#prefix = scope === undefined ? "" : `${scope} `;
    this.#kinds = kinds;
  }

  /** The names of one scope. They count towards the same limits as all others. */
  within(scope: string): NameBook {
    return new NameBook(this.limits, this.reached, scope, this.#kinds);
  }

  get(kind: string, id: string): string | undefined {
    return this.#kinds.get(kind)?.get(this.#prefix + id);
  }

  forget(kind: string, id: string): void {
    this.#kinds.get(kind)?.delete(this.#prefix + id);
  }

  set(kind: string, id: string, name: string): void {
    if (name === "") return;
    if (name.length > this.limits.nameLength) {
      this.reached("nameLength");
      return;
    }
    let names = this.#kinds.get(kind);
    if (names === undefined) {
      names = new Map();
      this.#kinds.set(kind, names);
    }
    const key = this.#prefix + id;
    if (names.size >= this.limits.names && !names.has(key)) {
      const [oldest] = names.keys();
      if (oldest !== undefined) names.delete(oldest);
      this.reached("names");
    }
    names.set(key, name);
  }
}
