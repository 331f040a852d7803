import { stretchNames } from "../dissect/stretch.js";
import { normalAddress } from "../network/address.js";
import { type Field, isWholeNumber } from "../schema/field.js";
import { suggestion } from "../schema/nearest.js";
import { isArray, isBoolean, isFloat, Opcode } from "../schema/opcode.js";
import { derivedKind, derivedTakes, derivedValue, FLAGS, type Use } from "./derived-value.js";
import type { MessageField } from "./message-fields.js";
import { maskOf, numberNamed } from "./named-numbers.js";
import type { Value } from "./value.js";
import type { DerivedTerm, Term, Vocabulary } from "./vocabulary.js";

/**
 * Says why nothing with this name can ever satisfy a comparison with the value, which must therefore be a mistake;
 * undefined if something can. Otherwise the empty result of `result == kNetSucces` would be taken for the truth.
 */
export function mistakeIn(term: Term, use: Use, value: Value): string | undefined {
  const fields = comparable(term);
  const derived = derivedIn(term).map(derivedValue);
  if (term.isOpen || fields.length + derived.length === 0) return undefined;
  if (fields.some((field) => takes(field, use, value)) || derived.some((each) => derivedTakes(each, use, value))) {
    return undefined;
  }
  const named = derived.filter(({ areBits, areBitNumbers }) => areBits || areBitNumbers || use === "compared");
  const names = [...namesIn(fields), ...named.flatMap((each) => each.names)];
  if (value.isWord && names.length > 0 && use !== "slice") {
    const meant = suggestion(value.text, names);
    // Which texts there can be is not known: the name may be one of them.
    const hasOthers = derived.some(({ isText }) => isText);
    if (meant !== "" || !hasOthers)
      return `${term.name} has no value ${value.text}${meant || `; it has ${some(names)}`}`;
  }
  const kinds = [...new Set([...fields.map(kindOf), ...derived.map(derivedKind)])];
  if (use === "slice") return `a part of ${term.name} is compared with bytes (01:02:ff) or a text in quotes`;
  if (kinds.join() === OBJECT) {
    const orNull = use === "compared" ? ", or compare it with null" : "";
    return `${term.name} is ${OBJECT}: add the name of a field (${term.name}.field)${orNull}`;
  }
  if (use === "contained" || use === "matched") {
    const parts = use === "contained" ? partsOf(term, kinds, names, value) : undefined;
    return parts ?? `${term.name} is ${list(kinds)}, which cannot be searched`;
  }
  if (use === "bits" && derived.some(({ areBitNumbers }) => areBitNumbers)) {
    return `${term.name} is a list of bits: what is left of it is not compared; ${term.name} & ... is true if one is set`;
  }
  if (use === "mask" || use === "bits") return `${term.name} is ${list(kinds)}: ${value.text} names none of its bits`;
  return `${term.name} is ${list(kinds)}, which ${value.text} is not`;
}

/** Says what can be contained in fields, if anything can. */
function partsOf({ name }: Term, kinds: readonly string[], names: readonly string[], value: Value): string | undefined {
  if (kinds.includes(BYTES))
    return `${name} is searched for bytes (01:02:ff) or a text in quotes, which ${value.text} is not`;
  if (!kinds.includes(FLAGS)) return undefined;
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

/** Does the same as `mistakeIn` for what is known about every message; says so if a field of that name is meant. */
export function mistakeInMessageField(
  field: MessageField,
  use: Use,
  value: Value,
  vocabulary: Vocabulary,
): string | undefined {
  const mistake = mistakeInFact(field, use, value, vocabulary);
  const term = vocabulary.get(field.name);
  if (mistake === undefined || term === undefined || !comparable(term).some((each) => takes(each, use, value))) {
    return mistake;
  }
  return `${mistake}${mistake.endsWith("?") ? " For" : "; for"} the field of that name, write .${field.name}`;
}

function mistakeInFact(field: MessageField, use: Use, value: Value, vocabulary: Vocabulary): string | undefined {
  const { name, kind } = field;
  if (use === "mask" || use === "bits") return `${name} has no bits to test`;
  switch (kind) {
    case "number":
      if (use !== "compared") return `${name} is a number, which has no parts`;
      return Number.isNaN(value.number) ? `${name} is a number, which ${value.text} is not` : undefined;
    case "time":
      if (use === "compared" && value.instant !== undefined) return undefined;
      return `${name} is compared with a time such as 2026-11-20T04:55:07.5Z`;
    case "endpoint":
      return value.isWord || (use === "compared" && isMistakenAddress(value))
        ? `${name} is an address, a port, or both with a colon, which ${value.text} is not`
        : undefined;
    case "text": {
      // In quotes it may be any name, unless all are listed.
      const isCertain = use === "compared" && (field.values !== undefined || value.isWord);
      const values = isCertain ? knownValues(field, vocabulary) : undefined;
      if (values === undefined || values.includes(value.text)) return undefined;
      const similar = suggestion(value.text, values);
      if (name !== "message") return `${name} is never ${value.text}${similar || `; it is ${some(values)}`}`;
      // A dissector names unknown messages as it likes.
      const others = similar === "" ? "; names" : `${similar} Names`;
      return `no type of message is called ${value.text}${others} of unknown messages need quotes`;
    }
  }
}

/** What looks like an address or a network, valid or not. */
const ADDRESS_FORM =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:[/:]\d+)?|(?=[\da-f:]*::|(?:[\da-f]{1,4}:){7})[\da-f:.]+(?:\/\d+)?)$/i;
const IPV4_ENDPOINT = /^([\d.]+):(\d+)$/;

