import { Slots } from "../table/slots.js";
import { type FieldEntry, REST } from "../table/struct-table.js";
import { readCodedControl } from "../tree/leaf.js";
import { halfUnitIn } from "../tree/text.js";
import { Cursor } from "./cursor.js";

/** Decodes leaves whose width is not fixed: an earlier field gives it, or their own bytes do. */
export abstract class LeafCursor extends Cursor {
  protected readonly slots = new Slots();

  protected countedLeaf(entry: FieldEntry, slots: number): boolean {
    let length = this.slots.lengthOf(entry, slots);
    if (length < 0) {
      if (entry.lengthSlot !== REST) return this.short(entry, length);
      this.endless ||= !this.bounded;
      length = this.limit - this.position;
      if (length === 0) return true;
    }
    if (this.position + length > this.limit) return this.short(entry, length);
    const node = this.leaf(entry, this.position + length);
    const { encoding, undeclared } = entry;
    const isWhole = this.bounded || entry.lengthSlot !== REST;
    if (isWhole && encoding === "utf16le") this.#remark(node, halfUnitIn(length));
    if (undeclared !== "" && length > 0) this.store.note("unknown", "note", node, undeclared);
    return true;
  }

  protected codedLeaf(entry: FieldEntry, slots: number): boolean {
    const length = this.measured(entry);
    if (length < 0) return this.short(entry, -length);
    if (entry.slot < 0) {
      this.measuredLeaf(entry, length, 0);
      return true;
    }
    const number = readCodedControl(entry, this.bytes, this.position, this.position + length);
    this.slots.set(slots + entry.slot, number);
    return this.measuredLeaf(entry, length, number) || this.giveUp();
  }

  /** Returns the length of a leaf with a codec or, if not all of it is there, what it needs at least, negated. */
  protected measured({ field, codec }: FieldEntry): number {
    const left = this.limit - this.position;
    const length = codec?.measure(this.view, this.position, this.limit) ?? 0;
    if (isMeasure(length, left)) return length;
    throw new RangeError(`${field.name}: the codec measured ${String(length)} bytes, with ${left} left`);
  }

  /**
   * Adds a leaf with a codec, and what there is to say about it; false if it breaks the format.
   *
   * @param number what other fields read in it; 0 if they do not
   */
  protected measuredLeaf(entry: FieldEntry, length: number, number: number): boolean {
    const { codec, field } = entry;
    const start = this.position;
    const node = this.leaf(entry, start + length);
    this.#remark(node, codec?.remark?.(length, this.bytes, start));
    const unusable = Number.isInteger(number) ? undefined : `is ${number}, which is not a whole number`;
    const problem = codec?.problem?.(this.bytes, start, this.position) ?? unusable;
    if (problem === undefined) return true;
    if (typeof problem !== "string") {
      throw new TypeError(`${field.name}: the problem that the codec finds is ${String(problem)}, which is not a text`);
    }
    this.fault(node, entry, problem);
    return false;
  }

  #remark(node: number, text: string | undefined): void {
    if (text !== undefined) this.store.note("ok", "warning", node, text);
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
