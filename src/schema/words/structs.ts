import { expectType } from "../language/is-type.js";
import { Struct, type StructOptions, StructType } from "../language/struct.js";
import { checkStruct } from "../language/struct-check.js";
import type { InferMembers, Members, TypeDescriptor } from "../language/type.js";
import { areTrusted } from "./trust.js";

/** Declares a struct with these members, in wire order. */
export function struct<M extends Members>(
  name: string,
  members: M,
  options: StructOptions = {},
): StructType<InferMembers<M>> {
  return declared(new Struct(named(name), undefined, descriptorsOf(name, members), options));
}

/** Returns the name of a class, and throws for anything that is none. */
function named(name: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  throw new Error(`the name of a struct is ${JSON.stringify(name)}; fields without a name are a group()`);
}

/** Declares a class derived from `base`, whose fields come first. */
export function derive<B, M extends Members>(
  name: string,
  base: StructType<B>,
  members: M,
  options: StructOptions = {},
): StructType<B & InferMembers<M>> {
  return declared(new Struct(named(name), base.struct, descriptorsOf(name, members), options));
}

/**
 * Declares fields that belong together without being a class of the protocol. Their conditions may also look at earlier
 * fields of the struct that the group is in.
 */
export function group<M extends Members>(members: M, options: StructOptions = {}): StructType<InferMembers<M>> {
  return declared(new Struct("", undefined, descriptorsOf("", members), options));
}

function descriptorsOf(name: string, members: Members): [string, TypeDescriptor][] {
  return Object.entries(members).map(([member, type]) => {
    expectType(type, `${name || "a group"}: ${member}`);
    return [member, type.descriptor];
  });
}

/** @throws Error for a mistake in the declaration */
function declared<V>(struct: Struct): StructType<V> {
  if (!areTrusted()) checkStruct(struct);
  return new StructType(struct);
}
