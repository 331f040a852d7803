import type { Names } from "../dissector/dissector.js";
import type { LimitName, Limits } from "../limits.js";

/**
 * A name that is new, has changed, or has been dropped: `name` is then undefined. The id has its scope, if any, in
 * front.
 */
export interface NameChange {
  readonly kind: string;
  readonly id: string;
  readonly name: string | undefined;
}

/** A change of the names that conversations of a dissector share, by the name of the dissector. */
export interface LearntName extends NameChange {
  readonly dissector: string;
}

/** The names of all scopes, where the ids of a scope have its name in front: see `within`. */
interface AllNames {
  readonly kinds: Map<string, Map<string, string>>;
  /** How often any of them has changed. */
  revision: number;
}

interface NameBookOptions {
  readonly scope?: string;
  readonly all?: AllNames;
  /** Called with each change but those that limits cause. */
  readonly changed?: ((change: NameChange) => void) | undefined;
}

/**
 * The names of things that the traffic has revealed so far. Shared by all conversations of a dissector, or by those of
 * one scope, within which an id always means the same thing.
 */
export class NameBook implements Names {
  readonly scope: string | undefined;
  readonly #all: AllNames;
  readonly #prefix: string;
  readonly #changed: NameBookOptions["changed"];

  /** @param reached called when a name is not kept, or is dropped to make room, because of a limit */
  constructor(
    readonly limits: Pick<Limits, "names" | "nameLength">,
    readonly reached: (limit: LimitName) => void,
    { scope, all = { kinds: new Map(), revision: 0 }, changed }: NameBookOptions = {},
  ) {
    this.scope = scope;
    this.#prefix = scope === undefined ? "" : `${scope} `;
    this.#all = all;
    this.#changed = changed;
  }

  /** The names of one scope. They count towards the same limits as all others. */
  within(scope: string): NameBook {
    return new NameBook(this.limits, this.reached, { scope, all: this.#all, changed: this.#changed });
  }

  get revision(): number {
    return this.#all.revision;
  }

  /** Makes a change that another book has reported. */
  apply({ kind, id, name }: NameChange): void {
    if (name === undefined) this.forget(kind, id);
    else this.set(kind, id, name);
  }

  get(kind: string, id: string): string | undefined {
    return this.#all.kinds.get(kind)?.get(this.#prefix + id);
  }

  forget(kind: string, id: string): void {
    const key = this.#prefix + id;
    if (this.#all.kinds.get(kind)?.delete(key) !== true) return;
    this.#all.revision++;
    this.#changed?.({ kind, id: key, name: undefined });
  }

  set(kind: string, id: string, name: string): void {
    if (name === "") return;
    if (name.length > this.limits.nameLength) {
      this.reached("nameLength");
      return;
    }
    const { kinds } = this.#all;
    let names = kinds.get(kind);
    if (names === undefined) {
      names = new Map();
      kinds.set(kind, names);
    }
    const key = this.#prefix + id;
    const before = names.get(key);
    if (before === name) return;
    if (before === undefined && names.size >= this.limits.names) {
      const [oldest] = names.keys();
      if (oldest !== undefined) names.delete(oldest);
      this.reached("names");
    }
    names.set(key, name);
    this.#all.revision++;
    this.#changed?.({ kind, id: key, name });
  }
}
