import { isObject, type Json } from "../../common/json.js";
import type { CopyAscii } from "../../schema/language/codec.js";
import type { Derived } from "../../schema/language/derived.js";
import type { Field } from "../../schema/language/field.js";
import type { Meaning } from "../../schema/language/meaning.js";
import { isBoolean, isFloat, isSmallWhole, Opcode } from "../../schema/language/opcode.js";
import type { Struct } from "../../schema/language/struct.js";
import { copierOf } from "../../schema/tree/copy-text.js";
import { PerField } from "../../schema/tree/per-field.js";
import { PackedBytes } from "../writers/packed-bytes.js";

/** A derived value as JSON shows it. */
interface JsonDerived {
  /** Its name, in the form of `JsonField.key`. */
  readonly key: PackedBytes;
  readonly of: Derived["of"];
  readonly bytes: Derived["bytes"];
  /** The only value that its schema allows, if there is one. */
  readonly only: Json | undefined;
}

/** In which of the ways the values of a field are written. */
export const enum JsonForm {
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

/** What JSON shows of a field besides the bytes of its values. */
export class JsonField {
  readonly form: JsonForm;
  readonly opcode: Opcode;
  readonly meaning: Meaning | undefined;
  /** The member name, with comma, quotes and colon. */
  readonly key: PackedBytes;
  /** The beginning of an object of its class; undefined without a class, as for a group, which has no name. */
  readonly beginning: PackedBytes | undefined;
  /** The derived values of its struct. */
  readonly derived: readonly JsonDerived[];
  /** For texts: how those that are pure ASCII are copied. */
  readonly copyAscii: CopyAscii | undefined;
  /** JSON forms of values: few enumeration values and flag sets are in use. */
  readonly values = new Map<number, PackedBytes>();
  /** The members that it had the last time; those of an array are one. Most likely, the same come again. */
  readonly #members: JsonField[] = [];

  constructor(readonly field: Field) {
    const { name, struct, opcode } = field;
    this.form = formOf(opcode);
    this.opcode = opcode;
    this.meaning = field.meaning;
    this.key = new PackedBytes(`,"${name}":`);
    this.copyAscii = copierOf(field);
    const { beginning, derived } = struct === undefined ? NO_STRUCT : jsonStruct(struct);
    this.beginning = beginning;
    this.derived = derived;
  }

  /** What JSON shows of the field of a member. @param at its position, or 0 in an array */
  member(at: number, field: Field): JsonField {
    const known = this.#members[at];
    if (known !== undefined && known.field === field) return known;
    const member = jsonFields.of(field);
    this.#members[at] = member;
    return member;
  }
}

function formOf(opcode: Opcode): JsonForm {
  if (isBoolean(opcode)) return JsonForm.Boolean;
  if (isFloat(opcode)) return JsonForm.Float;
  if (isSmallWhole(opcode)) return JsonForm.Integer;
  switch (opcode) {
    case Opcode.Struct:
      return JsonForm.Struct;
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
export const jsonFields = new PerField((field) => new JsonField(field));

const NO_STRUCT: Pick<JsonField, "beginning" | "derived"> = { beginning: undefined, derived: [] };

/** Many fields have the same struct. */
const structs = new WeakMap<Struct, Pick<JsonField, "beginning" | "derived">>();

function jsonStruct(struct: Struct): Pick<JsonField, "beginning" | "derived"> {
  const known = structs.get(struct);
  if (known !== undefined) return known;
  const beginning = struct.name === "" ? undefined : new PackedBytes(`{"class":"${struct.name}"`);
  const derived = struct.derived.map(({ name, of, meaning = of, bytes, schema }) => {
    return { key: new PackedBytes(`,"${name}":`), of: meaning, bytes, only: onlyValue(schema) };
  });
  structs.set(struct, { beginning, derived });
  return { beginning, derived };
}

/** The value that a JSON Schema allows alone, if it gives one. */
function onlyValue(schema: Json): Json | undefined {
  if (!isObject(schema)) return undefined;
  const { const: only } = schema;
  return only;
}
