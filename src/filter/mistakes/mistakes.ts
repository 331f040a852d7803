import { misspelt, suggestion } from "../../common/nearest.js";
import { type Field, hasWholeNumbers, isWholeNumber } from "../../schema/language/field.js";
import { fits, isArray, isBoolean, isFloat, Opcode, rangeOf } from "../../schema/language/opcode.js";
import { derivedKind, derivedTakes, derivedValue, FLAGS, isComparison, type Use } from "../derived-value.js";
import { maskOf, numberNamed } from "../named-numbers.js";
import type { Value } from "../value.js";
import { CLASS, type DerivedTerm, type Term } from "../vocabulary.js";

/**
 * Says why nothing with this name can ever satisfy a comparison with the value, which must therefore be a mistake;
 * undefined if something can. Otherwise the empty result of `result == kNetSucces` would be taken for the truth.
 */
export function mistakeIn(term: Term, use: Use, value: Value): string | undefined {
  if (term.name === CLASS && value.isText) return misspeltClass(term, use, value);
  const fields = comparable(term);
  const derived = derivedIn(term).map(derivedValue);
  if (term.isOpen || fields.length + derived.length === 0) return undefined;
  if (fields.some((field) => takes(field, use, value)) || derived.some((each) => derivedTakes(each, use, value))) {
    return undefined;
  }
  const isCompared = isComparison(use);
  const named = derived.filter(({ areBits, areBitNumbers }) => areBits || areBitNumbers || isCompared);
  const names = [...namesIn(fields), ...named.flatMap((each) => each.names)];
  if (names.length > 0 && (value.isText ? isCompared : value.isWord && use !== "slice")) {
    const meant = suggestion(value.text, names);
    // Which texts there can be is not known: the name may be one of them.
    const hasOthers = derived.some(({ isText }) => isText);
    if (meant !== "" || !hasOthers)
      return `${term.name} has no value ${value.text}${meant || `; it has ${some(names)}`}`;
  }
  const kinds = [...new Set([...fields.map((field) => kindOf(field, use, value)), ...derived.map(derivedKind)])];
  if (use === "slice") return `a part of ${term.name} is compared with bytes (01:02:ff) or a text in quotes`;
  if (kinds.join() === OBJECT) {
    const orNull = isCompared ? ", or compare it with null" : "";
    return `${term.name} is ${OBJECT}: add the name of a field (${term.name}.field)${orNull}`;
  }
  if (use === "contained" || use === "matched") {
    const parts = use === "contained" ? partsOf(term, kinds, names, value) : undefined;
    return parts ?? `${term.name} is ${list(kinds)}, which cannot be searched`;
  }
  if (use === "bits" && fields.length === 0 && derived.some(({ areBitNumbers }) => areBitNumbers)) {
    return `${term.name} is a list of bits: what is left of it is not compared; ${term.name} & ... is true if one is set`;
  }
  if (use === "mask" || use === "bits") return `${term.name} is ${list(kinds)}: ${value.text} names none of its bits`;
  return `${term.name} is ${list(kinds)}${rangeIn(fields, use, value)}, which ${value.text} is not`;
}

/** The numbers that fields can hold, if a whole number is none of them. */
function rangeIn(fields: readonly Field[], use: Use, { number }: Value): string {
  if (use !== "compared" || !Number.isInteger(number)) return "";
  const ranges = fields.filter((field) => isNumber(field) && !isBoolean(field.opcode)).map(rangeOf);
  const least = Math.min(...ranges.map((range) => range.least));
  const greatest = Math.max(...ranges.map((range) => range.greatest));
  return Number.isSafeInteger(greatest) ? ` from ${least} to ${greatest}` : "";
}

/** Of an undeclared class only the number may be known, so that in quotes any name may be that of one. */
function misspeltClass({ derived }: Term, use: Use, { text }: Value): string | undefined {
  const names = derived.flatMap((each) => derivedValue(each).names);
  const meant = use === "compared" && !names.includes(text) ? misspelt(text, names) : undefined;
  return meant === undefined ? undefined : `no class is called ${text}; did you mean ${meant}?`;
}

