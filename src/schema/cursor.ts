import { defaultLimits, type Limits } from "../limits.js";
import { type ByteSource, viewOf } from "./byte-source.js";
import { are, counted } from "./counted.js";
import { type Field, UNDISSECTED } from "./field.js";
import type { DecodedTree } from "./field-tree.js";
import { Nodes } from "./nodes.js";
import { holdsNodes } from "./opcode.js";
import type { Outcome } from "./outcome.js";

/** A place in decoding that what comes behind it can be taken back to. */
export interface Mark {
  readonly position: number;
  /** How many nodes, byte sources and notes there are. */
  readonly nodes: number;
  readonly sources: number;
  readonly notes: number;
  readonly outcome: Outcome;
}

/**
 * Where decoding stands in the bytes, what may be read there, and what to do where they do not reach: the part of the
 * decoder that knows nothing of types.
 */
export abstract class Cursor {
  /** The tree of the value that was decoded last. */
  readonly nodes: DecodedTree;
  /** After `decode` answered false: how many bytes from the start are needed at least. */
  needed = 0;
  /** After `decode`: true if the value ended only because the bytes did, where nothing but their end could tell. */
  endless = false;

  /** Where the tree is laid down. */
  protected readonly store: Nodes;
  protected bytes: Uint8Array = new Uint8Array(0);
  protected view: DataView = viewOf(this.bytes);
  /** Index of the byte source. */
  protected source = 0;
  /** Offset in `bytes` of the source's first byte. */
  protected origin = 0;
  protected position = 0;
  /** End of the bytes that may be read: of the region, or of what is there of it. */
  protected limit = 0;
  /** True if the limit is the end of a region; false if it is only the end of the bytes that are there. */
  protected bounded = true;
  /** Name of the field that claimed the current region's length; empty for the message itself. */
  protected claimedBy = "";
  protected depth = 0;
  protected open = false;
  protected cut = false;
  /** True once a field was found that the capture does not hold. */
  protected truncated = false;
  /** The struct whose fields are being decoded. */
  protected parent = 0;

  constructor(readonly limits: Limits = defaultLimits) {
    this.store = new Nodes(limits.notes);
    this.nodes = this.store;
  }

  protected enter(source: ByteSource, index: number): void {
    this.bytes = source.bytes;
    this.view = source.view;
    this.source = index;
    this.origin = source.origin;
    this.position = source.origin;
    this.limit = source.origin + source.length;
  }

  protected leaf(field: Field, end: number): number {
    const node = this.store.add(field, this.source, this.position - this.origin, end - this.origin);
    this.position = end;
    return node;
  }

  /** Opens a node whose end is not known yet. */
  protected begin(field: Field): number {
    return this.store.add(field, this.source, this.position - this.origin, 0);
  }

  protected finish(node: number): void {
    this.store.end[node] = this.position - this.origin;
    this.store.next[node] = this.store.count;
  }

  /** The place where decoding stands. */
  protected mark(): Mark {
    const { store, position } = this;
    const { count, sources, notes, outcome } = store;
    return { position, nodes: count, sources: sources.length, notes: notes.length, outcome };
  }

  /**
   * Sees to it that a region, which begins at the mark, is one node. Where none was begun in it, or a leaf has bytes
   * left over behind it that cannot be below it, one opaque leaf takes the place of all that is there.
   */
  protected unify(field: Field, from: Mark): void {
    const { store } = this;
    const node = from.nodes;
    if (node < store.count && store.nextOf(node) === store.count && store.fields[node] !== UNDISSECTED) return;
    this.replace(from, field, this.limit);
  }

  /** One opaque leaf up to `end` takes the place of all nodes behind a mark; their notes are on it. */
  protected replace(from: Mark, field: Field, end: number): void {
    this.takeBack(from);
    const node = this.leaf(field.opaque, end);
    const { notes } = this.store;
    for (const [index, note] of notes.entries()) if (index >= from.notes) notes[index] = { ...note, node };
  }

