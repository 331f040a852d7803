import type { Field } from "../../schema/language/field.js";
import type { Meaning } from "../../schema/language/meaning.js";
import { has64Bits, isArray, isNumber, isSmallWhole, isWhole, Opcode } from "../../schema/language/opcode.js";
import type { Struct } from "../../schema/language/struct.js";
import { copierOf } from "../../schema/tree/copy-text.js";
import { showsClass } from "../../schema/tree/label.js";
import { PerField } from "../../schema/tree/per-field.js";
import { KeptNumbers } from "../writers/kept-numbers.js";
import { PackedBytes } from "../writers/packed-bytes.js";

/** In which of the ways the values of a fact are written. */
export const enum FactForm {
  /** What the struct says about itself. */
  Own,
  /** The name of a number, or the names of its bits. */
  Name,
  /** A whole number of at most 32 bits, with the name of what it stands for. */
  Reference,
  /** A number that a double holds, as it is. */
  Number,
  /** A text that is copied from the bytes if it is short, and pure ASCII. */
  Text,
  Other,
}

/** What a summary needs to know of a field: together in one place, as the declaration is spread over many. */
export class SummaryField {
  readonly name: string;
  readonly opcode: Opcode;
  readonly isArray: boolean;
  readonly isCreatable: boolean;
  readonly showsClass: boolean;
  /** The name of its class; undefined if it has none, or if that depends on the bytes. */
  readonly className: PackedBytes | undefined;
  readonly isFact: boolean;
  readonly form: FactForm;
  readonly fact: Struct["fact"];
  /** Its name before the value. */
  readonly key: PackedBytes;
  readonly copyAscii: ReturnType<typeof copierOf>;
  /** Names of numbers that mean the same wherever they are written. */
  readonly names = new KeptNumbers();
  /** What a reference may refer to. */
  readonly kinds: readonly string[];

  constructor(readonly field: Field) {
    const { name, opcode, struct, meaning, inSummary } = field;
    this.name = name;
    this.opcode = opcode;
    this.isArray = isArray(opcode);
    this.isCreatable = opcode === Opcode.Polymorphic;
    this.showsClass = showsClass(field);
    this.className = struct === undefined || struct.name === "" ? undefined : new PackedBytes(struct.name);
    this.fact = struct?.fact;
    this.isFact = this.fact !== undefined || (inSummary && !this.isArray && !this.showsClass);
    this.form = formOf(field);
    this.key = new PackedBytes(`${name}=`);
    this.copyAscii = copierOf(field);
    this.kinds = meaning?.form === "reference" ? meaning.to : [];
  }
}

function formOf(field: Field): FactForm {
  const { opcode, struct, meaning } = field;
  if (struct?.fact !== undefined) return FactForm.Own;
  if (isNamed(meaning)) return isWhole(opcode) ? FactForm.Name : FactForm.Other;
  if (meaning?.form === "reference") return isSmallWhole(opcode) ? FactForm.Reference : FactForm.Other;
  if (meaning !== undefined) return FactForm.Other;
  if (isNumber(opcode) && !has64Bits(opcode)) return FactForm.Number;
  return copierOf(field) === undefined ? FactForm.Other : FactForm.Text;
}

function isNamed(meaning: Meaning | undefined): boolean {
  return meaning?.form === "enumeration" || meaning?.form === "flags";
}

export const summaryFields = new PerField((field) => new SummaryField(field));
