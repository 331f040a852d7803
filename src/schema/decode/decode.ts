import type { ByteSource } from "../language/byte-source.js";
import type { Family } from "../language/family.js";
import { Field } from "../language/field.js";
import type { NameLookup } from "../language/field-tree.js";
import { Opcode } from "../language/opcode.js";
import type { NameOf, Type } from "../language/type.js";
import { entryOf, opaque, resolvedAs, withTag } from "../table/compile.js";
import { holds } from "../table/holds.js";
import {
  type FieldEntry,
  type FixedSegment,
  REST,
  type Segment,
  type SlotCondition,
  type StructTable,
} from "../table/struct-table.js";
import { readCodedControl, readControl, readNumber } from "../tree/leaf.js";
import { RegionCursor } from "./region-cursor.js";
import { Extent, type Window } from "./window.js";

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
  /** False if functions of declarations may look at more than is below the node that they are called for. */
  isTrusted = true;

  readonly #roots = new Map<Type<unknown, boolean>, FieldEntry>();

  /**
   * Decodes one value. Returns false if there are too few bytes (only with `Extent.Open`): `needed` then says how many
   * it takes before it makes sense to try again.
   */
  decode(type: Type<unknown, boolean>, window: Window, extent: Extent, kind: ByteSource["kind"] = "message"): boolean {
    const source = this.beginTree(window, extent, kind);
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

    const entry = this.rootOf(type);
    const from = this.mark();
    this.decodeField(entry, 0, 0);
    if (this.needed > 0) return false;
    if (extent === Extent.Exact) this.closeRegion(0);
    else if (extent === Extent.Head) this.closeRegion(0, "not declared");
    this.unify(entry, from);
    this.consumed = this.position - window.start;
    source.length = this.consumed;
    return true;
  }

  /** Empties the tree for the next value; returns the source of its bytes. */
  protected beginTree(window: Window, extent: Extent, kind: ByteSource["kind"]): ByteSource {
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
    return source;
  }

  /** Returns the entry of a type by itself. */
  protected rootOf(type: Type<unknown, boolean>): FieldEntry {
    const known = this.#roots.get(type);
    if (known !== undefined) return known;
    const { descriptor } = type;
    const entry = entryOf(new Field(descriptor.struct?.name ?? descriptor.kind, descriptor));
    this.#roots.set(type, entry);
    return entry;
  }

  /** Decodes the fields of a struct; false if the rest of the region could not be dissected. */
  #struct({ segments, slotCount }: StructTable, slots: number): boolean {
    const inner = slots + slotCount;
    this.slots.reserve(inner);
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index];
      if (segment === undefined) break;
      const { condition, fixed } = segment;
      if (condition !== undefined && !this.#present(segment, condition, slots)) {
        for (let at = 0; at < segment.slots.length; at++) this.slots.set(slots + (segment.slots[at] ?? 0), 0);
      } else if (fixed === undefined) {
        if (!this.#member(segment.entry, slots, inner)) return false;
      } else if (!this.#fixed(fixed, slots)) {
        for (const entry of segment.entries) if (!this.#member(entry, slots, inner)) return false;
      }
    }
    return true;
  }

  /** Decodes one field of a struct, which is known to be present. */
  #member(entry: FieldEntry, slots: number, inner: number): boolean {
    const { width } = entry;
    if (width === 0) return this.decodeField(entry, slots, inner);
    const start = this.position;
    const end = start + width;
    if (end > this.limit) return this.short(entry, width);
    if (entry.slot >= 0) this.slots.set(slots + entry.slot, readControl(entry.opcode, this.view, start));
    this.store.add(entry, this.source, start - this.origin, end - this.origin);
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

  #present({ hasSeveral, conditions }: Segment, first: SlotCondition, slots: number): boolean {
    if (!hasSeveral) return holds(first, this.slots.get(slots + first.slot));
    return conditions.every((condition) => holds(condition, this.slots.get(slots + condition.slot)));
  }

  protected override decodeField(entry: FieldEntry, slots: number, inner: number): boolean {
    switch (entry.opcode) {
      case Opcode.Codec:
        return this.codedLeaf(entry, slots);
      case Opcode.Struct:
        return this.#nested(entry, slots, inner);
      case Opcode.Array:
        return this.#array(entry, slots, inner);
      case Opcode.Bytes:
      case Opcode.Text:
        return this.countedLeaf(entry, slots);
      case Opcode.Polymorphic:
        return this.#polymorphic(entry, inner);
      case Opcode.Choice:
        return this.#choice(entry, slots, inner);
      case Opcode.Region:
        return this.region(entry, slots, inner);
      case Opcode.Tuple:
        return this.#tuple(entry, slots, inner);
      case Opcode.Resolved:
        return this.#resolved(entry, slots, inner);
      default: {
        // As a method of its own, this makes decoding 4 % slower.
        const end = this.position + entry.width;
        if (end > this.limit) return this.short(entry, entry.width);
        if (entry.slot >= 0) this.slots.set(slots + entry.slot, readControl(entry.opcode, this.view, this.position));
        this.leaf(entry, end);
        return true;
      }
    }
  }

  #nested(entry: FieldEntry, slots: number, inner: number): boolean {
    const { table, imports, exports } = entry;
    if (table === undefined) return true;
    const node = this.begin(entry);
    if (!this.deeper(entry)) return this.abandon(node);
    if (imports.length > 0) this.#import(entry, table, slots, inner);
    const whole = this.#members(node, table, inner);
    for (let index = 0; index < exports.length; index++) {
      const copy = exports[index];
      if (copy !== undefined) this.slots.set(slots + copy.to, this.slots.get(inner + copy.from));
    }
    return whole;
  }

  /** Gives a group the numbers of its owner that its conditions test. */
  #import({ imports }: FieldEntry, { slotCount }: StructTable, slots: number, inner: number): void {
    this.slots.reserve(inner + slotCount);
    for (const { from, to } of imports) this.slots.set(inner + to, this.slots.get(slots + from));
  }

  /** Decodes the fields of the struct at a node, and closes the node. */
  #members(node: number, table: StructTable, inner: number): boolean {
    const outer = this.parent;
    this.parent = node;
    if (table.bindsNames) this.store.nameBindings.push(node);
    const whole = this.#struct(table, inner);
    this.parent = outer;
    this.depth--;
    this.finish(node);
    return whole;
  }

  #array(entry: FieldEntry, slots: number, inner: number): boolean {
    const element = entry.inner;
    if (element === undefined) return true;
    const node = this.begin(entry);
    let count = this.slots.lengthOf(entry, slots);
    const { store } = this;
    const toEnd = entry.lengthSlot === REST;
    if (toEnd) {
      this.endless ||= !this.bounded;
      count = Number.MAX_SAFE_INTEGER;
    } else {
      const least = element.field.minimumWidth * count;
      const end = this.position + least;
      // An array that the capture holds only in part is shown as far as it goes.
      if (count < 0 || (end > this.limit && !this.cutAt(end))) {
        this.short(entry, count < 0 ? count : least);
        this.finish(node);
        return false;
      }
      if (count > this.mostNodes) return this.refuse(node, entry, `${count} elements are more than the limit`);
    }
    let whole = true;
    for (let index = 0; whole && index < count; index++) {
      const start = this.position;
      if (toEnd && start >= this.limit) break;
      if (store.count > this.mostNodes) return this.refuse(node, entry, "the message has more nodes than the limit");
      const end = start + element.width;
      if (element.width > 0 && end <= this.limit) this.leaf(element, end);
      else whole = this.decodeField(element, slots, inner);
      if (toEnd && this.position === start) break;
    }
    if (whole && entry.slot >= 0) this.slots.set(slots + entry.slot, this.#firstNumber(node, element));
    this.finish(node);
    return whole;
  }

  #tuple(entry: FieldEntry, slots: number, inner: number): boolean {
    const node = this.begin(entry);
    const whole = entry.elements.every((element) => this.decodeField(element, slots, inner));
    this.finish(node);
    return whole;
  }

  #resolved(entry: FieldEntry, slots: number, inner: number): boolean {
    const parent = this.parent;
    const nameOf: NameOf = (kind, id) => this.names?.get(kind, id);
    const { resolver = () => "" } = entry.field;
    const type = resolver((name) => this.#earlier(parent, name), this.settings, nameOf);
    if (typeof type !== "string") return this.decodeField(resolvedAs(entry, type), slots, inner);
    this.store.note("unknown", "note", this.rest(opaque(entry)), type);
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
  #firstNumber(array: number, element: FieldEntry): number {
    if (array + 1 >= this.store.count || element.width === 0) return 0;
    return readControl(element.opcode, this.view, this.origin + this.store.startOf(array + 1));
  }

  #polymorphic(entry: FieldEntry, inner: number): boolean {
    const { family, tag: tagEntry } = entry;
    if (family === undefined || tagEntry === undefined) return true;
    const isCoded = tagEntry.width === 0;
    const width = isCoded ? this.measured(tagEntry) : tagEntry.width;
    const end = this.position + width;
    if (width < 0 || end > this.limit) return this.short(entry, Math.abs(width));
    const tag = isCoded
      ? readCodedControl(tagEntry, this.bytes, this.position, end)
      : readNumber(tagEntry.opcode, this.view, this.position);
    const variant = withTag(entry, tag);
    const table = variant?.table;
    const node = this.begin(variant ?? entry);
    if (!isCoded) this.leaf(tagEntry, end);
    else if (!this.measuredLeaf(tagEntry, width, tag)) {
      this.giveUp();
      return this.abandon(node);
    }
    if (tag === family.nullTag) {
      this.finish(node);
      return true;
    }
    if (table === undefined) return this.#undeclaredClass(node, family, tag);
    const { base } = entry;
    if (base !== undefined && !table.struct.isA(base)) {
      this.store.note("ok", "warning", node, `found ${table.struct.name} where a ${base.name} should be`);
    }
    if (!this.deeper(entry)) return this.abandon(node);
    return this.#members(node, table, inner);
  }

  #undeclaredClass(node: number, family: Family, tag: number): boolean {
    if (family.closed) {
      this.store.note("malformed", "error", node, `${family.tagName} ${tag} is not one of ${family.name}`);
      return this.abandon(node);
    }
    const name = family.called(tag);
    const found = name === String(tag) ? name : `${tag} (${name})`;
    const text = `${family.tagName} ${found} is not a declared class of ${family.name}`;
    this.store.note("unknown", "warning", node, text);
    return this.abandon(node);
  }

  #choice(entry: FieldEntry, slots: number, inner: number): boolean {
    const selector = this.slots.get(slots + entry.selectorSlot);
    const chosen = entry.chosen(selector);
    if (chosen !== undefined) return this.decodeField(chosen, slots, inner);
    const text = `no type is declared for ${entry.field.selected(selector)}`;
    this.store.note("unknown", "warning", this.rest(opaque(entry)), text);
    return false;
  }
}
