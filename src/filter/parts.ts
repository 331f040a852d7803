import type { Family } from "../schema/family.js";
import type { Field } from "../schema/field.js";
import type { Struct } from "../schema/struct.js";

/** Something that is declared, or a part of it. */
export type Part = Struct | Family | Field;

/**
 * True for a field; not by its class, because a dissector from outside may bring its own copy of the schema language.
 */
export function isField(part: Part): part is Field {
  return "opcode" in part;
}

/** True for a family of classes, wherever its own class comes from. */
export function isFamily(part: Part): part is Family {
  return "tagField" in part;
}

/** True for a struct, wherever its own class comes from. */
export function isStruct(part: Part): part is Struct {
  return !isField(part) && !isFamily(part);
}

/** What is declared to be in something, one level down: fields of structs, classes of families, types of fields. */
export function* partsOf(whole: Part): Generator<Part> {
  if (isFamily(whole)) {
    yield whole.tagField;
    yield* whole.classes();
  } else if (isField(whole)) {
    const { inner, elements, alternatives, struct, family } = whole;
    for (const part of [inner, ...elements, ...alternatives, struct, family]) {
      if (part !== undefined) yield part;
    }
  } else yield* whole.fields;
}

/** All parts of something, and it itself. */
export function reachable(wholes: Iterable<Part>): Set<Part> {
  const found = new Set(wholes);
  // A set also goes through what is added to it on the way.
  for (const whole of found) for (const part of partsOf(whole)) found.add(part);
  return found;
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
