import type { Json } from "../../common/json.js";
import type { Derived } from "../language/derived.js";
import type { FieldTree } from "../language/field-tree.js";
import { byNumber, flagNames, type Names } from "../language/meaning.js";

/** JSON Schema of flags: their names, and the bits without a name as one hexadecimal number. */
export function flagsSchema(names: ReadonlyMap<number, string>): { readonly [keyword: string]: Json } {
  const unnamed = { type: "string", pattern: "^0x[0-9a-f]+$" };
  return { type: "array", items: { anyOf: [{ enum: [...new Set(names.values())] }, unnamed] } };
}

/** A number of up to 32 bits that no single field holds, and the names of its bits. */
export interface DerivedFlags {
  readonly doc: string;
  /** `{ kName: 1 << 0, ... }` */
  readonly names: Names;
  /** The number for the struct at `node`, or undefined if it has none. */
  readonly of: (nodes: FieldTree, node: number) => number | undefined;
}

/** A derived value: the names of the bits that are set in a number. Filters treat it as they treat a field of flags. */
export function derivedFlags(name: string, { doc, names, of }: DerivedFlags): Derived {
  const byBit = byNumber(names);
  const meaning: Derived["of"] = (nodes, node) => {
    const value = of(nodes, node);
    return value === undefined ? undefined : flagNames(byBit, value);
  };
  return { name, doc, schema: flagsSchema(byBit), of, meaning, names, areBits: true };
}
