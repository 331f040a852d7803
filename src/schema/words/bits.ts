import { expectMembers } from "../../common/expect-object.js";
import type { Json } from "../../common/json.js";
import { checkMask } from "../language/condition.js";
import type { Derived } from "../language/derived.js";
import { byNumber, type Names } from "../language/meaning.js";

/** Some of the bits of a field, and what they mean. */
export interface Bits {
  /** The field that holds the number; if that has 64 bits, the lowest 32 of them are used. */
  readonly field: string;
  /** The bits, which must be adjacent: 0x06 for the second and the third one. */
  readonly mask: number;
  readonly doc?: string;
  /** Names of the values, each with the number in the bits. JSON shows the names; filters accept both. */
  readonly names?: Names;
}

/**
 * Declares a derived value: the number in some of the bits of a field, shifted down.
 *
 * @throws Error if the bits of the mask are not adjacent, or not among the lowest 32, or if a name is for a number that
 * does not fit into them
 */
export function bits(name: string, options: Bits): Derived {
  expectMembers(options, ["field", "mask", "doc", "names"], "an option of bits()", name);
  const { field, mask, doc = "", names = {} } = options;
  checkMask(mask, name);
  const lowest = 31 - Math.clz32(mask & -mask);
  const most = mask >>> lowest;
  if ((most & (most + 1)) !== 0) throw new Error(`${name} uses the bits of ${mask}, which are not adjacent`);
  const number: Json = { type: "integer", minimum: 0, maximum: most };
  const nameOf = byNumber(names);
  for (const [value, text] of nameOf) {
    if (value < 0 || value > most) throw new Error(`${text} names ${value}, but ${name} is 0 to ${most}`);
  }
  const of: Derived["of"] = (nodes, node) => {
    const at = nodes.child(node, field);
    if (at < 0) return undefined;
    const value = nodes.value(at);
    const low = typeof value === "bigint" ? Number(BigInt.asUintN(32, value)) : Number(value);
    return (low & mask) >>> lowest;
  };
  if (nameOf.size === 0) return { name, doc, bitsOf: field, mask, schema: number, of };
  const meaning: Derived["of"] = (nodes, node) => {
    const value = of(nodes, node);
    return nameOf.get(Number(value)) ?? value;
  };
  const schema: Json = { anyOf: [{ enum: [...nameOf.values()] }, number] };
  return { name, doc, bitsOf: field, mask, schema, of, meaning, names };
}
