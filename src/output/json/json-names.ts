import { isArray, isObject, type Json } from "../../common/json.js";
import type { CopyAscii } from "../../schema/language/codec.js";
import type { Derived } from "../../schema/language/derived.js";
import type { Field } from "../../schema/language/field.js";
import type { Meaning } from "../../schema/language/meaning.js";
import { isBoolean, isFloat, isSmallWhole, Opcode } from "../../schema/language/opcode.js";
import type { Struct } from "../../schema/language/struct.js";
import { copierOf } from "../../schema/tree/copy-text.js";
import { PerField } from "../../schema/tree/per-field.js";
import { isTextual } from "../writers/json-type.js";
import type { JsonVersion } from "../writers/json-version.js";
import { KeptNumbers } from "../writers/kept-numbers.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";

/** A derived value as JSON shows it. */
interface JsonDerived {
  /** Its name, in the form of `JsonField.key`. */
  readonly key: PackedBytes;
  readonly of: Derived["of"];
  readonly bytes: Derived["bytes"];
  /** The only value that its schema allows, if that is a text. */
  readonly only: string | undefined;
  /** Its name and that value. */
  readonly constant: PackedBytes;
}

/** In which of the ways the values of a field are written. */
export const enum JsonForm {
  /** An object of its fields. */
  Members,
  /** A struct that has a text, or no fields at all. */
  Struct,
  Creatable,
  Elements,
  Boolean,
  Float,
  /** A whole number of at most 32 bits. */
  Integer,
  Bytes,
  Other,
}

/** What JSON shows in place of the numbers of a field. */
export const enum JsonMeaning {
  /** The numbers themselves. */
  None,
  /** Their names, or those of their bits. */
  Names,
  Text,
  /** The numbers, with their names beside the fields. */
  Reference,
}

/** For fields whose numbers have no names. */
const NO_NUMBERS = new KeptNumbers();

/**
 * What JSON shows of a field besides the bytes of its values. Fields are looked at in turn, and there are more of them
 * than fit into the processor's fastest cache, so what is needed of each comes first, and lies side by side.
 */
export class JsonField {
  /** The members that it had the last time; those of an array are one. Most likely, the same come again. */
  readonly #members: JsonField[] = [];
  readonly opcode: Opcode;
  /** True for a number of at most 32 bits that is shown as it is, as most are. */
  readonly isPlainInteger: boolean;
  /** The member name, with comma, quotes and colon: what `PackedBytes` consists of. */
  readonly keyWords: Float64Array;
  readonly keyFirst: number;
  readonly keyLength: number;
  readonly form: JsonForm;
  readonly shows: JsonMeaning;
  /** JSON forms of numbers that have names. */
  readonly values: KeptNumbers;
  /** The derived values of its struct. */
  readonly derived: readonly JsonDerived[];
  /** True if each value has the one JSON type of the field, as in all versions but the first. */
  readonly isUniform: boolean;
  /** For texts: how those that are pure ASCII are copied. */
  readonly copyAscii: CopyAscii | undefined;
  /** True for bytes that stand in place of something that would not be a text. */
  readonly isMisfit: boolean;
  /** True for an array in which bytes would not be of the type of its elements. */
  readonly excludesBytes: boolean;
  readonly meaning: Meaning | undefined;
  /** The member name itself. */
  readonly bareName: PackedBytes;
  /** The beginning of an object of its class; undefined without a class, as for a group, which has no name. */
  readonly beginning: PackedBytes | undefined;

  constructor(
    readonly field: Field,
    readonly version: JsonVersion,
  ) {
    const { name, jsonName, struct, opcode, inPlaceOf, meaning } = field;
    const isUniform = version > 1;
    const shown = isUniform ? jsonName : name;
    const { words, first, length } = new PackedBytes(`,"${shown}":`);
    const { beginning, derived } = struct === undefined ? NO_STRUCT : jsonStruct(struct, version);
    const form = formOf(field);
    const shows = shownOf(meaning);
    this.opcode = opcode;
    this.isPlainInteger = form === JsonForm.Integer && shows === JsonMeaning.None;
    this.keyWords = words;
    this.keyFirst = first;
    this.keyLength = length;
    this.form = form;
    this.shows = shows;
    this.values = shows === JsonMeaning.Names ? new KeptNumbers() : NO_NUMBERS;
    this.derived = derived;
    this.isUniform = isUniform;
    this.copyAscii = copierOf(field);
    this.isMisfit = isUniform && inPlaceOf !== undefined && !isTextual(inPlaceOf);
    this.excludesBytes = isUniform && !(field.inner === undefined ? field.elements : [field.inner]).every(isTextual);
    this.meaning = meaning;
    this.bareName = new PackedBytes(shown);
    this.beginning = beginning;
  }

