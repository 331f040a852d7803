import { Field, holds, REST, type SlotCondition } from "../language/field.js";
import { Opcode } from "../language/opcode.js";
import type { Struct } from "../language/struct.js";
import { halfUnitIn } from "../language/text.js";
import type { NameOf, Type } from "../language/type.js";
import type { FixedSegment } from "../table/fixed-segment.js";
import type { Segment } from "../table/segment.js";
import type { ByteSource } from "../tree/byte-source.js";
import type { NameLookup } from "../tree/field-tree.js";
import { readCodedControl, readControl, readNumber } from "../tree/leaf.js";
import { RegionCursor } from "./region-cursor.js";

/** The bytes to decode from, as a view on a larger buffer. */
export interface Window {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the first byte of the value. */
  readonly start: number;
  /** Offset after the last available byte. */
  readonly end: number;
}

/** How the available bytes relate to the value. */
export const Extent = {
  /** The window is exactly the value: bytes left over, or too few, break the format. */
  Exact: 0,
  /** More bytes may still come: too few are no fault yet; bytes left over belong to what follows. */
  Open: 1,
  /** The capture holds no more bytes: missing ones were cut off; bytes left over belong to what follows. */
  Cut: 2,
  /** Like `Cut`, but all bytes belong to the value, of which only the beginning need be declared. */
  Head: 3,
} as const;
/** One of the values of `Extent`. */
export type Extent = (typeof Extent)[keyof typeof Extent];

/**
 * Decodes bytes by the tables of a type and fills the node store. One decoder serves many messages, one after another.
 *
 * Nothing that the bytes hold makes it throw. Where they break the format, the tree up to that place is kept, the rest
 * of the region (the message, or the part of it whose length is known) becomes one leaf named `undissected`, and
 * decoding continues after the region.
 */
export class Decoder extends RegionCursor {
  /** Number of bytes that the value took. */
  consumed = 0;
  /** Settings of the run, for types that depend on them. */
  settings: unknown;
  /** Names that the traffic has shown so far, for labels, and for types that depend on them. */
  names: NameLookup | undefined;

  readonly #roots = new Map<Type<unknown, boolean>, Field>();

  /**
   * Decodes one value. Returns false if there are too few bytes (only with `Extent.Open`): `needed` then says how many
   * it takes before it makes sense to try again.
   */
  decode(type: Type<unknown, boolean>, window: Window, extent: Extent, kind: ByteSource["kind"] = "message"): boolean {
    const { store } = this;
    store.clear();
    store.names = this.names;
    const source: ByteSource = {
      kind,
      bytes: window.bytes,
      view: window.view,
      origin: window.start,
      length: window.end - window.start,
      isExact: extent === Extent.Exact,
      parent: -1,
    };
    store.sources.push(source);
    this.enter(source, 0);
    this.depth = 0;
    this.parent = 0;
    this.bounded = extent === Extent.Exact;
    this.open = extent === Extent.Open;
    this.cut = extent === Extent.Cut || extent === Extent.Head;
    this.claimedBy = "";
    this.truncated = false;
    this.endless = false;
    this.inflatedBytes = 0;
    this.needed = 0;

    let field = this.#roots.get(type);
    if (field === undefined) {
      field = new Field(type.descriptor.struct?.name ?? type.descriptor.kind, type.descriptor);
      this.#roots.set(type, field);
    }
    const from = this.mark();
    this.decodeField(field, 0, 0);
    if (this.needed > 0) return false;
    if (extent === Extent.Exact) this.closeRegion(0);
    else if (extent === Extent.Head) this.closeRegion(0, "not declared");
    this.unify(field, from);
    this.consumed = this.position - window.start;
    source.length = this.consumed;
    return true;
  }

