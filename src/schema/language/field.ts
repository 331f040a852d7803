import { copierOf } from "../table/copy-text.js";
import type { Codec, CopyAscii } from "./codec.js";
import type { Factors } from "./composites.js";
import { type Condition, checkCondition, equals, masked, Test } from "./condition.js";
import type { Family } from "./family.js";
import { isType } from "./is-type.js";
import type { Meaning } from "./meaning.js";
import { isArray, isWhole, Opcode } from "./opcode.js";
import { lookUp } from "./rule-text.js";
import { isSensitive, type Sensitive } from "./sensitive.js";
import type { Struct, Usage } from "./struct.js";
import {
  type Length,
  type Resolver,
  rest,
  type Sameness,
  type Selector,
  type Type,
  type TypeDescriptor,
} from "./type.js";

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** A condition, with the slot of the number that it tests. */
export interface SlotCondition {
  readonly slot: number;
  readonly test: Test;
  readonly mask: number;
  readonly operand: number;
}

/** A length, with the slot of the number that it comes from (-1: none, the length is `plus`; -2: the rest). */
interface SlotLength {
  readonly slot: number;
  /** Bits of the number that count; -1 for all. */
  readonly mask: number;
  readonly times: number;
  readonly plus: number;
  /** Name of the field that claims the length, for notes. */
  readonly claimedBy: string;
}

/** Valid names of fields; paths, JSON and filters depend on them. */
export const FIELD_NAME = /^(?!__proto__$)[A-Za-z_]\w*$/;

/** Name of the fields for bytes that were not dissected. */
export const UNDISSECTED_NAME = "undissected";

/** Slot number of a length that is a number in the declaration. */
export const NO_SLOT = -1;

/** Slot number of a length that is "the rest of the region". */
export const REST = -2;

/** Number of fields made so far. */
let made = 0;