/** Says what can be contained in fields, if anything can. */
function partsOf({ name }: Term, kinds: readonly string[], names: readonly string[], value: Value): string | undefined {
  if (kinds.includes(BYTES))
    return `${name} is searched for bytes (01:02:ff) or a text in quotes, which ${value.text} is not`;
  if (!kinds.includes(FLAGS))
    return names.length > 0 ? `no name of a value of ${name} contains ${value.text}` : undefined;
  const instead = value.integer === undefined ? `it has ${some(names)}` : `for its bits, write ${name} & ${value.text}`;
  return `${name} is searched for names of flags, which ${value.text} is not; ${instead}`;
}

/** Says why nothing with this name has a value; undefined if something has. */
export function lackOf(term: Term): string | undefined {
  if (derivedIn(term).length > 0 || term.isOpen || comparable(term).length > 0) return undefined;
  if ([...term.structs].some(({ shownAs, valueField }) => (shownAs ?? valueField) !== undefined)) return undefined;
  return `${term.name} has no value of its own, only fields: add the name of one (${term.name}.field)`;
}

/** True for the name of a value that something with this name can have. */
export function hasValueNamed(term: Term, name: string): boolean {
  const derived = derivedIn(term).map(derivedValue);
  return (
    namesIn(comparable(term)).includes(name) ||
    derived.some(({ names, isAnything }) => isAnything || names.includes(name))
  );
}

/** True if something with this name can be used with a value. */
export function canTake(term: Term, use: Use, value: Value): boolean {
  return comparable(term).some((field) => takes(field, use, value));
}

/** Returns the fields whose values can be compared; none if nothing is known about them. */
function comparable(term: Term): Field[] {
  return [...term.fields].flatMap(valuesOf);
}

/** Returns the derived values with this name, and those that fields with this name stand for. */
function derivedIn(term: Term): DerivedTerm[] {
  return [...term.derived, ...[...term.fields].flatMap((field) => derivedOf(field))];
}

function derivedOf({ struct, inner, elements, alternatives }: Field): DerivedTerm[] {
  const own = struct?.derivedValue === undefined ? [] : [struct.derivedValue];
  const parts = inner === undefined ? [...elements, ...alternatives] : [inner, ...elements, ...alternatives];
  return [...own, ...parts.flatMap(derivedOf)];
}

/** Returns the fields that hold a field's values: an array's elements, or else itself; none if it has no value. */
function valuesOf(field: Field): Field[] {
  const { opcode, inner, elements } = field;
  if (opcode === Opcode.Tuple) return elements.flatMap(valuesOf);
  if (isArray(opcode)) return inner === undefined ? [] : valuesOf(inner);
  // The content of a choice or region has the same name, and is listed itself.
  if (opcode === Opcode.Choice || opcode === Opcode.Region) return [];
  const valueField = field.struct?.fields.find(({ name }) => name === field.struct?.valueField);
  if (valueField !== undefined) return formsOf(valueField).flatMap(valuesOf);
  const isReference = field.meaning?.form === "reference";
  if (opcode === Opcode.Struct && field.struct?.shownAs === undefined && !isReference) return [];
  return [field];
}

/** Returns the field with what a choice or region may contain in its place. */
function formsOf(field: Field): Field[] {
  const { opcode, inner, alternatives } = field;
  if (opcode === Opcode.Choice) return alternatives.flatMap(formsOf);
  return opcode === Opcode.Region && inner !== undefined ? formsOf(inner) : [field];
}

