import type { Json } from "../../common/json.js";
import { type Segment, segmentsOf } from "../table/segment.js";
import type { FieldTree } from "../tree/field-tree.js";
import type { Condition } from "./condition.js";
import { FIELD_NAME, Field } from "./field.js";
import { expectType } from "./is-type.js";
import type { Names } from "./numbers.js";
import { Opcode } from "./opcode.js";
import { expectNames, expectNothingAfterRest, expectNumber } from "./struct-check.js";
import { type InferMembers, type Members, Type, type TypeDescriptor } from "./type.js";

/** A value that is not on the wire but follows from it, shown after the fields of a struct. */
export interface Derived {
  readonly name: string;
  readonly doc: string;
  /** Name of the field whose bits it consists of, if any: a struct without that field is refused. */
  readonly bitsOf?: string;
  /** These bits: bits that the field cannot have are refused. */
  readonly mask?: number;
  /** JSON Schema of the value as shown in JSON. */
  readonly schema: Json;
  /** Returns the value for the struct at `node`, or undefined if it has none. */
  readonly of: (nodes: FieldTree, node: number) => Json | undefined;
  /** If the value is some bytes in hexadecimal: those bytes, from which it is written without making a text of them. */
  readonly bytes?: (nodes: FieldTree, node: number) => Uint8Array | undefined;
  /** Like `of`, with names for numbers, as shown in JSON; `of` by default. */
  readonly meaning?: (nodes: FieldTree, node: number) => Json | undefined;
  /** Names of its numbers, or of their bits, for filters and the list of fields. */
  readonly names?: Names;
  /** True if the names are names of bits. */
  readonly areBits?: boolean;
  /** True if its value is a list of the numbers of those bits that are set: the names are names of such numbers. */
  readonly areBitNumbers?: boolean;
  /** False if the tree shows the same already, in the label of another field or in its bytes. */
  readonly inTree?: boolean;
}

/** Binds a name to what a struct identifies: which of its fields holds the number or UUID, and which the name. */
export interface NameBinding {
  /** The kind of thing that is named: "player". */
  readonly kind: string;
  /** Field with the number or UUID; `a.b` is a field of a struct in this one, as in the following. */
  readonly id: string;
  /** Field with the name, or a function that makes the name from the struct at `node`. */
  readonly name: string | ((nodes: FieldTree, node: number) => string | undefined);
  /** A field, and the number that it must have for the binding to apply. */
  readonly when?: { readonly field: string; readonly is: number };
  /** Number or UUID that identifies nothing. */
  readonly except?: number | string;
  /** True if other structs give the same thing a better name: this one counts only until such a name is known. */
  readonly provisional?: boolean;
  /** @deprecated The old name of `provisional`. */
  readonly makeshift?: boolean;
}

/** @deprecated The old name of `NameBinding`. */
export type Introduction = NameBinding;

/** Optional properties of a struct. */
export interface StructOptions {
  /** Number that identifies this class on the wire: class index, message type, event type. */
  readonly tag?: number;
  readonly doc?: string;
  /** A class that this one counts as (see `isA`), although it has none of that class's fields on the wire. */
  readonly countsAs?: StructType<unknown>;
  readonly derived?: readonly Derived[];
  readonly introduces?: NameBinding | readonly NameBinding[];
  /**
   * Name of the field, or of the derived value, whose values a path to the struct stands for in filters and columns.
   * Where it is absent, the path is still true in a filter, but has no value.
   */
  readonly valueField?: string;
  /**
   * Returns the struct as one string: its value in JSON, and its meaning in the tree. Returns undefined if the struct
   * was not decoded completely.
   */
  readonly shownAs?: (nodes: FieldTree, node: number) => string | undefined;
  /** Returns what the struct says in one line, for the tree. Its value remains the object with its fields. */
  readonly label?: (nodes: FieldTree, node: number) => string | undefined;
  /**
   * Returns what the struct adds to the one-line summary of a message, such as `isOpen=true`. Nothing in it then adds
   * anything of its own.
   */
  readonly fact?: (nodes: FieldTree, node: number) => string;
}

