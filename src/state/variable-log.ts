import type { Json } from "../common/json.js";
import type { Party, VariablesEvent } from "../dissector/state-event.js";
import type { Moment } from "./moment.js";

/** A statement about the variables of an object. */
export interface VariablesLine extends Omit<VariablesEvent, "kind"> {
  readonly at: Moment;
  /** Names of the variables whose values are new, or others than the last ones on the same way. */
  readonly changed: readonly string[];
}

/** The value of a variable, since when it is known, and when it was said last. */
export interface Stated {
  readonly value: Json;
  readonly at: Moment;
  readonly last: Moment;
}

/** What was said last about a variable: by a client, and by the server. */
export interface VariableState {
  readonly sent?: Stated;
  readonly relayed?: Stated;
}

/** The variables of an object by now. */
export interface ObjectState {
  /** Tells it from all others. */
  readonly key: string;
  readonly object: string;
  owner?: Party | undefined;
  place?: Party | undefined;
  readonly set: string;
  version: number;
  last: Moment;
  readonly values: Map<string, VariableState>;
}

/** The states of objects over time, as clients have sent them and servers have relayed them. */
export class VariableLog {
  readonly #objects = new Map<string, ObjectState>();

  /** The objects, in the order in which they were first mentioned. */
  get objects(): Iterable<ObjectState> {
    return this.#objects.values();
  }

  take({ kind: _, ...said }: VariablesEvent, at: Moment): VariablesLine {
    const { object, key: identity, owner, place, set, version, values, isRelayed } = said;
    const key = JSON.stringify([object, identity ?? owner?.id, place?.id, set]);
    let state = this.#objects.get(key);
    if (state === undefined) {
      state = { key, object, owner, place, set, version, last: at, values: new Map() };
      this.#objects.set(key, state);
    }
    state.version = version;
    state.owner = owner;
    state.place = place;
    state.last = at;
    const changed: string[] = [];
    for (const [name, value] of Object.entries(values ?? {})) {
      const { sent, relayed } = state.values.get(name) ?? {};
      const [own, other] = isRelayed ? [relayed, sent] : [sent, relayed];
      const before = own ?? other;
      const isNew = before === undefined || !areEqual(before.value, value);
      // If the other side has said something else meanwhile, it is known only since now.
      const isContradicted =
        own !== undefined &&
        other !== undefined &&
        other.last.number > own.last.number &&
        !areEqual(other.value, value);
      const isKnown = !isNew && !isContradicted;
      const stated = { value, at: isKnown ? before.at : at, last: at };
      state.values.set(
        name,
        isRelayed ? { ...(sent && { sent }), relayed: stated } : { sent: stated, ...(relayed && { relayed }) },
      );
      if (isNew) changed.push(name);
    }
    return { ...said, at, changed };
  }
}

/** The latest of what both sides have said of a variable, and what the other one said if that is not the same. */
export function latestOf({ sent, relayed }: VariableState): { readonly latest?: Stated; readonly other?: Stated } {
  if (sent === undefined || relayed === undefined) {
    const latest = sent ?? relayed;
    return latest === undefined ? {} : { latest };
  }
  const [latest, other] = sent.at.number >= relayed.at.number ? [sent, relayed] : [relayed, sent];
  return areEqual(latest.value, other.value) ? { latest } : { latest, other };
}

function areEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