function isMistakenAddress({ text, number, subnet }: Value): boolean {
  if (!Number.isNaN(number) || subnet !== undefined || !ADDRESS_FORM.test(text)) return false;
  const [, address = text, port = "0"] = IPV4_ENDPOINT.exec(text) ?? [];
  return normalAddress(address) === undefined || Number(port) > 0xffff;
}

/** True for one of the possible values, or if that may be the name of any field. */
export function isValueOfMessageField(field: MessageField, name: string, vocabulary: Vocabulary): boolean {
  return field.name === "notes.path" || knownValues(field, vocabulary)?.includes(name) === true;
}

/** Returns the values that are declared; undefined if none are. */
function knownValues({ name, values }: MessageField, vocabulary: Vocabulary): readonly string[] | undefined {
  if (name === "protocol") return [...vocabulary.protocols];
  return name === "message" ? [...vocabulary.classes(), ...stretchNames] : values;
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
  if (use === "mask") return isWholeNumber(field) && maskOf(field.meaning, value) !== undefined;
  if (use === "slice") return isText(field) || opcode === Opcode.Uuid || value.bytes !== undefined;
  if (meaning?.form === "enumeration" || meaning?.form === "flags") {
    if (numberNamed(meaning, value.text) !== undefined) return true;
    if (use === "contained" && meaning.form === "flags") return false;
    return value.integer === undefined ? !value.isWord : use !== "contained";
  }
  if (use === "bits") return value.integer !== undefined;
  if (meaning !== undefined || isText(field)) return true;
  if (opcode === Opcode.Polymorphic) return value.text === "null" || use === "matched";
  if (use === "matched") return opcode === Opcode.Uuid || isBytes(opcode);
  if (use === "contained") return opcode === Opcode.Uuid || (isBytes(opcode) && value.bytes !== undefined);
  if (isBoolean(opcode)) {
    return value.text === "true" || value.text === "false" || value.integer !== undefined;
  }
  if (isFloat(opcode)) return value.real !== undefined;
  if (isNumber(field)) return !Number.isNaN(value.number);
  if (opcode === Opcode.Uuid) return !value.isWord && Number.isNaN(value.number);
  return !isBytes(opcode) || value.bytes !== undefined;
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

function kindOf(field: Field): string {
  const { opcode, meaning } = field;
  if (meaning?.form === "flags") return FLAGS;
  if (isText(field)) return "a text";
  if (isBytes(opcode)) return BYTES;
  if (opcode === Opcode.Uuid) return "a UUID";
  if (isBoolean(opcode)) return "true or false";
  if (opcode === Opcode.Polymorphic) return OBJECT;
  return isNumber(field) ? "a number" : "something else";
}

function namesIn(fields: readonly Field[]): string[] {
  return fields.flatMap(({ meaning }) =>
    meaning !== undefined && "names" in meaning ? [...meaning.names.values()] : [],
  );
}

const MOST_LISTED = 5;

function some(names: readonly string[]): string {
  const unique = [...new Set(names)];
  return unique.length <= MOST_LISTED ? list(unique) : `${unique.slice(0, MOST_LISTED).join(", ")}, ...`;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
