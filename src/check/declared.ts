import type { Json } from "../common/json.js";
import { ancestry, isField, reachable } from "../schema/describe/declared-parts.js";
import { type Field, UNDISSECTED_NAME } from "../schema/language/field.js";
import { Opcode } from "../schema/language/opcode.js";
import type { Struct } from "../schema/language/struct.js";

/** What the declarations say about values, without their bytes. */

/** Names of a struct and of the structs that it is derived from. */
export const ancestors: (struct: Struct) => readonly string[] = foundOnce((struct) =>
  [...ancestry(struct)].map(({ name }) => name).filter((name) => name !== ""),
);

/** The fields of a struct that only give the length of others (bytes, texts, regions), and so follow from those. */
export const lengthsIn: (struct: Struct) => ReadonlySet<string> = foundOnce(
  (struct) => new Set(struct.fields.flatMap((field) => [...claimsOf(field, struct)])),
);

/** The members of a struct in the order in which they are declared: other programs may have sorted them. */
export function inOrder(struct: Struct, value: { readonly [name: string]: Json }): readonly [string, Json][] {
  const places = placesIn(struct);
  // The names of a class and of its tag come first.
  return sorted(Object.entries(value), (name) => places.get(name) ?? -1);
}

/** Sorts members by place, then by name. */
export function sorted(
  members: readonly [string, Json][],
  placeOf: (name: string) => number,
): readonly [string, Json][] {
  const order = ([one]: readonly [string, Json], [other]: readonly [string, Json]) =>
    placeOf(one) - placeOf(other) || (one < other ? -1 : 1);
  const isSorted = members.every((member, index) => {
    const next = members[index + 1];
    return next === undefined || order(member, next) < 0;
  });
  return isSorted ? members : [...members].sort(order);
}

const placesIn: (struct: Struct) => ReadonlyMap<string, number> = foundOnce((struct) => {
  const names = [...struct.fields, ...struct.derived].map(({ name }) => name);
  const places = new Map([...names, UNDISSECTED_NAME].map((name, place) => [name, place]));
  for (const [name, field] of otherNames(struct)) places.set(name, places.get(field.name) ?? -1);
  return places;
});

/** The names by which JSON may have a field, or an alternative of it, besides its own: see `Type.inJson`. */
export const otherNames: (struct: Struct) => ReadonlyMap<string, Field> = foundOnce((struct) => {
  const own = new Set(struct.descriptors.keys());
  const names = struct.fields.flatMap((field) =>
    namesOf(field)
      .filter((name) => !own.has(name))
      .map((name) => [name, field] as const),
  );
  return new Map(names);
});

function namesOf({ jsonName, inner, alternatives, otherForm }: Field): readonly string[] {
  const within = [...(inner === undefined || inner.name === "" ? [] : [inner]), ...alternatives];
  return [jsonName, ...[...within, ...(otherForm === undefined ? [] : [otherForm.content])].flatMap(namesOf)];
}

/** Caches the result for each struct. */
function foundOnce<T>(find: (struct: Struct) => T): (struct: Struct) => T {
  const known = new WeakMap<Struct, T>();
  return (struct) => {
    const found = known.get(struct) ?? find(struct);
    known.set(struct, found);
    return found;
  };
}

function* claimsOf(field: Field, struct: Struct): Generator<string> {
  const { opcode, length, compression, inner, alternatives } = field;
  if (opcode === Opcode.Bytes || opcode === Opcode.Text || opcode === Opcode.Region) {
    if (length.claimedBy !== "") yield length.claimedBy;
    const inflated = struct.fields.find(({ name }) => name === compression?.inflatedLength);
    if (inflated !== undefined) yield inflated.name;
  }
  if (inner !== undefined) yield* claimsOf(inner, struct);
  for (const alternative of alternatives) yield* claimsOf(alternative, struct);
}

/** A number that has no name, where others have one. */
const WHOLE = /^-?\d+$/;

/** The number behind a value in JSON; undefined if the value does not show it. */
export function numberOf({ meaning }: Field, value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (meaning?.form !== "enumeration") return undefined;
  for (const [number, name] of meaning.names) if (name === value) return number;
  return typeof value === "string" && WHOLE.test(value) ? Number(value) : undefined;
}

/**
 * Unites the kinds of things that the same number may stand for, since a field may refer to one of several kinds. A
 * player, for one, is also a node of the vault.
 */
export class Kinds {
  readonly #representative = new Map<string, string>();

  constructor(messages: readonly Struct[]) {
    for (const part of reachable(messages)) {
      if (isField(part) && part.meaning?.form === "reference") this.#unite(part.meaning.to);
    }
  }

  /** The kind that represents all kinds of things that a value of a field may stand for. */
  of({ meaning, sameness }: Field): string {
    if (sameness?.form === "stands for") return sameness.what;
    return meaning?.form === "reference" ? this.representing(meaning.to) : "";
  }

  /** The kind that represents all that a number may stand for. */
  representing([first = ""]: readonly string[]): string {
    return this.#find(first);
  }

  #unite([first = "", ...others]: readonly string[]): void {
    for (const other of others) {
      const [a, b] = [this.#find(first), this.#find(other)];
      if (a !== b) this.#representative.set(b, a);
    }
  }

  #find(kind: string): string {
    const next = this.#representative.get(kind);
    return next === undefined ? kind : this.#find(next);
  }
}
