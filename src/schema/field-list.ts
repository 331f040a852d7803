import type { Field } from "./field.js";
import type { Meaning } from "./meaning.js";
import { isArray, Opcode } from "./opcode.js";
import { isSensitive, type Sensitive, type SensitiveKind } from "./sensitive.js";
import type { Struct } from "./struct.js";

/** One line of a list of what is declared. */
export interface FieldFact {
  /** Names from the message or class down to the field, as filters and columns have them: `position.x`. */
  readonly path: string;
  readonly kind: string;
  /** What its numbers stand for, in words; empty if they speak for themselves. */
  readonly meaning: string;
  readonly doc: string;
  /** What is private in its values; left out if nothing. */
  readonly sensitive?: readonly SensitiveKind[];
}

/**
 * Lists the fields of a struct, those of its bases first, each followed by what is in it. What a class of its own
 * stands behind (a creatable, for one) is not followed: it has its own list.
 */
export function* fieldFacts(struct: Struct, prefix = ""): Generator<FieldFact> {
  for (const field of struct.fields) yield* factsOf(field, prefix + field.name);
  for (const { name, doc } of struct.derived) yield { path: prefix + name, kind: "derived", meaning: "", doc };
}

function* factsOf(field: Field, path: string): Generator<FieldFact> {
  yield {
    path,
    kind: kindOf(field),
    meaning: meaningText(field),
    doc: docOf(field),
    ...sensitiveFact(sensitiveOf(field)),
  };
  yield* partsOf(field, path);
}

/** What is in a field; the field itself has been told of. */
function* partsOf({ opcode, struct, inner, elements, alternatives }: Field, path: string): Generator<FieldFact> {
  if (opcode === Opcode.Struct && struct !== undefined) yield* fieldFacts(struct, `${path}.`);
  else if (opcode === Opcode.Choice) {
    // Choices with the same type, and none that would say the same again.
    const told = new Set<Struct>();
    for (const type of new Set(alternatives)) {
      if (type.struct !== undefined && told.has(type.struct)) continue;
      if (type.struct !== undefined) told.add(type.struct);
      yield* factsOf(type, path);
    }
  } else if (inner !== undefined) yield* partsOf(inner, path);
  for (const element of elements) yield* partsOf(element, path);
}

/** What a field tells, or else what is in it without a line of its own. */
function sensitiveOf({ sensitive, inner }: Field): Sensitive | undefined {
  return sensitive ?? (inner === undefined ? undefined : sensitiveOf(inner));
}

function sensitiveFact(sensitive: Sensitive | undefined): Pick<FieldFact, "sensitive"> {
  if (typeof sensitive === "string") return isSensitive(sensitive) ? { sensitive: [sensitive] } : {};
  if (sensitive === undefined) return {};
  const kinds = [...sensitive.kinds.values(), sensitive.otherwise].filter(isSensitive);
  return { sensitive: [...new Set(kinds)] };
}

function kindOf(field: Field): string {
  const { opcode, inner, family, base, struct } = field;
  if (isArray(opcode)) return inner === undefined ? "array" : `array of ${kindOf(inner)}`;
  if (opcode === Opcode.Region && inner !== undefined) return kindOf(inner);
  if (opcode === Opcode.Polymorphic) return base?.name ?? family?.name ?? field.kind;
  if (opcode === Opcode.Struct) return struct?.name || field.kind;
  return field.kind;
}

function docOf(field: Field): string {
  return field.doc || (field.inner === undefined ? "" : docOf(field.inner));
}

function meaningText({ meaning, inner, undeclared }: Field): string {
  if (meaning === undefined) return undeclared !== "" || inner === undefined ? undeclared : meaningText(inner);
  return describe(meaning);
}

function describe(meaning: Meaning): string {
  switch (meaning.form) {
    case "enumeration":
      return [...meaning.names].map(([value, name]) => `${value} = ${name}`).join(", ");
    case "flags":
      return [...meaning.names].map(([mask, name]) => `0x${mask.toString(16)} = ${name}`).join(" | ");
    case "reference":
      return `refers to ${meaning.to.join(" or ")}`;
    case "text":
      return "shown as text";
    case "remark":
      return "";
  }
}