  /** What JSON shows of the field of a member. @param at its position, or 0 in an array */
  member(at: number, field: Field): JsonField {
    const known = this.#members[at];
    if (known !== undefined && known.field === field) return known;
    const member = jsonFields[this.version].of(field);
    this.#members[at] = member;
    return member;
  }
}

function shownOf(meaning: Meaning | undefined): JsonMeaning {
  switch (meaning?.form) {
    case "enumeration":
    case "flags":
      return JsonMeaning.Names;
    case "text":
      return JsonMeaning.Text;
    case "reference":
      return JsonMeaning.Reference;
    default:
      return JsonMeaning.None;
  }
}

function formOf({ opcode, struct }: Field): JsonForm {
  if (isBoolean(opcode)) return JsonForm.Boolean;
  if (isFloat(opcode)) return JsonForm.Float;
  if (isSmallWhole(opcode)) return JsonForm.Integer;
  switch (opcode) {
    case Opcode.Struct:
      return struct?.shownAs === undefined && struct?.fields.length !== 0 ? JsonForm.Members : JsonForm.Struct;
    case Opcode.Polymorphic:
      return JsonForm.Creatable;
    case Opcode.Array:
    case Opcode.Tuple:
      return JsonForm.Elements;
    case Opcode.Bytes:
      return JsonForm.Bytes;
    default:
      return JsonForm.Other;
  }
}

/** What JSON shows of each field: built on demand, as few fields are ever written. */
export const jsonFields: Readonly<Record<JsonVersion, PerField<JsonField>>> = {
  1: new PerField((field) => new JsonField(field, 1)),
  2: new PerField((field) => new JsonField(field, 2)),
};

const NO_STRUCT: Pick<JsonField, "beginning" | "derived"> = { beginning: undefined, derived: [] };

/** Many fields have the same struct. */
const structs = {
  1: new WeakMap<Struct, Pick<JsonField, "beginning" | "derived">>(),
  2: new WeakMap<Struct, Pick<JsonField, "beginning" | "derived">>(),
};

function jsonStruct(struct: Struct, version: JsonVersion): Pick<JsonField, "beginning" | "derived"> {
  const known = structs[version].get(struct);
  if (known !== undefined) return known;
  const beginning = struct.name === "" ? undefined : new PackedBytes(`{"class":"${struct.name}"`);
  const derived = struct.derived.map((one) => {
    const { name, of, meaning = of, bytes, schema } = one;
    const shown = version === 1 ? meaning : uniformly(one);
    const key = `,"${name}":`;
    const only = onlyText(schema);
    const constant = new PackedBytes(only === undefined ? "" : `${key}${safeJson(only)}`);
    return { key: new PackedBytes(key), of: shown, bytes, only, constant };
  });
  structs[version].set(struct, { beginning, derived });
  return { beginning, derived };
}

/** Returns a derived value in which a number that could have a name is a text, as names are. */
export function uniformly({ of, meaning = of, uniform, names }: Derived): Derived["of"] {
  if (uniform !== undefined) return uniform;
  if (names === undefined) return meaning;
  return (nodes, node) => {
    const value = meaning(nodes, node);
    return value === undefined ? undefined : withoutNumbers(value);
  };
}

function withoutNumbers(value: Json): Json {
  if (isArray(value)) return value.map(withoutNumbers);
  return typeof value === "number" ? String(value) : value;
}

/** The text that a JSON Schema allows alone, if it gives one. */
function onlyText(schema: Json): string | undefined {
  if (!isObject(schema)) return undefined;
  const { const: only } = schema;
  return typeof only === "string" ? only : undefined;
}
