import type { Family } from "../schema/family.js";
import type { Field } from "../schema/field.js";
import type { Struct } from "../schema/struct.js";

/** Something that is declared, or a part of it. */
export type Part = Struct | Family | Field;

/** What is declared to be in something, one level down: fields of structs, classes of families, types of fields. */
export function* partsOf(whole: Part): Generator<Part> {
  // Told apart by what they have: a dissector from outside may bring a schema language of its own.
  if ("tagField" in whole) {
    yield whole.tagField;
    yield* whole.classes();
  } else if ("opcode" in whole) {
    const { inner, otherwise, elements, choices, struct, family } = whole;
    for (const part of [inner, otherwise, ...elements, ...(choices?.values() ?? []), struct, family]) {
      if (part !== undefined) yield part;
    }
  } else yield* whole.fields;
}

/** A struct, then its base, and so on. */
export function* ancestry(struct: Struct): Generator<Struct> {
  for (let ancestor: Struct | undefined = struct; ancestor !== undefined; ancestor = ancestor.base) yield ancestor;
}

/** True for a class of this name, and for one that is derived from it. */
export function isNamed(struct: Struct, name: string): boolean {
  // Asked of many nodes: no generator.
  for (let ancestor: Struct | undefined = struct; ancestor !== undefined; ancestor = ancestor.base) {
    if (ancestor.name === name) return true;
  }
  return false;
}
