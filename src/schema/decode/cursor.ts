import { defaultLimits, type Limits } from "../../limits.js";
import { type ByteSource, viewOf } from "../language/byte-source.js";
import { UNDISSECTED } from "../language/field.js";
import type { DecodedTree } from "../language/field-tree.js";
import { holdsNodes } from "../language/opcode.js";
import type { Outcome } from "../language/outcome.js";
import { opaque, UNDISSECTED_ENTRY } from "../table/compile.js";
import type { FieldEntry } from "../table/struct-table.js";
import { Nodes } from "../tree/nodes.js";
import { breaks, cutShort, leftOverAfter, tooDeep, tooFew, tooMany } from "./fault-text.js";

/** A place to which decoding can be rolled back. */
export interface Mark {
  readonly position: number;
  /** How many nodes, byte sources and notes there were. */
  readonly nodes: number;
  readonly sources: number;
  readonly notes: number;
  readonly outcome: Outcome;
}

/**
 * Keeps track of the position in the bytes and of how far they may be read, and handles running out of them: the part
 * of the decoder that knows nothing about types.
 *
 * What the end of the bytes means depends on where it is:
 *
 * |                                           | `bounded` | `open` | `cut` |
 * |-------------------------------------------|-----------|--------|-------|
 * | `Extent.Exact`                            | true      | false  | false |
 * | `Extent.Open`                             | false     | true   | false |
 * | `Extent.Cut`, `Extent.Head`               | false     | false  | true  |
 * | in a region that is there as a whole      | true      | as around it   ||
 * | in a region that the capture cuts         | false     | false  | true  |
 * | in what was inflated                      | true      | as around it   ||
 *
 * While `bounded` is true, the other two have no effect. `endless` is set only while it is false, `truncated` only where
 * `cut` is true, too.
 *
 * Whatever decodes a field returns false if the rest of the region is not dissected. Nothing more is then decoded in the
 * region: whoever began a node finishes it and returns false as well, up to `region`, which goes on after the region.
 * Which of these gives that false:
 *
 * - `short`: the region has fewer bytes than the field needs. It notes what that means.
 * - `giveUp`: a value that has been read breaks the format, so that nothing tells what follows it. The rest of the region
 *   becomes a leaf beside it. The caller has noted why.
 * - `abandon`: a node has begun whose content cannot be dissected. The rest of the region becomes a leaf in it. The caller
 *   has noted why.
 * - `refuse`: the same because of a limit, which it notes.
 */
export abstract class Cursor {
  /** After `decode` returned false: the least number of bytes needed, counted from the start. */
  needed = 0;
  /** After `decode`: true if the value ended only because the bytes did, with nothing else to mark its end. */
  endless = false;

  /** Where the tree is stored. */
  protected readonly store: Nodes;
  protected bytes: Uint8Array = new Uint8Array(0);
  protected view: DataView = viewOf(this.bytes);
  /** Index of the byte source. */
  protected source = 0;
  /** Offset in `bytes` of the source's first byte. */
  protected origin = 0;
  protected position = 0;
  /** End of the bytes that may be read: of the region, or of the available part of it. */
  protected limit = 0;
  /** True if the limit is the end of a region; false if it is only the end of the available bytes. */
  protected bounded = true;
  /** Name of the field that claimed the current region's length; empty for the message itself. */
  protected claimedBy = "";
  protected depth = 0;
  /** True if more bytes may still come: running out of them sets `needed`. */
  protected open = false;
  /** True if the capture holds no more bytes although there were more: running out of them sets `truncated`. */
  protected cut = false;
  /** True once a field has been found that the capture does not hold completely. */
  protected truncated = false;
  /** The struct whose fields are being decoded. */
  protected parent = 0;

  /** Limits that are looked at for every struct and element: V8 finds those of this object faster than `limits`'. */
  protected readonly mostNodes: number;
  protected readonly deepest: number;

  constructor(readonly limits: Limits = defaultLimits) {
    this.mostNodes = limits.nodes;
    this.deepest = limits.depth;
    this.store = new Nodes(limits.notes);
  }

  /** The tree of the last value decoded. */
  get nodes(): DecodedTree {
    return this.store;
  }

  protected enter(source: ByteSource, index: number): void {
    this.bytes = source.bytes;
    this.view = source.view;
    this.source = index;
    this.origin = source.origin;
    this.position = source.origin;
    this.limit = source.origin + source.length;
  }

  protected leaf(entry: FieldEntry, end: number): number {
    const node = this.store.add(entry, this.source, this.position - this.origin, end - this.origin);
    this.position = end;
    return node;
  }

  /** Opens a node whose end is not known yet. */
  protected begin(entry: FieldEntry): number {
    return this.store.add(entry, this.source, this.position - this.origin, 0);
  }

  protected finish(node: number): void {
    this.store.end[node] = this.position - this.origin;
    this.store.next[node] = this.store.count;
  }