  /** Decodes the fields of a struct; false if the rest of the region could not be dissected. */
  #struct(struct: Struct, slots: number): boolean {
    const { segments } = struct;
    const inner = slots + struct.slotCount;
    this.slots.reserve(inner);
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index];
      if (segment === undefined) break;
      const { condition, fixed } = segment;
      if (condition !== undefined && !this.#present(segment, condition, slots)) {
        for (let at = 0; at < segment.slots.length; at++) this.slots.set(slots + (segment.slots[at] ?? 0), 0);
      } else if (fixed === undefined) {
        if (!this.#member(segment.field, slots, inner)) return false;
      } else if (!this.#fixed(fixed, slots)) {
        for (const field of segment.fields) if (!this.#member(field, slots, inner)) return false;
      }
    }
    return true;
  }

  /** Decodes one field of a struct, which is known to be present. */
  #member(field: Field, slots: number, inner: number): boolean {
    const { width } = field;
    if (width === 0) return this.decodeField(field, slots, inner);
    const start = this.position;
    const end = start + width;
    if (end > this.limit) return this.short(field, width);
    if (field.slot >= 0) this.slots.set(slots + field.slot, readControl(field.opcode, this.view, start));
    this.store.add(field, this.source, start - this.origin, end - this.origin);
    this.position = end;
    return true;
  }

  /** Decodes the fields of a segment at once; false if they do not all fit. */
  #fixed(segment: FixedSegment, slots: number): boolean {
    const start = this.position;
    const end = start + segment.width;
    if (end > this.limit || this.depth + segment.depth > this.deepest) return false;
    const { controls } = segment;
    for (let index = 0; index < controls.length; index++) {
      const control = controls[index];
      if (control === undefined) break;
      this.slots.set(slots + control.slot, readControl(control.opcode, this.view, start + control.offset));
    }
    this.store.addSegment(segment, this.source, start - this.origin);
    this.position = end;
    return true;
  }

  #present({ conditions }: Segment, first: SlotCondition, slots: number): boolean {
    // Few fields have more than one condition.
    if (conditions.length === 1) return holds(first, this.slots.get(slots + first.slot));
    return conditions.every((condition) => holds(condition, this.slots.get(slots + condition.slot)));
  }

  protected override decodeField(field: Field, slots: number, inner: number): boolean {
    switch (field.opcode) {
      case Opcode.Codec:
        return this.#codec(field, slots);
      case Opcode.Struct:
        return this.#nested(field, slots, inner);
      case Opcode.Array:
        return this.#array(field, slots, inner);
      case Opcode.Bytes:
      case Opcode.Text:
        return this.#counted(field, slots);
      case Opcode.Polymorphic:
        return this.#polymorphic(field, inner);
      case Opcode.Choice:
        return this.#choice(field, slots, inner);
      case Opcode.Region:
        return this.region(field, slots, inner);
      case Opcode.Tuple:
        return this.#tuple(field, slots, inner);
      case Opcode.Resolved:
        return this.#resolved(field, slots, inner);
      default: {
        const end = this.position + field.width;
        if (end > this.limit) return this.short(field, field.width);
        if (field.slot >= 0) this.slots.set(slots + field.slot, readControl(field.opcode, this.view, this.position));
        this.leaf(field, end);
        return true;
      }
    }
  }

  #codec(field: Field, slots: number): boolean {
    const length = this.#measured(field);
    if (length < 0) return this.short(field, -length);
    if (field.slot < 0) {
      this.#codedLeaf(field, length, 0);
      return true;
    }
    const number = readCodedControl(field, this.bytes, this.position, this.position + length);
    this.slots.set(slots + field.slot, number);
    return this.#codedLeaf(field, length, number) || this.giveUp();
  }

  /** Returns the length of a leaf with a codec or, if not all of it is there, what it needs at least, negated. */
  #measured({ name, codec }: Field): number {
    const left = this.limit - this.position;
    const length = codec?.measure(this.view, this.position, this.limit) ?? 0;
    if (isMeasure(length, left)) return length;
    throw new RangeError(`${name}: the codec measured ${String(length)} bytes, with ${left} left`);
  }

  /**
   * Adds a leaf with a codec, and what there is to say about it; false if it breaks the format.
   *
   * @param number what other fields read in it; 0 if they do not
   */
  #codedLeaf(field: Field, length: number, number: number): boolean {
    const { codec } = field;
    const start = this.position;
    const node = this.leaf(field, start + length);
    this.#remark(node, codec?.remark?.(length, this.bytes, start));
    const unusable = Number.isInteger(number) ? undefined : `is ${number}, which is not a whole number`;
    const problem = codec?.problem?.(this.bytes, start, this.position) ?? unusable;
    if (problem === undefined) return true;
    if (typeof problem !== "string") {
      throw new TypeError(`${field.name}: the problem that the codec finds is ${String(problem)}, which is not a text`);
    }
    this.fault(node, field, problem);
    return false;
  }

  #remark(node: number, text: string | undefined): void {
    if (text !== undefined) this.store.note("ok", "warning", node, text);
  }

  #nested(field: Field, slots: number, inner: number): boolean {
    const { struct } = field;
    if (struct === undefined) return true;
    const node = this.begin(field);
    if (!this.deeper(field)) return this.abandon(node);
    const { imports, captures } = field;
    if (imports.length > 0) this.#import(field, struct, slots, inner);
    const whole = this.#members(node, struct, inner);
    for (let index = 0; index < captures.length; index++) {
      const capture = captures[index];
      if (capture !== undefined) this.slots.set(slots + capture.to, this.slots.get(inner + capture.from));
    }
    return whole;
  }

  /** Gives a group the numbers of its owner that its conditions test. */
  #import({ imports }: Field, { slotCount }: Struct, slots: number, inner: number): void {
    this.slots.reserve(inner + slotCount);
    for (const { from, to } of imports) this.slots.set(inner + to, this.slots.get(slots + from));
  }

  /** Decodes the fields of the struct at a node, and closes the node. */
  #members(node: number, struct: Struct, inner: number): boolean {
    const outer = this.parent;
    this.parent = node;
    if (struct.introduces !== undefined) this.store.nameBindings.push(node);
    const whole = this.#struct(struct, inner);
    this.parent = outer;
    this.depth--;
    this.finish(node);
    return whole;
  }

  #array(field: Field, slots: number, inner: number): boolean {
    const element = field.inner;
    if (element === undefined) return true;
    const node = this.begin(field);
    let count = this.slots.lengthOf(field, slots);
    const { store } = this;
    const toEnd = field.length.slot === REST;
    if (toEnd) {
      this.endless ||= !this.bounded;
      count = Number.MAX_SAFE_INTEGER;
    } else {
      const least = element.minimumWidth * count;
      const end = this.position + least;
      // An array that the capture holds only in part is shown as far as it goes.
      if (count < 0 || (end > this.limit && !this.cutAt(end))) {
        this.short(field, count < 0 ? count : least);
        this.finish(node);
        return false;
      }
      if (count > this.mostNodes) return this.refuse(node, field, `${count} elements are more than the limit`);
    }
    let whole = true;
    for (let index = 0; whole && index < count; index++) {
      const start = this.position;
      if (toEnd && start >= this.limit) break;
      if (store.count > this.mostNodes) return this.refuse(node, field, "the message has more nodes than the limit");
      const end = start + element.width;
      if (element.width > 0 && end <= this.limit) this.leaf(element, end);
      else whole = this.decodeField(element, slots, inner);
      if (toEnd && this.position === start) break;
    }
    if (whole && field.slot >= 0) this.slots.set(slots + field.slot, this.#firstNumber(node, element));
    this.finish(node);
    return whole;
  }

  #tuple(field: Field, slots: number, inner: number): boolean {
    const node = this.begin(field);
    const whole = field.elements.every((element) => this.decodeField(element, slots, inner));
    this.finish(node);
    return whole;
  }

  #resolved(field: Field, slots: number, inner: number): boolean {
    const parent = this.parent;
    const nameOf: NameOf = (kind, id) => this.names?.get(kind, id);
    const { resolver = () => "" } = field;
    const type = resolver((name) => this.#earlier(parent, name), this.settings, nameOf);
    if (typeof type !== "string") return this.decodeField(field.resolvedAs(type), slots, inner);
    this.store.note("unknown", "note", this.rest(field.opaque), type);
    return false;
  }

  /** Returns the value of an earlier field of a struct that is still being decoded. */
  #earlier(parent: number, name: string): unknown {
    const { store } = this;
    for (let node = parent + 1; node < store.count; node = store.nextOf(node)) {
      if (store.field(node).name === name) return store.value(node);
    }
    const { struct } = store.field(parent);
    if (struct?.descriptors.has(name) === false) throw new Error(`${struct.title}: ${name} is not an earlier field`);
    return undefined;
  }

  /** Returns what a condition on an array tests: the number in its first element, or 0 if it has none. */
  #firstNumber(array: number, element: Field): number {
    if (array + 1 >= this.store.count || element.width === 0) return 0;
    return readControl(element.opcode, this.view, this.origin + this.store.startOf(array + 1));
  }

  #counted(field: Field, slots: number): boolean {
    let length = this.slots.lengthOf(field, slots);
    if (length < 0) {
      if (field.length.slot !== REST) return this.short(field, length);
      this.endless ||= !this.bounded;
      length = this.limit - this.position;
      if (length === 0) return true;
    }
    if (this.position + length > this.limit) return this.short(field, length);
    const node = this.leaf(field, this.position + length);
    const isWhole = this.bounded || field.length.slot !== REST;
    if (isWhole && field.encoding === "utf16le") this.#remark(node, halfUnitIn(length));
    if (field.undeclared !== "" && length > 0) this.store.note("unknown", "note", node, field.undeclared);
    return true;
  }

  #polymorphic(field: Field, inner: number): boolean {
    const { family } = field;
    if (family === undefined) return true;
    const { tagField } = family;
    const isCoded = tagField.width === 0;
    const width = isCoded ? this.#measured(tagField) : tagField.width;
    const end = this.position + width;
    if (width < 0 || end > this.limit) return this.short(field, Math.abs(width));
    const tag = isCoded
      ? readCodedControl(tagField, this.bytes, this.position, end)
      : readNumber(tagField.opcode, this.view, this.position);
    const variant = field.withTag(tag);
    const struct = variant?.struct;
    const node = this.begin(variant ?? field);
    if (!isCoded) this.leaf(tagField, end);
    else if (!this.#codedLeaf(tagField, width, tag)) {
      this.giveUp();
      return this.abandon(node);
    }
    if (tag === family.nullTag) {
      this.finish(node);
      return true;
    }
    if (struct === undefined && family.closed) {
      this.store.note("malformed", "error", node, `${family.tagName} ${tag} is not one of ${family.name}`);
      return this.abandon(node);
    }
    if (struct === undefined) {
      const name = family.called(tag);
      const found = name === String(tag) ? name : `${tag} (${name})`;
      this.store.note(
        "unknown",
        "warning",
        node,
        `${family.tagName} ${found} is not a declared class of ${family.name}`,
      );
      return this.abandon(node);
    }
    if (field.base !== undefined && !struct.isA(field.base)) {
      this.store.note("ok", "warning", node, `found ${struct.name} where a ${field.base.name} should be`);
    }
    if (!this.deeper(field)) return this.abandon(node);
    return this.#members(node, struct, inner);
  }

  #choice(field: Field, slots: number, inner: number): boolean {
    const selector = this.slots.get(slots + field.selectorSlot);
    const chosen = field.chosen(selector);
    if (chosen !== undefined) return this.decodeField(chosen, slots, inner);
    const text = `no type is declared for ${field.selected(selector)}`;
    this.store.note("unknown", "warning", this.rest(field.opaque), text);
    return false;
  }
}

/**
 * True for a valid result of `Codec.measure`: a length within the `left` bytes, or the larger number needed, negated.
 */
function isMeasure(length: number, left: number): boolean {
  if (!Number.isInteger(length)) return false;
  if (length < 0) return -length > left;
  return length <= left && (length > 0 || left === 0);
}
