import type { Codec } from "../language/codec.js";
import type { Test } from "../language/condition.js";
import type { Family } from "../language/family.js";
import { type Field, UNDISSECTED_NAME } from "../language/field.js";
import type { LengthRule } from "../language/length.js";
import { isArray, Opcode } from "../language/opcode.js";
import type { Struct } from "../language/struct.js";
import type { Type } from "../language/type.js";

/** A condition, with the slot of the number that it tests. */
export interface SlotCondition {
  readonly slot: number;
  readonly test: Test;
  readonly mask: number;
  readonly operand: number;
}

/** The slot of a struct, and that of another one into which the number in it is copied. */
export interface SlotCopy {
  readonly from: number;
  readonly to: number;
}

/**
 * Instead of a slot, for what is in none: a field whose number no other field uses, a length that is a number in the
 * declaration, a selector or inflated length where there is none.
 */
export const NO_SLOT = -1;
/** Instead of a slot, for a length that is "the rest of the region". */
export const REST = -2;

/** What is compiled from the rules of a field, and from the types in it. */
export interface FieldLinks {
  /** Slot in which the number of this field is kept for later fields; `NO_SLOT` if none uses it. */
  readonly slot: number;
  /** True if one of them uses the whole number, not only some of its bits. */
  readonly isSeenWhole: boolean;
  /** The table of its struct. */
  readonly table: StructTable | undefined;
  /** For a struct: its own slots that are copied to slots of its owner for later fields. */
  readonly exports: readonly SlotCopy[];
  /** For a group: slots of its owner that are copied to its own for its conditions. */
  readonly imports: readonly SlotCopy[];
  /** The tag of a polymorphic field. */
  readonly tag: FieldEntry | undefined;
  /** The elements of an array, or the content of a region. */
  readonly inner: FieldEntry | undefined;
  /** The elements of a tuple. */
  readonly elements: readonly FieldEntry[];
  readonly conditions: readonly SlotCondition[];
  /** Slot of the number that the length comes from, `NO_SLOT` or `REST`. */
  readonly lengthSlot: number;
  /** Slot of the number that selects one of the choices, or `NO_SLOT`. */
  readonly selectorSlot: number;
  readonly choices: ReadonlyMap<number, FieldEntry> | undefined;
  readonly otherwise: FieldEntry | undefined;
  readonly compressed: SlotCondition | undefined;
  /** Slot of the number of bytes that compressed content inflates to, or `NO_SLOT`. */
  readonly inflatedLengthSlot: number;
  /** What the content of a region is instead, if only that makes sense. */
  readonly otherContent: FieldEntry | undefined;
}

/**
 * One entry of a struct's table: a field prepared for the decoder. Names are resolved to slots, and every entry has the
 * same members in the same order, so that the decoder stays monomorphic; what it needs of every field is copied here.
 */
export class FieldEntry implements FieldLinks {
  // What the decoder needs most often comes first: more of an entry fits into few lines of the processor's cache.
  readonly opcode: Opcode;
  readonly width: number;
  readonly slot: number;
  /** True if its nodes are in the outline of a message: see `FieldTree.outline`. */
  readonly isOutlined: boolean;
  readonly table: StructTable | undefined;
  readonly codec: Codec<unknown> | undefined;
  readonly inner: FieldEntry | undefined;
  readonly lengthSlot: number;
  readonly imports: readonly SlotCopy[];
  readonly exports: readonly SlotCopy[];
  readonly tag: FieldEntry | undefined;
  readonly family: Family | undefined;
  /** The entries that `withTag`, `resolvedAs` and `opaque` have made of it. */
  variants: Map<number, FieldEntry> | undefined;
  resolved: WeakMap<Type<unknown>, FieldEntry> | undefined;
  opaque: FieldEntry | undefined;
  readonly base: Struct | undefined;
  readonly length: LengthRule;
  readonly compressed: SlotCondition | undefined;
  readonly otherContent: FieldEntry | undefined;
  readonly selectorSlot: number;
  readonly selectorMask: number;
  readonly choices: ReadonlyMap<number, FieldEntry> | undefined;
  readonly otherwise: FieldEntry | undefined;
  readonly encoding: Field["encoding"];
  readonly undeclared: string;
  readonly isSeenWhole: boolean;
  readonly elements: readonly FieldEntry[];
  readonly conditions: readonly SlotCondition[];
  /** The first of them. */
  readonly condition: SlotCondition | undefined;
  readonly inflatedLengthSlot: number;

