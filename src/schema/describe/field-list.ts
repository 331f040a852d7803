import { byNumber } from "../language/numbers.js";
import { isArray, Opcode } from "../language/opcode.js";
import { choiceText, conditionsText, lengthText, type Siblings } from "../language/rule-text.js";
import { isSensitive, type Sensitive, type SensitiveKind } from "../language/sensitive.js";
import type { Derived, Struct } from "../language/struct.js";
import type { Row } from "../language/type.js";

/** A value or bit that has a name; `number` as people write it: decimal, or hexadecimal for bits. */
interface NamedNumber {
  readonly number: string;
  readonly name: string;
}

/** One line in a list of declared fields. Its paths are those of filters and columns: `position.x`. */
export interface FieldFact {
  /** Names from the message or class down to the field. */
  readonly path: string;
  readonly kind: string;
  /**
   * When the field is present or the choice is made, by the fields beside it (for a field of a group, also those beside
   * the group): `flags & kHasPlayerID`; omitted if always.
   */
  readonly when?: string;
  /** Its length in bytes, if that is a number or given by another field. */
  readonly bytes?: number | string;
  /** Its number of elements. */
  readonly count?: number | string;
  /** When its bytes are compressed; omitted if never. */
  readonly compressed?: string;
  /** What its numbers mean, in words; empty if they speak for themselves. */
  readonly meaning: string;
  /** The values or bits that have names, each with its name. */
  readonly names?: readonly NamedNumber[];
  readonly doc: string;
  /** What is private about its values; omitted if nothing. */
  readonly sensitive?: readonly SensitiveKind[];
}

/** Most names that are all listed: more, such as those of every class of an engine, would bury everything else. */
export const MOST_NAMES = 200;
/** How many are listed of more than that. */
const FIRST_NAMES = 3;

/** The condition for the alternative of a choice that covers all values not listed. */
export const OTHERWISE = "otherwise";

/** Decides which structs a list goes into. */
type GoesInto = (struct: Struct) => boolean;

/**
 * Lists the fields of a struct, those of its bases first, each followed by the fields in it. A polymorphic field, such
 * as a creatable, is not expanded: its classes have lists of their own.
 *
 * @param goesInto decides whether the fields of a struct in a field are listed too
 */
export function fieldFacts(struct: Struct, goesInto: GoesInto = () => true): Generator<FieldFact> {
  return factsIn(struct, goesInto, "", new Map());
}

/** @param around the fields of the struct around a group, which its conditions may name */
function* factsIn(struct: Struct, goesInto: GoesInto, prefix: string, around: Siblings): Generator<FieldFact> {
  const { rows, derived } = struct;
  const siblings = struct.name === "" ? new Map([...around, ...rows]) : rows;
  for (const [name, row] of rows) {
    const when = conditionsText(row.conditions ?? [], siblings);
    yield* factsOf(row, { path: prefix + name, siblings, goesInto }, when);
  }
  for (const one of derived) yield derivedFact(one, prefix);
}

/** Lists only the struct's own fields, expanding none but groups, which have no list of their own. */
export function ownFacts(struct: Struct): FieldFact[] {
  return [...fieldFacts(struct, ({ name }) => name === "")];
}

function derivedFact(derived: Derived, prefix: string): FieldFact {
  const { name, doc } = derived;
  const names = derivedNames(derived);
  const named = names.length > 0 && { names };
  return { path: prefix + name, kind: "derived", meaning: derivedMeaning(derived), ...named, doc };
}

function derivedNames({ names = {}, areBits = false }: Derived): NamedNumber[] {
  return namesIn(areBits ? "flags" : "enumeration", byNumber(names));
}

function derivedMeaning(derived: Derived | undefined): string {
  if (derived === undefined) return "";
  return namesText(derivedNames(derived), derived.areBits === true ? " | " : ", ");
}

/** Where a field is: its path, and the fields that its rules may name. */
interface Place {
  readonly path: string;
  readonly siblings: Siblings;
  readonly goesInto: GoesInto;
}

function* factsOf(row: Row, place: Place, when: string): Generator<FieldFact> {
  const { compression } = row;
  const { path, siblings } = place;
  const names = namesOf(row);
  yield {
    path,
    kind: kindOf(row),
    ...(when !== "" && { when }),
    ...sizeOf(row, siblings),
    ...(compression && { compressed: conditionsText([compression.when], siblings) }),
    meaning: meaningText(row),
    ...(names.length > 0 && { names }),
    doc: stated(row, "doc") ?? "",
    ...sensitiveFact(stated(row, "sensitive")),
  };
  yield* partsOf(row, place);
}

