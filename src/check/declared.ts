import { ancestry, isField, reachable } from "../filter/parts.js";
import type { Field } from "../schema/field.js";
import type { Json } from "../schema/json.js";
import { Opcode } from "../schema/opcode.js";
import type { Struct } from "../schema/struct.js";

/** What the declarations say about values, without their bytes. */

/** Names of a struct and of the structs that it is derived from. */
export const ancestors: (struct: Struct) => readonly string[] = foundOnce((struct) =>
  [...ancestry(struct)].map(({ name }) => name).filter((name) => name !== ""),
);

/** The fields of a struct that only give the length of others (bytes, texts, regions), and so follow from those. */
export const lengthsIn: (struct: Struct) => ReadonlySet<string> = foundOnce(
  (struct) => new Set(struct.fields.flatMap((field) => [...claimsOf(field, struct)])),
);

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
  const { opcode, length, inflatedLengthSlot, inner, alternatives } = field;
  if (opcode === Opcode.Bytes || opcode === Opcode.Text || opcode === Opcode.Region) {
    if (length.claimedBy !== "") yield length.claimedBy;
    const inflated = struct.fields.find(({ slot }) => slot >= 0 && slot === inflatedLengthSlot);
    if (inflated !== undefined) yield inflated.name;
  }
  if (inner !== undefined) yield* claimsOf(inner, struct);
  for (const alternative of alternatives) yield* claimsOf(alternative, struct);
}

/** The number behind a value in JSON; undefined if the value does not show it. */
export function numberOf({ meaning }: Field, value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (meaning?.form !== "enumeration") return undefined;
  for (const [number, name] of meaning.names) if (name === value) return number;
  return undefined;
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
    return meaning?.form === "reference" ? this.#find(meaning.to[0] ?? "") : "";
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