  /** Returns the current place. */
  protected mark(): Mark {
    const { store, position } = this;
    const { count, sources, notes, outcome } = store;
    return { position, nodes: count, sources: sources.length, notes: notes.length, outcome };
  }

  /**
   * Makes sure that a region, which begins at the mark, is one node. If no node was begun in it, or a leaf is followed
   * by left-over bytes, which cannot be below it, one opaque leaf replaces everything in the region.
   */
  protected unify(entry: FieldEntry, from: Mark): void {
    const { store } = this;
    const node = from.nodes;
    if (node < store.count && store.nextOf(node) === store.count && store.fields[node] !== UNDISSECTED) return;
    this.replace(from, entry, this.limit);
  }

  /** Replaces all nodes after a mark with one opaque leaf up to `end`, which takes over their notes. */
  protected replace(from: Mark, entry: FieldEntry, end: number): void {
    this.takeBack(from);
    const node = this.leaf(opaque(entry), end);
    const { notes } = this.store;
    for (const [index, note] of notes.entries()) if (index >= from.notes) notes[index] = { ...note, node };
  }

  /** Rolls back to a mark: forgets the nodes after it, but not the notes on them. */
  protected takeBack({ position, nodes, sources }: Mark): void {
    this.store.truncate(nodes);
    this.store.sources.length = sources;
    this.position = position;
  }

  /**
   * Turns the bytes left over in a region into a leaf, which goes at the end of the region's node unless that node is a
   * leaf itself.
   *
   * @param leftOver what becomes of such bytes, if they are no fault
   */
  protected closeRegion(node: number, leftOver = ""): void {
    if (this.position >= this.limit) return;
    const left = this.limit - this.position;
    const rest = this.rest(UNDISSECTED_ENTRY);
    if (holdsNodes(this.store.field(node).opcode)) {
      this.store.next[node] = this.store.count;
      this.store.end[node] = this.position - this.origin;
    }
    if (leftOver === "") this.store.note("malformed", "warning", rest, leftOverAfter(left));
    else this.store.note("ok", "note", rest, `${leftOverAfter(left)}: ${leftOver}`);
  }

  /** Turns the rest of the region into one leaf. */
  protected rest(entry: FieldEntry): number {
    return this.leaf(entry, this.limit);
  }

  /** Turns the rest of the region into a leaf: without the value just read, nothing tells what it is. */
  protected giveUp(): false {
    this.endless ||= !this.bounded;
    if (this.position < this.limit) this.rest(UNDISSECTED_ENTRY);
    return false;
  }

  /** Closes a node in which decoding cannot continue: the rest of the region becomes one leaf in it. */
  protected abandon(node: number): false {
    if (this.position < this.limit) this.rest(UNDISSECTED_ENTRY);
    this.finish(node);
    return false;
  }

  /** Closes a node that would exceed a limit, and says so: see `abandon`. */
  protected refuse(node: number, entry: FieldEntry, text: string): false {
    this.store.note("malformed", "error", node, tooMany(entry.field, text, this.mostNodes));
    return this.abandon(node);
  }

  /** Says what is wrong with a leaf of which all bytes are there; `text` follows its name. */
  protected fault(node: number, entry: FieldEntry, text: string): void {
    this.store.note("malformed", "error", node, breaks(entry.field, text));
  }

  protected deeper(entry: FieldEntry): boolean {
    if (this.depth < this.deepest) {
      this.depth++;
      return true;
    }
    this.store.note("malformed", "error", this.store.count - 1, tooDeep(entry.field, this.deepest));
    return false;
  }

  /** True if the message has bytes up to `end`, but the capture does not hold them. */
  protected cutAt(end: number): boolean {
    return this.cut && !this.bounded && end > this.limit;
  }

  /**
   * Handles a field that needs `width` bytes where the region has fewer. Whether that is a fault depends on the reason:
   * more bytes may come, the capture was cut there, or the length of the region is wrong.
   */
  protected short(entry: FieldEntry, width: number): false {
    const left = this.limit - this.position;
    const offset = this.position - this.origin;
    if (this.bounded || width < 0) {
      const node = left > 0 ? this.rest(UNDISSECTED_ENTRY) : this.parent;
      this.store.note("malformed", "error", node, tooFew(entry.field, width, offset, left, this.claimedBy));
    } else if (this.open) {
      this.needed = Math.max(offset + width, 1);
    } else {
      this.cutOff(entry, width, offset, left, left > 0 ? this.rest(UNDISSECTED_ENTRY) : this.parent);
    }
    return false;
  }

  /** Handles a field that needs `width` bytes at an offset, of which the capture holds only some: those of a node. */
  protected cutOff(entry: FieldEntry, width: number, offset: number, held: number, node: number): void {
    this.truncated = true;
    this.store.note("truncated", "error", node, cutShort(entry.field, width, offset, held));
  }
}