  /** Goes back to a mark: forgets the nodes behind it, but not what was said of them. */
  protected takeBack({ position, nodes, sources }: Mark): void {
    this.store.truncate(nodes);
    this.store.sources.length = sources;
    this.position = position;
  }

  /**
   * Takes what is left of a region into a leaf at the end of the node that the region consists of, if it is not one.
   *
   * @param leftOver what becomes of such bytes, if they are no fault
   */
  protected closeRegion(node: number, leftOver = ""): void {
    if (this.position >= this.limit) return;
    const left = this.limit - this.position;
    const rest = this.rest(UNDISSECTED);
    if (holdsNodes(this.store.field(node).opcode)) {
      this.store.next[node] = this.store.count;
      this.store.end[node] = this.position - this.origin;
    }
    const text = `${counted(left, "byte")} left over behind the last field`;
    if (leftOver === "") this.store.note("malformed", "warning", rest, text);
    else this.store.note("ok", "note", rest, `${text}: ${leftOver}`);
  }

  /** The rest of the region as one leaf. */
  protected rest(field: Field): number {
    return this.leaf(field, this.limit);
  }

  /** Ends a node in whose middle decoding cannot go on: the rest of the region is one leaf in it. */
  protected abandon(node: number): false {
    if (this.position < this.limit) this.rest(UNDISSECTED);
    this.finish(node);
    return false;
  }

  protected refuse(node: number, field: Field, text: string): false {
    this.store.note("malformed", "error", node, `${nameOf(field)}: ${text} of ${this.limits.nodes}`);
    return this.abandon(node);
  }

  protected deeper(field: Field): boolean {
    if (this.depth < this.limits.depth) {
      this.depth++;
      return true;
    }
    this.store.note(
      "malformed",
      "error",
      this.store.count - 1,
      `${nameOf(field)} lies deeper than ${this.limits.depth} levels`,
    );
    return false;
  }

  /** True if bytes up to `end` were in the message, but the capture does not hold them. */
  protected cutAt(end: number): boolean {
    return this.cut && !this.bounded && end > this.limit;
  }

  /**
   * The field needs `width` bytes that the region does not have. Whether that is a fault depends on why: more bytes may
   * come, the capture was cut there, or the region's length is a lie.
   */
  protected short(field: Field, width: number): false {
    const left = this.limit - this.position;
    if (this.bounded || width < 0) return this.malformed(field, width, left);
    if (this.open) {
      this.needed = Math.max(this.position + width - this.origin, 1);
      return false;
    }
    const offset = this.offset();
    this.cutOff(field, width, offset, left, left > 0 ? this.rest(UNDISSECTED) : this.parent);
    return false;
  }

  protected cutOff(field: Field, width: number, offset: number, left: number, node: number): void {
    this.truncated = true;
    const need = `needs ${counted(width, "byte")}${claimOf(field)}`;
    this.store.note(
      "truncated",
      "error",
      node,
      `${nameOf(field)} ${need} at offset ${offset}; the capture holds ${left}`,
    );
  }

  protected malformed(field: Field, width: number, left: number): false {
    const offset = this.offset();
    const node = left > 0 ? this.rest(UNDISSECTED) : this.parent;
    const region = this.claimedBy === "" ? "" : ` of the bytes that ${this.claimedBy} gives`;
    const need = width < 0 ? `would have a length of ${width}` : `needs ${counted(width, "byte")}`;
    this.store.note(
      "malformed",
      "error",
      node,
      `${nameOf(field)} ${need}${claimOf(field)} at offset ${offset}; ${left} ${are(left)} left${region}`,
    );
    return false;
  }

  /** Where decoding stands, as an offset in the current source. */
  protected offset(): number {
    return this.position - this.origin;
  }
}

/** What messages call a field: elements of arrays have no name. */
function nameOf(field: Field): string {
  return field.name || "an element";
}

/** Who has claimed the length of a field, for messages. */
function claimOf(field: Field): string {
  return field.length.claimedBy === "" ? "" : ` (${field.length.claimedBy} says so)`;
}