/** How much of a number is used: all of it, some of its bits, or some that a condition tests. */
export type Usage = "number" | "bits" | "tested bits";

/** Valid names of classes, which end up in lines, tables and files of every kind; a group has none. */
const CLASS_NAME = /^(?:\w[\w.-]*)?$/;

const OPTIONS: ReadonlySet<string> = new Set<keyof StructOptions>([
  "tag",
  "doc",
  "countsAs",
  "derived",
  "introduces",
  "valueField",
  "shownAs",
  "label",
  "fact",
]);

/**
 * The table of one class: the fields of its base class, then its own. Built once, when the declaration is loaded; a
 * mistake in the declaration, such as a name that is not an earlier field, throws at that point.
 */
export class Struct {
  readonly fields: Field[] = [];
  /** Number of slots: one for each number that its fields use. */
  slotCount = 0;
  /** For a group: its conditions on the struct around it, each with the slot into which the number is copied. */
  readonly outer: { readonly condition: Condition; readonly slot: number }[] = [];
  readonly tag: number | undefined;
  readonly doc: string;
  readonly countsAs: Struct | undefined;
  readonly derived: readonly Derived[];
  /** What this class and its bases introduce; undefined if nothing. */
  readonly introduces: readonly NameBinding[] | undefined;
  readonly valueField: string | undefined;
  /** What `valueField` names, if that is a derived value. */
  readonly derivedValue: Derived | undefined;
  readonly shownAs: ((nodes: FieldTree, node: number) => string | undefined) | undefined;
  readonly label: ((nodes: FieldTree, node: number) => string | undefined) | undefined;
  readonly fact: ((nodes: FieldTree, node: number) => string) | undefined;
  /** The members with their declarations, for the encoder and the reference. */
  readonly descriptors: ReadonlyMap<string, TypeDescriptor>;
  #minimumWidth: number | undefined;
  #segments: readonly Segment[] | undefined;