/**
 * One entry of a struct's table, prepared for the decoder: names are resolved to slots, and every field object has the
 * same members in the same order, so that the decoder stays monomorphic.
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
  /** For texts: how those that are pure ASCII are copied. */
  readonly copyAscii: CopyAscii | undefined;
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
  readonly conditions: readonly SlotCondition[];
  /** The first of them. */
  readonly condition: SlotCondition | undefined;
  readonly length: SlotLength;
  readonly selectorSlot: number;
  readonly selectorMask: number;
  readonly choices: ReadonlyMap<number, Field> | undefined;
  readonly otherwise: Field | undefined;
  readonly compressed: SlotCondition | undefined;
  readonly literal: number;
  readonly inflatedLengthSlot: number;
  readonly tentative: boolean;
  readonly leftOver: string;
  /** See `TypeDescriptor.otherForm`. */
  readonly otherForm: { readonly content: Field; readonly note: string } | undefined;
  readonly doc: string;
  readonly inSummary: boolean;
  /** True if its nodes are in the outline of a message: see `FieldTree.outline`. */
  readonly isOutlined: boolean;
  readonly undeclared: string;
  readonly sensitive: Sensitive | undefined;
  readonly isHttp: boolean;
  readonly sameness: Sameness | undefined;
  /** Slot in which the number of this field is kept for later fields; -1 if none uses it. */
  slot = -1;
  /** True if one of them uses the whole number, not only some of its bits. */
  isSeenWhole = false;
  /** For a struct: its own slots (`from`) that are copied to slots of its owner (`to`) for later fields. */
  readonly captures: { readonly from: number; readonly to: number }[] = [];
  /** For a group: slots of its owner (`from`) that are copied to its own (`to`) for its conditions. */
  readonly imports: readonly { readonly from: number; readonly to: number }[];
  readonly #descriptor: TypeDescriptor;
  #variants: Map<number, Field> | undefined;
  #resolved: WeakMap<Type<unknown>, Field> | undefined;
  #opaque: Field | undefined;

  constructor(
    readonly name: string,
    descriptor: TypeDescriptor,
    owner?: Struct,
  ) {
    this.#descriptor = descriptor;
    this.opcode = descriptor.opcode;
    this.width = descriptor.width;
    this.kind = descriptor.kind;
    this.meaning = descriptor.meaning;
    this.codec = descriptor.codec;
    this.encoding = descriptor.encoding ?? "utf8";
    this.copyAscii = descriptor.codec?.copyAscii ?? copierOf(descriptor.opcode, this.encoding);
    this.struct = descriptor.struct;
    this.imports = importsOf(descriptor.struct, owner, name);
    this.family = descriptor.family;
    this.base = descriptor.base;
    const inner = descriptor.element ?? descriptor.content;
    this.inner =
      inner === undefined ? undefined : new Field(descriptor.element === undefined ? name : "", inner, owner);
    this.elements = (descriptor.elements ?? []).map((element) => new Field("", element, owner));
    this.resolver = descriptor.resolver;
    this.candidates = (descriptor.candidates ?? []).map((candidate) => new Field(name, candidate, owner));
    this.parts = (descriptor.parts ?? []).map((part) => new Field("", part, owner));
    this.conditions = (descriptor.conditions ?? []).map((condition) => slotCondition(condition, owner, name));
    this.condition = this.conditions[0];
    this.length = slotLength(descriptor.length, owner, name);
    const selector =
      typeof descriptor.selector === "string" ? { field: descriptor.selector, mask: -1 } : descriptor.selector;
    this.selectorSlot = selector === undefined ? -1 : slotIn(owner, name, selector.field, usageWith(selector.mask));
    this.selectorMask = selector?.mask ?? -1;
    if (selector !== undefined && owner !== undefined) {
      for (const value of descriptor.choices?.keys() ?? []) {
        checkCondition(conditionOf(selector, value), lookUp(selector.field, owner.descriptors).descriptor, owner.title);
      }
    }
    this.choices =
      descriptor.choices &&
      new Map([...descriptor.choices].map(([value, choice]) => [value, new Field(name, choice, owner)]));
    this.otherwise = descriptor.otherwise && new Field(name, descriptor.otherwise, owner);
    this.compressed = descriptor.compression && slotCondition(descriptor.compression.when, owner, name);
    this.literal = descriptor.compression?.literal ?? 0;
    this.inflatedLengthSlot = descriptor.compression
      ? slotIn(owner, name, descriptor.compression.inflatedLength, "number")
      : -1;
    this.tentative = descriptor.tentative ?? false;
    this.leftOver = descriptor.leftOver ?? "";
    this.otherForm = descriptor.otherForm && {
      content: new Field(name, descriptor.otherForm.content, owner),
      note: descriptor.otherForm.note,
    };
    this.doc = descriptor.doc ?? "";
    this.inSummary = descriptor.inSummary ?? false;
    const tells = this.inSummary || this.struct?.fact !== undefined || name === UNDISSECTED_NAME;
    this.isOutlined = tells || this.opcode === Opcode.Polymorphic || isArray(this.opcode);
    this.undeclared = descriptor.undeclared ?? "";
    this.sensitive = descriptor.sensitive;
    this.isHttp = descriptor.isHttp ?? false;
    this.sameness = descriptor.sameness;
  }

  /** The types of a choice: one for each declared number, and the one for all others. */
  get alternatives(): readonly Field[] {
    const declared = [...(this.choices?.values() ?? [])];
    return this.otherwise === undefined ? declared : [...declared, this.otherwise];
  }

  /** Name of the field that holds the inflated length; empty if the field is never compressed. */
  get inflatedLength(): string {
    return this.#descriptor.compression?.inflatedLength ?? "";
  }

  /** True for bytes or a text that extend to the end of the region. */
  get takesRest(): boolean {
    return (this.opcode === Opcode.Bytes || this.opcode === Opcode.Text) && this.length.slot === REST;
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
    return this.selectorMask === -1 ? selector : (selector & this.selectorMask) >>> 0;
  }

  /** Returns the type for a value of the selector. */
  chosen(selector: number): Field | undefined {
    return this.choices?.get(this.selected(selector)) ?? this.otherwise;
  }

  /** Returns the same field with its class known: what a node of a polymorphic field refers to; undefined without one. */
  withTag(tag: number): Field | undefined {
    const known = this.#variants?.get(tag);
    if (known !== undefined) return known;
    const struct = this.family?.get(tag);
    if (struct === undefined) return undefined;
    const field = new Field(this.name, { ...plain(this.#descriptor), struct });
    this.#variants ??= new Map();
    this.#variants.set(tag, field);
    return field;
  }

  /** Returns the same field with the type that its resolver has found. */
  resolvedAs(type: Type<unknown>): Field {
    let field = this.#resolved?.get(type);
    if (field === undefined) {
      if (!isType(type)) {
        throw new TypeError(
          `${this.name}: a resolver returned ${String(type)}, which is neither a type nor a sentence`,
        );
      }
      field = new Field(this.name, type.descriptor);
      this.#resolved ??= new WeakMap();
      this.#resolved.set(type, field);
    }
    return field;
  }

  /** A field of the same name for bytes that could not be dissected. */
  get opaque(): Field {
    // Bytes that could not be dissected may be anything, whatever the declaration says.
    const { sensitive: own } = this;
    const sensitive = typeof own === "object" || isSensitive(own) ? own : "unknown";
    this.#opaque ??= new Field(this.name, { opcode: Opcode.Bytes, kind: "bytes", width: 0, sensitive });
    return this.#opaque;
  }
}

/** Returns the descriptor without references to other fields, which mean nothing outside its struct. */
function plain(descriptor: TypeDescriptor): TypeDescriptor {
  const { opcode, kind, width, family, base, doc, inSummary } = descriptor;
  return {
    opcode,
    kind,
    width,
    ...(family && { family }),
    ...(base && { base }),
    ...(doc !== undefined && { doc }),
    ...(inSummary !== undefined && { inSummary }),
  };
}

function slotIn(owner: Struct | undefined, name: string, path: string, usage: Usage): number {
  if (owner === undefined) throw new Error(`${name || "a type"} refers to ${path}, but is not in a struct`);
  if (typeof path !== "string") throw new Error(`${owner.title}: ${name} depends on a field whose name is not given`);
  return owner.slotOf(path, usage);
}

/** The condition for a choice to be made. */
function conditionOf({ field, mask }: Exclude<Selector, string>, value: number): Condition {
  return mask === -1 ? equals(field, value) : masked(field, mask, value);
}

/** What a mask leaves of a number; -1 keeps all of it. */
function usageWith(mask: number): Usage {
  return mask === -1 ? "number" : "bits";
}

function slotCondition(condition: Condition, owner: Struct | undefined, name: string) {
  if (typeof condition?.test !== "number") {
    throw new Error(`${owner?.title ?? "a type"}: a condition of ${name} is not made by equals(), flag() or the like`);
  }
  const { field, test, mask, operand } = condition;
  const usage = test === Test.AnyBit || test === Test.MaskedEquals ? "tested bits" : "number";
  if (typeof field === "string" && owner?.isOuter(field)) {
    return { slot: owner.outerSlotOf(condition), test, mask, operand };
  }
  const slot = slotIn(owner, name, field, usage);
  if (owner !== undefined) checkCondition(condition, lookUp(field, owner.descriptors).descriptor, owner.title);
  return { slot, test, mask, operand };
}

/** Finds what the conditions in a group test in its owner. */
function importsOf(struct: Struct | undefined, owner: Struct | undefined, name: string): Field["imports"] {
  const slots = new Map<number, number>();
  for (const { condition, slot } of struct?.outer ?? []) slots.set(slot, slotCondition(condition, owner, name).slot);
  return [...slots].map(([to, from]) => ({ from, to }));
}

function slotLength(length: Length | undefined, owner: Struct | undefined, name: string): SlotLength {
  if (length === undefined || length === rest) return { slot: REST, mask: -1, times: 1, plus: 0, claimedBy: "" };
  if (typeof length === "number") return { slot: NO_SLOT, mask: -1, times: 1, plus: length, claimedBy: "" };
  const { field, mask = -1, times = 1, plus = 0 } = typeof length === "string" ? { field: length } : length;
  return { slot: slotIn(owner, name, field, usageWith(mask)), mask, times, plus, claimedBy: field };
}

/** Returns the length that the number in its slot claims. */
export function claimedLength({ mask, times, plus }: Required<Factors>, number: number): number {
  return (mask === -1 ? number : number & mask) * times + plus;
}

/** True if the number satisfies the condition. */
export function holds(condition: SlotCondition, value: number): boolean {
  switch (condition.test) {
    case Test.AnyBit:
      return (value & condition.mask) !== 0;
    case Test.MaskedEquals:
      return (value & condition.mask) === condition.operand;
    case Test.Equals:
      return value === condition.operand;
    case Test.NotEquals:
      return value !== condition.operand;
    default:
      return isInOrder(condition, value);
  }
}

/** The rarer tests. They are not in `holds` because all decoding takes 3 % longer if that is larger. */
function isInOrder({ test, operand }: SlotCondition, value: number): boolean {
  return test === Test.AtLeast ? value >= operand : value < operand;
}

/** True for whole numbers and booleans, of a fixed width or with a codec. */
export function isWholeNumber({ opcode, codec }: Field): boolean {
  return isWhole(opcode) || codec?.isWholeNumber === true;
}

/** Bytes that could not be dissected: the rest of the region in which something went wrong. */
export const UNDISSECTED = new Field(UNDISSECTED_NAME, {
  opcode: Opcode.Bytes,
  kind: "bytes",
  width: 0,
  sensitive: "unknown",
});
