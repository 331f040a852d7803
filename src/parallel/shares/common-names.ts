import type { LimitName, Limits } from "../../limits.js";
import type { FrameOrder } from "../../network/frame-order.js";
import { type Learning, NameBook, type NamedThing } from "../../session/name-book.js";

/** What is made of a name that a thread asked for: a name for something else, or what nobody knows. */
export interface Made extends Learning {
  readonly thing: NamedThing | undefined;
}

/** When something happens: where a message stands, and the number that it has in its thread. */
export interface Moment {
  readonly frameOrder: FrameOrder;
  readonly number: number;
}

/** A name from some moment on; not known if a thread has made it without knowing enough. */
interface Since extends Moment {
  readonly name: string | undefined;
  readonly isDoubtful: boolean;
}

/** The names of a dissector in the conversations of all threads, each of which knows those of its own. */
class CommonNamesOfDissector {
  readonly #all: NameBook;
  /** The things whose names a thread has made without knowing enough. */
  readonly #doubtful = new Set<string>();
  /** The one that a message has brought. */
  #new = "";
  /** The names of those things whose names are wanted in the end. */
  readonly #histories = new Map<string, Since[]>();

  constructor(
    limits: Limits,
    reached: (limit: LimitName) => void,
    readonly unusual: (why: string) => void,
  ) {
    this.#all = new NameBook(limits, reached);
  }

  learn(thing: NamedThing, name: string | NamedThing, learning: Learning, moment: Moment): void {
    if (learning.isProvisional && this.#all.knows(thing.kind, thing.id)) return;
    if (typeof name === "object" && this.#isDoubtful(name)) this.#doubtful.add(keyOf(thing));
    else if (this.#isDoubtful(thing) && this.#new !== keyOf(thing)) this.#doubtful.delete(keyOf(thing));
    this.#new = "";
    this.#all.learn(thing, name, learning);
    this.#note(thing, moment);
  }

  /** Compares a name that a thread was told with the one that there is. */
  asked(thing: NamedThing, name: string | undefined, made: Made, moment: Moment): void {
    const known = this.#all.get(thing.kind, thing.id);
    if (known === name && !this.#isDoubtful(thing)) return;
    if (made.thing === undefined) this.unusual("a message depends on a name");
    else if (!made.isProvisional || !this.#all.knows(made.thing.kind, made.thing.id)) {
      this.#new = keyOf(made.thing);
      this.#doubtful.add(this.#new);
      this.#note(made.thing, moment);
    }
  }

  /** From now on, remembers the names of a thing. */
  follow(thing: NamedThing, moment: Moment): void {
    const key = keyOf(thing);
    if (this.#histories.has(key)) return;
    this.#histories.set(key, []);
    this.#note(thing, moment);
  }

  /** The name that a followed thing had at some moment. */
  nameAt(thing: NamedThing, { frameOrder, number }: Moment): string | undefined {
    const history = this.#histories.get(keyOf(thing)) ?? [];
    const isBefore = (one: Moment) =>
      one.frameOrder < frameOrder || (one.frameOrder === frameOrder && one.number <= number);
    const since = history.findLast(isBefore);
    if (since?.isDoubtful === true) this.unusual("a name is uncertain");
    return since?.name;
  }

  /** Most often, none is. */
  #isDoubtful(thing: NamedThing): boolean {
    return this.#doubtful.size > 0 && this.#doubtful.has(keyOf(thing));
  }

  #note(thing: NamedThing, moment: Moment): void {
    if (this.#histories.size === 0) return;
    const key = keyOf(thing);
    const name = this.#all.get(thing.kind, thing.id);
    this.#histories.get(key)?.push({ ...moment, name, isDoubtful: this.#doubtful.has(key) });
  }
}

/** The names in the conversations of all threads, by the names of dissectors. */
export class CommonNames {
  readonly #dissectors = new Map<string, CommonNamesOfDissector>();

  /** @param unusual called with why a name may not be the one that one thread would have */
  constructor(
    readonly limits: Limits,
    readonly unusual: (why: string) => void,
  ) {}

  of(dissector: string): CommonNamesOfDissector {
    let names = this.#dissectors.get(dissector);
    if (names === undefined) {
      names = new CommonNamesOfDissector(this.limits, this.#reached, this.unusual);
      this.#dissectors.set(dissector, names);
    }
    return names;
  }

  readonly #reached = (limit: LimitName): void => this.unusual(`the limit "${limit}" was reached`);
}

function keyOf({ kind, id }: NamedThing): string {
  return `${kind} ${id}`;
}