/** Lists what is in a field, without the field itself. */
function* partsOf(row: Row, place: Place): Generator<FieldFact> {
  const { opcode, struct, elements = [] } = row;
  const inner = innerOf(row);
  if (opcode === Opcode.Struct && struct !== undefined) {
    if (place.goesInto(struct)) yield* factsIn(struct, place.goesInto, `${place.path}.`, place.siblings);
  } else if (opcode === Opcode.Choice) yield* alternatives(row, place);
  else if (inner !== undefined) yield* partsOf(inner, place);
  for (const element of elements) yield* partsOf(element, place);
}

/** Lists the types of a choice, each of them once, with the values that select it. */
function* alternatives(row: Row, place: Place): Generator<FieldFact> {
  const { selector = "", choices = new Map<number, Row>(), otherwise } = row;
  const chosen = new Map<Struct | Row, { readonly row: Row; readonly values: number[] }>();
  for (const [value, one] of choices) {
    const known = chosen.get(one.struct ?? one);
    if (known === undefined) chosen.set(one.struct ?? one, { row: one, values: [value] });
    else known.values.push(value);
  }
  for (const { row: one, values } of chosen.values()) {
    yield* factsOf(one, place, choiceText(selector, values, place.siblings));
  }
  if (otherwise !== undefined && !chosen.has(otherwise.struct ?? otherwise))
    yield* factsOf(otherwise, place, OTHERWISE);
}

/** Returns the row of an array's elements, or of the content of a region. */
function innerOf({ element, content }: Row): Row | undefined {
  return element ?? content;
}

function sizeOf(row: Row, siblings: Siblings): Pick<FieldFact, "bytes" | "count"> {
  const { opcode, width, length, elements, content } = row;
  if (elements !== undefined) return { count: elements.length };
  const size = length === undefined ? width : lengthText(length, siblings);
  if (isArray(opcode)) return { count: size };
  const { count } = content === undefined ? {} : sizeOf(content, siblings);
  return { ...(size !== 0 && { bytes: size }), ...(count !== undefined && { count }) };
}

/** Returns a member of the row or, failing that, of its elements or content, which have no line of their own. */
function stated<M extends keyof Row>(row: Row, member: M): Row[M] | undefined {
  const inner = innerOf(row);
  return row[member] ?? (inner && stated(inner, member));
}

function sensitiveFact(sensitive: Sensitive | undefined): Pick<FieldFact, "sensitive"> {
  if (typeof sensitive === "string") return isSensitive(sensitive) ? { sensitive: [sensitive] } : {};
  if (sensitive === undefined) return {};
  const kinds = [...sensitive.kinds.values(), sensitive.otherwise].filter(isSensitive);
  return { sensitive: [...new Set(kinds)] };
}

function kindOf(row: Row): string {
  const { opcode, family, base, struct, kind } = row;
  const inner = innerOf(row);
  if (isArray(opcode)) return inner === undefined ? "array" : `array of ${kindOf(inner)}`;
  if (opcode === Opcode.Region && inner !== undefined) return kindOf(inner);
  if (opcode === Opcode.Polymorphic) return base?.name ?? family?.name ?? kind;
  if (opcode === Opcode.Struct) return struct?.name || kind;
  return kind;
}

function meaningText(row: Row): string {
  const meaning = stated(row, "meaning");
  switch (meaning?.form) {
    case "enumeration":
      return namesText(namesOf(row), ", ");
    case "flags":
      return namesText(namesOf(row), " | ");
    case "reference":
      return `refers to ${meaning.to.join(" or ")}`;
    case "text":
      return "shown as text";
    case "remark":
      return "";
    case undefined:
      return derivedMeaning(stated(row, "struct")?.derivedValue) || (stated(row, "undeclared") ?? "");
  }
}

function namesOf(row: Row): NamedNumber[] {
  const derived = stated(row, "struct")?.derivedValue;
  if (derived !== undefined) return derivedNames(derived);
  const meaning = stated(row, "meaning");
  return meaning?.form === "enumeration" || meaning?.form === "flags" ? namesIn(meaning.form, meaning.names) : [];
}

function namesIn(form: "enumeration" | "flags", names: ReadonlyMap<number, string>): NamedNumber[] {
  return [...names].map(([number, name]) => ({
    number: form === "flags" ? `0x${number.toString(16)}` : String(number),
    name,
  }));
}

function namesText(names: readonly NamedNumber[], joint: string): string {
  const listed = names.length > MOST_NAMES ? names.slice(0, FIRST_NAMES) : names;
  const more = names.length - listed.length;
  return `${listed.map(({ number, name }) => `${number} = ${name}`).join(joint)}${more > 0 ? ` and ${more} more` : ""}`;
}
