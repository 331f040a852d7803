import type { Derived } from "../language/derived.js";
import { byNumber } from "../language/meaning.js";
import { isArray, Opcode } from "../language/opcode.js";
import { choiceText, conditionsText, lengthText, type Siblings } from "../language/rule-text.js";
import { isSensitive, isSensitiveBy, nameOfKind, type Sensitive } from "../language/sensitive.js";
import type { Struct } from "../language/struct.js";
import type { TypeDescriptor } from "../language/type.js";

/** A value or bit that has a name; `number` as people write it: decimal, or hexadecimal for bits. */
interface NamedNumber {
  readonly number: string;
  readonly name: string;
}

/** One line in a list of declared fields. Its paths are those of filters and columns: `position.x`. */
export interface FieldFact {
  /** Names from the message or class down to the field. */
  readonly path: string;
  /** Its own name in JSON, which filters and columns know, too; omitted if that is the last of the path. */
  readonly inJson?: string;
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
  readonly sensitive?: readonly string[];
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
  const { descriptors, derived } = struct;
  const siblings = struct.name === "" ? new Map([...around, ...descriptors]) : descriptors;
  for (const [name, descriptor] of descriptors) {
    const when = conditionsText(descriptor.conditions ?? [], siblings);
    yield* factsOf(descriptor, { path: prefix + name, siblings, goesInto }, when);
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

function* factsOf(descriptor: TypeDescriptor, place: Place, when: string): Generator<FieldFact> {
  const { compression, jsonName } = descriptor;
  const { path, siblings } = place;
  const names = namesOf(descriptor);
  yield {
    path,
    ...(jsonName !== undefined && { inJson: jsonName }),
    kind: kindOf(descriptor),
    ...(when !== "" && { when }),
    ...sizeOf(descriptor, siblings),
    ...(compression && { compressed: conditionsText([compression.when], siblings) }),
    meaning: meaningText(descriptor),
    ...(names.length > 0 && { names }),
    doc: stated(descriptor, "doc") ?? "",
    ...sensitiveFact(stated(descriptor, "sensitive")),
  };
  yield* partsOf(descriptor, place);
}

/** Lists what is in a field, without the field itself. */
function* partsOf(descriptor: TypeDescriptor, place: Place): Generator<FieldFact> {
  const { opcode, struct, elements = [] } = descriptor;
  const inner = innerOf(descriptor);
  if (opcode === Opcode.Struct && struct !== undefined) {
    if (place.goesInto(struct)) yield* factsIn(struct, place.goesInto, `${place.path}.`, place.siblings);
  } else if (opcode === Opcode.Choice) yield* alternatives(descriptor, place);
  else if (inner !== undefined) yield* partsOf(inner, place);
  for (const element of elements) yield* partsOf(element, place);
}

/** Lists the types of a choice, each of them once, with the values that select it. */
function* alternatives(descriptor: TypeDescriptor, place: Place): Generator<FieldFact> {
  const { selector = "", choices = new Map<number, TypeDescriptor>(), otherwise, jsonName } = descriptor;
  const named = (one: TypeDescriptor) => (jsonName === undefined ? one : { jsonName, ...one });
  const chosen = new Map<Struct | TypeDescriptor, { readonly descriptor: TypeDescriptor; readonly values: number[] }>();
  for (const [value, one] of choices) {
    const known = chosen.get(one.struct ?? one);
    if (known === undefined) chosen.set(one.struct ?? one, { descriptor: one, values: [value] });
    else known.values.push(value);
  }
  for (const { descriptor: one, values } of chosen.values()) {
    yield* factsOf(named(one), place, choiceText(selector, values, place.siblings));
  }
  if (otherwise !== undefined && !chosen.has(otherwise.struct ?? otherwise))
    yield* factsOf(named(otherwise), place, OTHERWISE);
}

/** Returns the descriptor of an array's elements, or of the content of a region. */
function innerOf({ element, content }: TypeDescriptor): TypeDescriptor | undefined {
  return element ?? content;
}

function sizeOf(descriptor: TypeDescriptor, siblings: Siblings): Pick<FieldFact, "bytes" | "count"> {
  const { opcode, width, length, elements, content } = descriptor;
  if (elements !== undefined) return { count: elements.length };
  const size = length === undefined ? width : lengthText(length, siblings);
  if (isArray(opcode)) return { count: size };
  const { count } = content === undefined ? {} : sizeOf(content, siblings);
  return { ...(size !== 0 && { bytes: size }), ...(count !== undefined && { count }) };
}

/** Returns a member of the descriptor or, failing that, of its elements or content, which have no line of their own. */
function stated<M extends keyof TypeDescriptor>(descriptor: TypeDescriptor, member: M): TypeDescriptor[M] | undefined {
  const inner = innerOf(descriptor);
  return descriptor[member] ?? (inner && stated(inner, member));
}

function sensitiveFact(sensitive: Sensitive | undefined): Pick<FieldFact, "sensitive"> {
  if (sensitive === undefined) return {};
  if (!isSensitiveBy(sensitive)) return isSensitive(sensitive) ? { sensitive: [nameOfKind(sensitive)] } : {};
  const kinds = [...sensitive.kinds.values(), sensitive.otherwise].filter(isSensitive);
  return { sensitive: [...new Set(kinds.map(nameOfKind))] };
}

function kindOf(descriptor: TypeDescriptor): string {
  const { opcode, family, base, struct, kind } = descriptor;
  const inner = innerOf(descriptor);
  if (isArray(opcode)) return inner === undefined ? "array" : `array of ${kindOf(inner)}`;
  if (opcode === Opcode.Region && inner !== undefined) return kindOf(inner);
  if (opcode === Opcode.Polymorphic) return base?.name ?? family?.name ?? kind;
  if (opcode === Opcode.Struct) return struct?.name || kind;
  return kind;
}

function meaningText(descriptor: TypeDescriptor): string {
  const meaning = stated(descriptor, "meaning");
  switch (meaning?.form) {
    case "enumeration":
      return namesText(namesOf(descriptor), ", ");
    case "flags":
      return namesText(namesOf(descriptor), " | ");
    case "reference":
      return `refers to ${meaning.to.join(" or ")}`;
    case "text":
      return "shown as text";
    case "remark":
      return "";
    case undefined:
      return derivedMeaning(stated(descriptor, "struct")?.derivedValue) || (stated(descriptor, "undeclared") ?? "");
  }
}

function namesOf(descriptor: TypeDescriptor): NamedNumber[] {
  const derived = stated(descriptor, "struct")?.derivedValue;
  if (derived !== undefined) return derivedNames(derived);
  const meaning = stated(descriptor, "meaning");
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
