import { are, counted } from "../../common/counted.js";
import { type ByteSource, viewOf } from "../language/byte-source.js";
import type { Severity } from "../language/field-tree.js";
import { holdsNodes } from "../language/opcode.js";
import { opaque } from "../table/compile.js";
import { holds } from "../table/holds.js";
import { type FieldEntry, REST } from "../table/struct-table.js";
import type { Mark } from "./cursor.js";
import { inflateAfter } from "./inflate.js";
import { LeafCursor } from "./leaf-cursor.js";

/** Decodes regions: content within a number of bytes that an earlier field gives, and which may be compressed. */
export abstract class RegionCursor extends LeafCursor {
  /** Number of bytes inflated so far for the current value. */
  protected inflatedBytes = 0;

  /**
   * Decodes one field, except for a leaf of fixed width within a struct; false if the rest of the region could not be
   * dissected.
   *
   * @param slots where the numbers of its struct begin
   * @param inner where those of a struct in it begin
   */
  protected abstract decodeField(entry: FieldEntry, slots: number, inner: number): boolean;

  /** Decodes a type within a known number of bytes: what goes wrong inside stays inside. */
  protected region(entry: FieldEntry, slots: number, inner: number): boolean {
    const { inner: content, field } = entry;
    const toEnd = entry.lengthSlot === REST;
    const length = toEnd ? this.limit - this.position : this.slots.lengthOf(entry, slots);
    if (content === undefined || length === 0) return true;
    const start = this.position;
    const end = start + length;
    if (length < 0 || (end > this.limit && !this.cutAt(end))) return this.short(entry, length);

    const { compressed } = entry;
    if (compressed && holds(compressed, this.slots.get(slots + compressed.slot))) {
      if (end > this.limit) return this.short(entry, length);
      return this.#inflated(entry, content, end, slots, inner);
    }

    const outerLimit = this.limit;
    const outerClaim = this.claimedBy;
    const outerBounded = this.bounded;
    this.limit = Math.min(end, outerLimit);
    if (!toEnd) {
      this.bounded = end <= outerLimit;
      this.claimedBy = field.length.claimedBy;
    }
    const from = this.mark();
    this.decodeField(content, slots, inner);
    if (this.needed > 0) return false;
    this.closeRegion(from.nodes, field.leftOver);
    if (field.tentative) this.#doubt(entry, from);
    else if (entry.otherContent !== undefined) this.#reconsider(entry, from, slots, inner);
    this.unify(entry, from);
    if (end > outerLimit && !this.truncated) {
      this.cutOff(entry, length, start - this.origin, outerLimit - start, from.nodes);
    }
    this.limit = outerLimit;
    this.bounded = outerBounded;
    this.claimedBy = outerClaim;
    return this.position === end;
  }

  /** Turns content that is not of its usual type back into bytes, without a fault. */
  #doubt(entry: FieldEntry, from: Mark): void {
    const { store } = this;
    // That the capture holds only part of the content says nothing against that part.
    const end = store.notes.length - (this.truncated ? 1 : 0);
    for (let index = from.notes; index < end; index++) {
      const note = store.notes[index];
      if (note === undefined || note.severity === "note") continue;
      this.takeBack(from);
      store.notes.length = from.notes;
      store.outcome = from.outcome;
      this.truncated = false;
      store.note("ok", "note", this.rest(opaque(entry)), `does not have its usual form: ${note.text}`);
      return;
    }
  }

  /** Replaces content that breaks the format by that of the other form, unless that makes no sense either. */
  #reconsider(entry: FieldEntry, from: Mark, slots: number, inner: number): void {
    const { otherContent, inner: usual, field } = entry;
    const { store, inflatedBytes } = this;
    const isWrong = (severities: readonly Severity[]) =>
      store.notes.some(({ severity }, index) => index >= from.notes && severities.includes(severity));
    if (otherContent === undefined || usual === undefined || this.truncated || !isWrong(["error"])) return;
    const again = (form: FieldEntry) => {
      this.takeBack(from);
      store.notes.length = from.notes;
      store.outcome = from.outcome;
      this.inflatedBytes = inflatedBytes;
      this.decodeField(form, slots, inner);
      this.closeRegion(from.nodes, field.leftOver);
    };
    again(otherContent);
    if (isWrong(["error", "warning"])) again(usual);
    else store.note("ok", "note", from.nodes, field.otherForm?.note ?? "");
  }

  /** Decodes the content of a compressed region from a byte source of its own. */
  #inflated(entry: FieldEntry, content: FieldEntry, end: number, slots: number, inner: number): boolean {
    const { store } = this;
    const expected = this.slots.get(slots + entry.inflatedLengthSlot);
    const { literal = 0, inflatedLength = "" } = entry.field.compression ?? {};
    const start = this.position;
    const used = this.inflatedBytes;
    if (expected > this.limits.inflated - used) {
      const node = this.leaf(opaque(entry), end);
      const limit = `the limit is ${this.limits.inflated}${used === 0 ? "" : `, of which ${used} ${are(used)} used up`}`;
      store.note(
        "malformed",
        "error",
        node,
        `the compressed data would inflate to ${counted(expected, "byte")}; ${limit}`,
      );
      return true;
    }
    const { bytes, problem } = inflateAfter(literal, this.bytes.subarray(start, end), expected);
    if (problem !== "" && bytes.length <= literal) {
      store.note("malformed", "error", this.leaf(opaque(entry), end), problem);
      return true;
    }

    this.inflatedBytes += bytes.length;
    const from = this.mark();
    const node = from.nodes;
    const source: ByteSource = {
      kind: "inflated",
      bytes,
      view: viewOf(bytes),
      origin: 0,
      length: bytes.length,
      isExact: true,
      parent: node,
    };
    this.#decodeIn(source, inflatedLength, content, slots, inner);

    if (node < store.count && holdsNodes(store.field(node).opcode)) {
      // The content's own node stands for the compressed bytes; everything below it is in the new source.
      store.source[node] = this.source;
      store.start[node] = start - this.origin;
      store.end[node] = end - this.origin;
      this.position = end;
    } else this.replace(from, entry, end);
    if (problem !== "") store.note("malformed", "error", node, problem, from.notes);
    return true;
  }

  /** Decodes a field that fills a byte source of its own, then returns to the source that it came from. */
  #decodeIn(source: ByteSource, claimedBy: string, content: FieldEntry, slots: number, inner: number): void {
    const { store, bytes, view, source: index, origin, limit, bounded, claimedBy: outerClaim } = this;
    const node = store.count;
    store.sources.push(source);
    this.enter(source, store.sources.length - 1);
    this.claimedBy = claimedBy;
    this.bounded = true;
    this.decodeField(content, slots, inner);
    this.closeRegion(node);
    this.bytes = bytes;
    this.view = view;
    this.source = index;
    this.origin = origin;
    this.limit = limit;
    this.bounded = bounded;
    this.claimedBy = outerClaim;
  }
}