function takes(field: Field, use: Use, value: Value): boolean {
  const { opcode, meaning } = field;
  if (use === "mask") return hasWholeNumbers(field) && maskOf(field.meaning, value) !== undefined;
  if (use === "slice") return isText(field) || opcode === Opcode.Uuid || value.bytes !== undefined;
  if (meaning?.form === "enumeration" || meaning?.form === "flags") {
    if (use === "matched" || numberNamed(meaning, value.text) !== undefined) return true;
    if (use === "contained") return meaning.form === "enumeration" && isInNames(meaning.names, value.text);
    if (use === "compared" && meaning.form === "enumeration") return isInRange(field, value);
    return isComparison(use) ? !Number.isNaN(value.number) : value.integer !== undefined;
  }
  if (use === "bits") return value.integer !== undefined;
  if (meaning?.form === "reference" && isComparison(use)) return refersBy(field, use, value);
  const like = opcode === Opcode.Struct ? field.struct?.shownLike : undefined;
  if (like !== undefined && isComparison(use)) return value.instant !== undefined || like.pattern.test(value.text);
  if (meaning !== undefined || isText(field)) return true;
  if (opcode === Opcode.Polymorphic) return value.text === "null" || use === "matched";
  if (use === "matched") return opcode === Opcode.Uuid || isBytes(opcode);
  if (use === "contained") return opcode === Opcode.Uuid || (isBytes(opcode) && value.bytes !== undefined);
  if (isBoolean(opcode)) {
    if (value.text === "true" || value.text === "false") return true;
    return use === "compared" ? value.number === 0 || value.number === 1 : value.integer !== undefined;
  }
  if (isFloat(opcode)) return value.real !== undefined;
  if (isNumber(field)) return isNumberFor(field, use, value);
  if (opcode === Opcode.Uuid) return value.uuid !== undefined || (use === "ordered" && value.isText);
  return !isBytes(opcode) || value.bytes !== undefined;
}

/** True for a number that a field can be equal to, or, unless that is asked, for any. */
function isNumberFor(field: Field, use: Use, value: Value): boolean {
  return use === "compared" ? Number.isInteger(value.number) && isInRange(field, value) : !Number.isNaN(value.number);
}

/** True for a number that the bytes of a field can hold. */
function isInRange(field: Field, { number }: Value): boolean {
  return !Number.isNaN(number) && fits(number, field);
}

/** True for what may be the name of something, and for what may identify it. */
function refersBy(field: Field, use: Use, value: Value): boolean {
  const { opcode } = field;
  if (value.isText || value.isWord || opcode === Opcode.Struct || opcode === Opcode.Codec) return true;
  return opcode === Opcode.Uuid ? value.uuid !== undefined : isNumberFor(field, use, value);
}

/** True if a text is part of one of the names, or of a number, which may have no name. */
function isInNames(names: ReadonlyMap<number, string>, text: string): boolean {
  return /^-?\d+$/.test(text) || [...names.values()].some((name) => name.includes(text));
}

/** True for texts, and for whatever a codec reads, unless it is known to read whole numbers. */
function isText(field: Field): boolean {
  const { opcode } = field;
  if (opcode === Opcode.Codec) return !isWholeNumber(field);
  return opcode === Opcode.Text || opcode === Opcode.FixedText || opcode === Opcode.Struct;
}

function isNumber(field: Field): boolean {
  return isWholeNumber(field) || isFloat(field.opcode);
}

function isBytes(opcode: Opcode): boolean {
  return opcode === Opcode.Bytes || opcode === Opcode.FixedBytes;
}

const BYTES = "a byte string (such as 01:02:ff)";
const OBJECT = "an object";

/** What errors call a field. */
function kindOf(field: Field, use: Use, { number }: Value): string {
  const { opcode, meaning } = field;
  if (meaning?.form === "flags") return FLAGS;
  if (isText(field)) return field.struct?.shownLike?.what ?? "a text";
  if (isBytes(opcode)) return BYTES;
  if (opcode === Opcode.Uuid) return "a UUID";
  if (isBoolean(opcode)) return "true or false";
  if (opcode === Opcode.Polymorphic) return OBJECT;
  if (!isNumber(field)) return "something else";
  if (use !== "compared" || Number.isNaN(number)) return "a number";
  return "a whole number";
}

function namesIn(fields: readonly Field[]): string[] {
  return fields.flatMap(({ meaning }) =>
    meaning !== undefined && "names" in meaning ? [...meaning.names.values()] : [],
  );
}

const MOST_LISTED = 5;

/** Lists a few names. */
export function some(names: readonly string[]): string {
  const unique = [...new Set(names)];
  return unique.length <= MOST_LISTED ? list(unique) : `${unique.slice(0, MOST_LISTED).join(", ")}, ...`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
