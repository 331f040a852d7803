import type { Family } from "../language/family.js";
import type { Field } from "../language/field.js";
import type { Struct } from "../language/struct.js";

/** Something that is declared, or a part of it. */
export type DeclaredPart = Struct | Family | Field;

/**
 * True for a field. Does not rely on its class, since an external dissector may bring its own copy of the schema
 * language.
 */
export function isField(part: DeclaredPart): part is Field {
  return "opcode" in part;
}

/** True for a family, whichever copy of the schema language made it. */
export function isFamily(part: DeclaredPart): part is Family {
  return "tagField" in part;
}

/** True for a struct, whichever copy of the schema language made it. */
export function isStruct(part: DeclaredPart): part is Struct {
  return !isField(part) && !isFamily(part);
}

/** Lists the parts that are declared one level down: fields of structs, classes of families, types of fields. */
export function* partsOf(whole: DeclaredPart): Generator<DeclaredPart> {
  if (isFamily(whole)) {
    yield whole.tagField;
    yield* whole.classes();
  } else if (isField(whole)) {
    const { inner, otherForm, elements, alternatives, struct, family } = whole;
    for (const part of [inner, otherForm?.content, ...elements, ...alternatives, struct, family]) {
      if (part !== undefined) yield part;
    }
  } else yield* whole.fields;
}

/** Returns the given parts and everything below them. */
export function reachable(wholes: Iterable<DeclaredPart>): Set<DeclaredPart> {
  const found = new Set(wholes);
  // Iterating over a set includes what is added to it on the way.
  for (const whole of found) for (const part of partsOf(whole)) found.add(part);
  return found;
}

/** Lists a struct, then its base, and so on. */
export function* ancestry(struct: Struct): Generator<Struct> {
  for (let ancestor: Struct | undefined = struct; ancestor !== undefined; ancestor = ancestor.base) yield ancestor;
}

/** True for a class with this name, and for one that is derived from it. */
export function isNamed(struct: Struct, name: string): boolean {
  // Called for many nodes, so without a generator.
  for (let ancestor: Struct | undefined = struct; ancestor !== undefined; ancestor = ancestor.base) {
    if (ancestor.name === name) return true;
  }
  return false;
}
