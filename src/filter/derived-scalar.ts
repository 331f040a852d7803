import type { Json } from "../common/json.js";
import type { Derived } from "../schema/language/derived.js";
import { byNumber } from "../schema/language/meaning.js";
import type { Naming } from "./named-numbers.js";
import { NamedNumber, type Scalar } from "./scalar.js";

/**
 * Returns a derived value for filters and columns, with the names of its numbers.
 *
 * @param meant the same value as JSON shows it
 */
export function derivedScalar(derived: Derived, value: Json, meant: Json): Scalar {
  if (Array.isArray(value) && Array.isArray(meant)) {
    return meant.map((each, index) => derivedScalar(derived, value[index] ?? each, each));
  }
  if (derived.areBitNumbers === true && typeof value === "number") {
    return new NamedNumber(value, String(meant), namingOf(derived));
  }
  const name = derived.areBits === true && Array.isArray(meant) ? meant.join("|") : meant;
  if (typeof value !== "number" || typeof name !== "string") return meant;
  return new NamedNumber(value, name, namingOf(derived));
}

const namings = new WeakMap<Derived, Naming>();

function namingOf(derived: Derived): Naming {
  const known = namings.get(derived);
  if (known !== undefined) return known;
  const names = byNumber(derived.names ?? {});
  const naming: Naming = { form: formOf(derived), names };
  namings.set(derived, naming);
  return naming;
}

function formOf({ areBits, areBitNumbers }: Derived): Naming["form"] {
  if (areBitNumbers === true) return "bit numbers";
  return areBits === true ? "flags" : "enumeration";
}