  constructor(
    readonly field: Field,
    links: FieldLinks,
  ) {
    const { opcode, struct } = field;
    const tells = field.inSummary || struct?.fact !== undefined || field.name === UNDISSECTED_NAME;
    this.opcode = opcode;
    this.width = field.width;
    this.slot = links.slot;
    this.isOutlined = tells || opcode === Opcode.Polymorphic || isArray(opcode);
    this.table = links.table;
    this.codec = field.codec;
    this.inner = links.inner;
    this.lengthSlot = links.lengthSlot;
    this.imports = links.imports;
    this.exports = links.exports;
    this.tag = links.tag;
    this.family = field.family;
    this.variants = undefined;
    this.resolved = undefined;
    this.opaque = undefined;
    this.base = field.base;
    this.length = field.length;
    this.compressed = links.compressed;
    this.otherContent = links.otherContent;
    this.selectorSlot = links.selectorSlot;
    this.selectorMask = field.selector?.mask ?? -1;
    this.choices = links.choices;
    this.otherwise = links.otherwise;
    this.encoding = field.encoding;
    this.undeclared = field.undeclared;
    this.isSeenWhole = links.isSeenWhole;
    this.elements = links.elements;
    this.conditions = links.conditions;
    this.condition = links.conditions[0];
    this.inflatedLengthSlot = links.inflatedLengthSlot;
  }

  /** Returns the type for a value of the selector. */
  chosen(selector: number): FieldEntry | undefined {
    const selected = this.selectorMask === -1 ? selector : (selector & this.selectorMask) >>> 0;
    return this.choices?.get(selected) ?? this.otherwise;
  }
}

/** How many numbers `FixedSegment.places` has for each node. */
export const PLACE = 3;

/**
 * Fields of a struct that always follow each other and have known widths, down to the structs among them. The places of
 * their nodes are known before there are any bytes, so the decoder adds all of them at once.
 */
export interface FixedSegment {
  /** The field of each node. */
  readonly nodes: readonly Field[];
  /**
   * For each node, its entries in `starts`, `ends` and `spans`, in an array that many segments share, and the index of
   * the first of these numbers.
   */
  readonly places: Int32Array;
  readonly firstPlace: number;
  /** Number of bytes. */
  readonly width: number;
  /** Number of levels of structs in it. */
  readonly depth: number;
  readonly controls: readonly Control[];
  /** Which of the nodes are in the outline of a message. */
  readonly outline: readonly number[];
  /** Offsets of each node's first byte, and after its last one, from the start of the segment. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** For each node, the distance in nodes to the next one that is not below it. */
  readonly spans: Int32Array;
}

/** A number in a segment that later fields use. */
export interface Control {
  readonly opcode: Opcode;
  /** Offset from the start of the segment. */
  readonly offset: number;
  readonly slot: number;
}

/** Fields of a struct that follow each other and are present or absent together. */
export interface Segment {
  /** The first condition for them to be present. */
  readonly condition: SlotCondition | undefined;
  /** True if there are more. */
  readonly hasSeveral: boolean;
  /** The same with a fixed layout, if they can be decoded at once, given enough bytes. */
  readonly fixed: FixedSegment | undefined;
  /** The first field. Without a fixed layout there is no other. */
  readonly entry: FieldEntry;
  readonly entries: readonly FieldEntry[];
  /** All conditions. */
  readonly conditions: readonly SlotCondition[];
  /**
   * Slots to be set to 0 when the fields are absent, so that later fields do not see a number of an earlier message.
   */
  readonly slots: readonly number[];
}

/** The table of one struct, for what later fields use of it: of its own, and of the struct that it is in. */
export interface StructTable {
  readonly struct: Struct;
  readonly entries: readonly FieldEntry[];
  /** The same, grouped into segments that the decoder handles at once. */
  readonly segments: readonly Segment[];
  /** True if it binds names: see `StructOptions.introduces`. */
  readonly bindsNames: boolean;
  /** Number of slots: one for each number that its fields use. */
  readonly slotCount: number;
  /** The slots by the paths of the fields whose numbers they keep. */
  readonly slots: ReadonlyMap<string, number>;
  /** For a group: those of these paths that are in the struct around it. */
  readonly outer: readonly string[];
}