  constructor(
    readonly name: string,
    readonly base: Struct | undefined,
    members: readonly (readonly [string, TypeDescriptor])[],
    options: StructOptions,
  ) {
    const stranger = Object.keys(options).find((option) => !OPTIONS.has(option));
    if (stranger !== undefined) throw new Error(`${this.title}: ${stranger} is not an option of a struct`);
    if (!CLASS_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid class name`);
    this.tag = options.tag;
    this.doc = options.doc ?? "";
    this.countsAs = options.countsAs?.struct ?? base?.countsAs;
    this.derived = [...(base?.derived ?? []), ...(options.derived ?? [])];
    const bindings = [base?.introduces ?? [], options.introduces ?? []].flat();
    this.introduces = bindings.length === 0 ? undefined : bindings;
    this.valueField = options.valueField ?? base?.valueField;
    this.derivedValue = this.derived.find((derived) => derived.name === this.valueField);
    this.shownAs = options.shownAs ?? base?.shownAs;
    this.label = options.label ?? base?.label;
    this.fact = options.fact ?? base?.fact;
    const descriptors = new Map(base?.descriptors);
    for (const [memberName, descriptor] of members) {
      if (!FIELD_NAME.test(memberName))
        throw new Error(`${name}: ${JSON.stringify(memberName)} is not a valid field name`);
      if (descriptors.has(memberName)) throw new Error(`${name} has two fields named ${memberName}`);
      descriptors.set(memberName, descriptor);
    }
    this.descriptors = descriptors;
    for (const [memberName, descriptor] of descriptors) this.fields.push(new Field(memberName, descriptor, this));
    expectNames(this);
    expectNothingAfterRest(this);
    Object.freeze(this.fields);
  }

  /** The fields, grouped into segments that the decoder handles at once. */
  get segments(): readonly Segment[] {
    this.#segments ??= segmentsOf(this.fields);
    return this.#segments;
  }

  /** Its name in errors about declarations. */
  get title(): string {
    return this.name || "a group";
  }

  /** True if this struct is `ancestor`, is derived from it, or counts as a class that is. */
  isA(ancestor: Struct): boolean {
    return this === ancestor || this.base?.isA(ancestor) === true || this.countsAs?.isA(ancestor) === true;
  }

  /** The least number of bytes that a value of this struct can have. */
  get minimumWidth(): number {
    this.#minimumWidth ??= this.fields
      .filter(({ condition }) => condition === undefined)
      .reduce((sum, field) => sum + field.minimumWidth, 0);
    return this.#minimumWidth;
  }

  /** True for a path that is not in this group, but in the struct around it. */
  isOuter(path: string): boolean {
    const [head = ""] = path.split(".");
    return this.name === "" && !this.descriptors.has(head);
  }

  /** Returns the slot for a number of the struct around this group. Each such struct says where it has that number. */
  outerSlotOf(condition: Condition): number {
    const known = this.outer.find((other) => other.condition.field === condition.field);
    const slot = known?.slot ?? this.slotCount++;
    this.outer.push({ condition, slot });
    return slot;
  }

  /**
   * Returns the slot in which the number of an earlier field is kept while the struct is decoded. A path `a.b` names a
   * field of an earlier struct.
   *
   * @param usage how much of the number is used
   */
  slotOf(path: string, usage: Usage): number {
    const [head = "", ...tail] = path.split(".");
    const field = this.fields.find((candidate) => candidate.name === head);
    if (field === undefined) throw new Error(`${this.title}: ${path} is not an earlier field`);
    const inner = tail.join(".");
    if (inner !== "") {
      if (field.opcode !== Opcode.Struct || field.struct === undefined) {
        throw new Error(`${this.title}: ${head} is not a struct, so ${path} means nothing`);
      }
      const from = field.struct.slotOf(inner, usage);
      const known = field.captures.find((capture) => capture.from === from);
      if (known !== undefined) return known.to;
      const to = this.slotCount++;
      field.captures.push({ from, to });
      return to;
    }
    const opcode = field.opcode === Opcode.Array ? field.inner?.opcode : field.opcode;
    if (opcode === Opcode.Struct) throw new Error(`${this.title}: ${head} is a struct: which field of it is meant?`);
    if (field.codec?.isWholeNumber !== true) expectNumber(opcode, usage, `${this.title}: ${head}`);
    field.isSeenWhole ||= usage === "number";
    if (field.slot < 0) {
      field.slot = this.slotCount++;
      // A struct that is declared later may be the first to use this field.
      this.#segments = undefined;
    }
    return field.slot;
  }
}

/** The type of a struct, from which others can be derived. */
export class StructType<out V> extends Type<V> {
  constructor(readonly struct: Struct) {
    super({ opcode: Opcode.Struct, kind: "struct", width: 0, struct, doc: struct.doc });
  }
}

/** Declares a struct with these members, in wire order. */
export function struct<M extends Members>(
  name: string,
  members: M,
  options: StructOptions = {},
): StructType<InferMembers<M>> {
  return new StructType(new Struct(named(name), undefined, descriptorsOf(name, members), options));
}

/** Returns the name of a class, and throws for anything that is none. */
function named(name: unknown): string {
  if (typeof name === "string" && name !== "") return name;
  throw new Error(`the name of a struct is ${JSON.stringify(name)}; fields without a name are a group()`);
}

/** Declares a class derived from `base`, whose fields come first. */
export function derive<B, M extends Members>(
  name: string,
  base: StructType<B>,
  members: M,
  options: StructOptions = {},
): StructType<B & InferMembers<M>> {
  return new StructType(new Struct(named(name), base.struct, descriptorsOf(name, members), options));
}

/**
 * Declares fields that belong together without being a class of the protocol. Their conditions may also look at earlier
 * fields of the struct that the group is in.
 */
export function group<M extends Members>(members: M, options: StructOptions = {}): StructType<InferMembers<M>> {
  return new StructType(new Struct("", undefined, descriptorsOf("", members), options));
}

function descriptorsOf(name: string, members: Members): [string, TypeDescriptor][] {
  return Object.entries(members).map(([member, type]) => {
    expectType(type, `${name || "a group"}: ${member}`);
    return [member, type.descriptor];
  });
}
