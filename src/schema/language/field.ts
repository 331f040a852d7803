import type { Codec } from "./codec.js";
import type { Condition } from "./condition.js";
import type { Family } from "./family.js";
import { type LengthRule, lengthRule } from "./length.js";
import type { Meaning } from "./meaning.js";
import { isWhole, Opcode } from "./opcode.js";
import type { Sensitive } from "./sensitive.js";
import type { Struct } from "./struct.js";
import type { Compression, Resolver, Sameness, TypeDescriptor } from "./type.js";

/** Name of the fields for bytes that were not dissected. */
export const UNDISSECTED_NAME = "undissected";

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Number of fields made so far. */
let made = 0;

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * A field: a name, and what the declaration of its type says, with everything that it leaves out. All fields have the
 * same members in the same order, which makes them fast to read, unlike type descriptors.
 */
export class Field {
  /** Number of the field among all fields, for what readers keep beside it: see `PerField`. */
  readonly id = made++;
  readonly opcode: Opcode;
  readonly width: number;
  readonly kind: string;
  readonly meaning: Meaning | undefined;
  readonly codec: Codec<unknown> | undefined;
  readonly encoding: "utf8" | "utf16le";
  readonly struct: Struct | undefined;
  readonly family: Family | undefined;
  readonly base: Struct | undefined;
  /** The elements of an array, or the content of a region. */
  readonly inner: Field | undefined;
  /** The elements of a tuple. */
  readonly elements: readonly Field[];
  readonly resolver: Resolver | undefined;
  /** The structs that the resolver may find, as far as they are declared. */
  readonly candidates: readonly Field[];
  /** Structs that may be somewhere in what it finds. */
  readonly parts: readonly Field[];
  /** See `TypeDescriptor.shownNames`. */
  readonly shownNames: ReadonlyMap<string, string>;
  readonly conditions: readonly Condition[];
  readonly length: LengthRule;
  /** The earlier field that makes a choice, and the bits of it that count (-1 for all). */
  readonly selector: { readonly field: string; readonly mask: number } | undefined;
  readonly choices: ReadonlyMap<number, Field> | undefined;
  readonly otherwise: Field | undefined;
  readonly compression: Compression | undefined;
  readonly tentative: boolean;
  readonly leftOver: string;
  /** See `TypeDescriptor.otherForm`. */
  readonly otherForm: { readonly content: Field; readonly note: string } | undefined;
  readonly doc: string;
  readonly inSummary: boolean;
  readonly undeclared: string;
  readonly sensitive: Sensitive | undefined;
  readonly isHttp: boolean;
  readonly sameness: Sameness | undefined;
  /** Its name in JSON: see `Type.inJson`. */
  readonly jsonName: string;

  /** @param inPlaceOf the declared field, for bytes of its name that could not be dissected */
  constructor(
    readonly name: string,
    readonly descriptor: TypeDescriptor,
    readonly inPlaceOf?: Field,
  ) {
    const { element, content, selector, choices, otherwise, otherForm, jsonName } = descriptor;
    const named = (inner: TypeDescriptor) => new Field(name, jsonName === undefined ? inner : { jsonName, ...inner });
    const unnamed = (inner: TypeDescriptor) => new Field("", inner);
    this.opcode = descriptor.opcode;
    this.width = descriptor.width;
    this.kind = descriptor.kind;
    this.meaning = descriptor.meaning;
    this.codec = descriptor.codec;
    this.encoding = descriptor.encoding ?? "utf8";
    this.struct = descriptor.struct;
    this.family = descriptor.family;
    this.base = descriptor.base;
    this.inner = element === undefined ? content && named(content) : unnamed(element);
    this.elements = (descriptor.elements ?? []).map(unnamed);
    this.resolver = descriptor.resolver;
    this.candidates = (descriptor.candidates ?? []).map(named);
    this.parts = (descriptor.parts ?? []).map(unnamed);
    this.shownNames = descriptor.shownNames ?? NO_NAMES;
    this.conditions = descriptor.conditions ?? [];
    this.length = lengthRule(descriptor.length);
    this.selector = typeof selector === "string" ? { field: selector, mask: -1 } : selector;
    this.choices = choices && new Map([...choices].map(([value, choice]) => [value, named(choice)]));
    this.otherwise = otherwise && named(otherwise);
    this.compression = descriptor.compression;
    this.tentative = descriptor.tentative ?? false;
    this.leftOver = descriptor.leftOver ?? "";
    this.otherForm = otherForm && { content: named(otherForm.content), note: otherForm.note };
    this.doc = descriptor.doc ?? "";
    this.inSummary = descriptor.inSummary ?? false;
    this.undeclared = descriptor.undeclared ?? "";
    this.sensitive = descriptor.sensitive;
    this.isHttp = descriptor.isHttp ?? false;
    this.sameness = descriptor.sameness;
    this.jsonName = jsonName ?? name;
  }

  /** The types of a choice: one for each declared number, and the one for all others. */
  get alternatives(): readonly Field[] {
    const declared = [...(this.choices?.values() ?? [])];
    return this.otherwise === undefined ? declared : [...declared, this.otherwise];
  }

  /** The types in it, whose rules are about the same struct as its own. */
  get within(): readonly Field[] {
    const { inner, elements, candidates, parts, alternatives, otherForm } = this;
    const content = inner === undefined ? [] : [inner];
    const other = otherForm === undefined ? [] : [otherForm.content];
    return [...content, ...elements, ...candidates, ...parts, ...alternatives, ...other];
  }

  /** True for bytes or a text that extend to the end of the region. */
  get takesRest(): boolean {
    return (this.opcode === Opcode.Bytes || this.opcode === Opcode.Text) && this.length.isRest;
  }

  /** The least number of bytes that a value of this field can have. */
  get minimumWidth(): number {
    switch (this.opcode) {
      case Opcode.Struct:
        return this.struct?.minimumWidth ?? 0;
      case Opcode.Polymorphic:
        return this.family?.tagField.minimumWidth ?? 0;
      case Opcode.Codec:
        // What it lacks of a leaf where there are no bytes at all.
        return Math.max(0, -(this.codec?.measure(NO_BYTES, 0, 0) ?? 0));
      case Opcode.Tuple:
        return this.elements.reduce((sum, element) => sum + element.minimumWidth, 0);
      default:
        return this.width;
    }
  }

  /** Returns the bits of the selector's value that count. */
  selected(selector: number): number {
    const { mask = -1 } = this.selector ?? {};
    return mask === -1 ? selector : (selector & mask) >>> 0;
  }

  /** Returns the type for a value of the selector. */
  chosen(selector: number): Field | undefined {
    return this.choices?.get(this.selected(selector)) ?? this.otherwise;
  }
}

/** True for whole numbers and booleans, of a fixed width or with a codec. */
export function isWholeNumber({ opcode, codec }: Field): boolean {
  return isWhole(opcode) || codec?.isWholeNumber === true;
}

/** The same, and also for a number that is written as text, where what is there need not be one: a value is then NaN. */
export function hasWholeNumbers(field: Field): boolean {
  return isWholeNumber(field) || field.codec?.yields === "number";
}

/** Bytes that could not be dissected: the rest of the region in which something went wrong. */
export const UNDISSECTED = new Field(UNDISSECTED_NAME, {
  opcode: Opcode.Bytes,
  kind: "bytes",
  width: 0,
  sensitive: "unknown",
});
