import type { Json } from "../common/json.js";
import type { VariablesEvent } from "../dissector/state-event.js";
import type { Moment } from "./moment.js";

/** A statement about the variables of an object. */
export interface VariablesLine extends Omit<VariablesEvent, "kind"> {
  readonly at: Moment;
  /** Names of the variables whose values are new, or others than before. */
  readonly changed: readonly string[];
}

/** The variables of an object by now. */
export interface ObjectState {
  readonly object: string;
  readonly set: string;
  version: number;
  last: Moment;
  readonly values: Map<string, { readonly value: Json; readonly at: Moment }>;
}

/** The states of objects over time, as clients have sent them and servers have relayed them. */
export class VariableLog {
  readonly #objects = new Map<string, ObjectState>();

  /** The objects, in the order in which they were first mentioned. */
  get objects(): Iterable<ObjectState> {
    return this.#objects.values();
  }

  take({ kind: _, ...said }: VariablesEvent, at: Moment): VariablesLine {
    const { object, set, version, values } = said;
    const key = JSON.stringify([object, set]);
    let state = this.#objects.get(key);
    if (state === undefined) {
      state = { object, set, version, last: at, values: new Map() };
      this.#objects.set(key, state);
    }
    state.version = version;
    state.last = at;
    const changed: string[] = [];
    for (const [name, value] of Object.entries(values ?? {})) {
      const before = state.values.get(name);
      if (before !== undefined && JSON.stringify(before.value) === JSON.stringify(value)) continue;
      state.values.set(name, { value, at });
      changed.push(name);
    }
    return { ...said, at, changed };
  }
}
