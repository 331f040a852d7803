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

/** Something that has a name. */
export interface NamedThing {
  readonly kind: string;
  readonly id: string;
}

/** How a name is learnt. */
export interface Learning {
  /** True if it counts only where there is no other. */
  readonly isProvisional: boolean;
  /** The text before the name of something else. */
  readonly before?: string;
}

/** Follows what is done with names, changed or not. Ids have their scope, if any, in front. */
export interface NameWatch {
  set(thing: NamedThing, name: string, learning: Learning): void;
  /** A thing is called after another one, if that has a name. */
  calledAfter(thing: NamedThing, other: NamedThing, learning: Learning): void;
  /** A function that may ask for names is about to make a name for a thing. */
  making(thing: NamedThing | undefined, learning: Learning): void;
  /** The name that somebody has been told; undefined if there is none. */
  asked(thing: NamedThing, name: string | undefined): void;
  forgotten(): void;
}

const FINAL: Learning = { isProvisional: false };

/** Names, for what messages introduce. */
export interface LearntNames extends Names {
  /** True if there is a name. */
  knows(kind: string, id: string): boolean;
  /**
   * Records a name as a message gives it.
   *
   * @param name or the thing after which it is called, or a function that makes the name
   */
  learn(thing: NamedThing, name: string | NamedThing | (() => string | undefined), learning: Learning): void;
}

/** The names of all scopes, where the ids of a scope have its name in front: see `within`. */
interface AllNames {
  readonly kinds: Map<string, Map<string, string>>;
  /** How often any of them has changed, and those of each kind. */
  revision: number;
  readonly revisions: Map<string, number>;
}

interface NameBookOptions {
  readonly scope?: string;
  readonly all?: AllNames;
  /** Called with each change but those that limits cause. */
  readonly changed?: ((change: NameChange) => void) | undefined;
  readonly watch?: NameWatch | undefined;
}

/**
 * The names of things that the traffic has revealed so far. Shared by all conversations of a dissector, or by those of
 * one scope, within which an id always means the same thing.
 */
export class NameBook implements LearntNames {
  readonly scope: string | undefined;
  readonly #all: AllNames;
  readonly #prefix: string;
  readonly #changed: NameBookOptions["changed"];
  readonly #watch: NameWatch | undefined;

  /** @param reached called when a name is not kept, or is dropped to make room, because of a limit */
  constructor(
    readonly limits: Pick<Limits, "names" | "nameLength">,
    readonly reached: (limit: LimitName) => void,
    { scope, all = { kinds: new Map(), revision: 0, revisions: new Map() }, changed, watch }: NameBookOptions = {},
  ) {
    this.scope = scope;
    this.#prefix = scope === undefined ? "" : `${scope} `;
    this.#all = all;
    this.#changed = changed;
    this.#watch = watch;
  }

  /** The names of one scope. They count towards the same limits as all others. */
  within(scope: string): NameBook {
    return new NameBook(this.limits, this.reached, {
      scope,
      all: this.#all,
      changed: this.#changed,
      watch: this.#watch,
    });
  }

  /** Undefined if somebody follows who asks for names: each time counts. */
  get revision(): number | undefined {
    return this.#watch === undefined ? this.#all.revision : undefined;
  }

  revisionOf(kind: string): number {
    return this.#all.revisions.get(kind) ?? 0;
  }

  /** Makes a change that another book has reported. */
  apply({ kind, id, name }: NameChange): void {
    if (name === undefined) this.forget(kind, id);
    else this.set(kind, id, name);
  }

  get(kind: string, id: string): string | undefined {
    const key = this.#prefix + id;
    const name = this.#find(kind, key);
    this.#watch?.asked({ kind, id: key }, name);
    return name;
  }

  knows(kind: string, id: string): boolean {
    return this.#find(kind, this.#prefix + id) !== undefined;
  }

  #find(kind: string, key: string): string | undefined {
    return this.#all.kinds.get(kind)?.get(key);
  }

  forget(kind: string, id: string): void {
    const key = this.#prefix + id;
    if (this.#all.kinds.get(kind)?.delete(key) !== true) return;
    this.#watch?.forgotten();
    this.#hasChanged(kind);
    this.#changed?.({ kind, id: key, name: undefined });
  }

  set(kind: string, id: string, name: string): void {
    this.learn({ kind, id }, name, FINAL);
  }

  learn(thing: NamedThing, name: string | NamedThing | (() => string | undefined), learning: Learning): void {
    const { kind, id } = thing;
    if (learning.isProvisional && this.knows(kind, id)) return;
    const watch = this.#watch;
    const whole = watch && { kind, id: this.#prefix + id };
    if (typeof name === "object") {
      if (whole) watch?.calledAfter(whole, { kind: name.kind, id: this.#prefix + name.id }, learning);
      const other = this.#find(name.kind, this.#prefix + name.id);
      if (other !== undefined) this.#record(kind, id, `${learning.before ?? ""}${other}`);
      return;
    }
    if (typeof name === "function") watch?.making(whole, learning);
    const text = typeof name === "function" ? name() : name;
    if (typeof name === "function") watch?.making(undefined, learning);
    if (text === undefined || text === "") return;
    if (whole) watch?.set(whole, text, learning);
    this.#record(kind, id, text);
  }

  #record(kind: string, id: string, name: string): void {
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
    this.#hasChanged(kind);
    this.#changed?.({ kind, id: key, name });
  }

  #hasChanged(kind: string): void {
    const { revisions } = this.#all;
    this.#all.revision++;
    revisions.set(kind, (revisions.get(kind) ?? 0) + 1);
  }
}
