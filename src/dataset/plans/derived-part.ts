import { uniformly } from "../../output/json/json-names.js";
import type { ColumnType } from "../../schema/columns/column-type.js";
import type { Derived } from "../../schema/language/derived.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { BooleanValues } from "../columns/boolean-values.js";
import type { Builder } from "../columns/builder.js";
import { NumberValues } from "../columns/number-values.js";
import { PrefixedValues } from "../columns/prefixed-values.js";
import { fromJson } from "../from-json.js";
import type { Value } from "../table.js";
import { type EnterValue, MISFIT, NO_PART, type Part } from "./part.js";

/** Returns what a value that follows from others is in a column. @param absent the level of one that is not there */
export function derivedPart(builder: Builder, type: ColumnType, derived: Derived, absent: number): Part {
  const json = uniformly(derived);
  /** Undefined if there is none, null if it is null or does not fit. */
  const value = (nodes: FieldTree, node: number): Value => {
    const made = json(nodes, node);
    return made === undefined ? undefined : (fromJson(type, made) ?? null);
  };
  if ("element" in builder) {
    const append = (nodes: FieldTree, node: number, repetition: number): boolean => {
      const made = value(nodes, node);
      if (made !== undefined) return builder.add(made, repetition);
      builder.absent(absent, repetition);
      return true;
    };
    return { kind: "list", leaves: builder.leaves, append };
  }
  if (!("leaf" in builder)) return NO_PART;
  const { leaf } = builder;
  const { values, deepest } = leaf;
  if (values instanceof NumberValues || values instanceof BooleanValues) {
    return { kind: "number", leaf, values, read: value, opcode: undefined, otherwise: MISFIT, absent };
  }
  if (!(values instanceof PrefixedValues)) return NO_PART;
  const enter: EnterValue = (nodes, node) => {
    const made = value(nodes, node);
    if (made === undefined) return absent;
    if (made === null) return deepest - 1;
    return values.enter(made) ? deepest : MISFIT;
  };
  const enterHex = bytesEntry(values, deepest, derived, absent);
  return { kind: "text", leaf, values, enter: enterHex ?? enter };
}

/** Returns what enters bytes in hexadecimal; undefined for any other value. */
function bytesEntry(
  values: PrefixedValues,
  deepest: number,
  { bytes: bytesOf }: Derived,
  absent: number,
): EnterValue | undefined {
  if (bytesOf === undefined || values.type !== "text") return undefined;
  return (nodes, node) => {
    const bytes = bytesOf(nodes, node);
    if (bytes === undefined) return absent;
    values.enterHex(bytes);
    return deepest;
  };
}
