import { copyOf } from "../../common/copy-of.js";
import { are, counted } from "../../common/counted.js";
import { empty } from "../../common/empty.js";
import { type ByteSource, viewOf } from "../language/byte-source.js";
import { type Field, UNDISSECTED_NAME } from "../language/field.js";
import type { ClassVisitor, DecodedTree, LeafValue, NameLookup, Note, Severity } from "../language/field-tree.js";
import type { MessageContext } from "../language/message-context.js";
import { Opcode } from "../language/opcode.js";
import { type Outcome, worse } from "../language/outcome.js";
import { type FieldEntry, type FixedSegment, PLACE } from "../table/struct-table.js";
import { classOf, showsClass } from "./label.js";
import { readLeaf, readNumber } from "./leaf.js";
import { indexOf, pathsOf } from "./node-paths.js";

const NO_NOTES: readonly Note[] = [];
/** Nodes that there is room for at first. */
const FEWEST = 128;

/**
 * The flat store in which the decoder builds field trees: one row of numbers per node. No memory is allocated per node,
 * and the store is reused for the next message; values are read from the bytes only on demand.
 */
export class Nodes implements DecodedTree {
  count = 0;
  readonly sources: ByteSource[] = [];
  readonly notes: Note[] = [];
  #notesLeftOut = 0;
  #notesByNode: Map<number, Note[]> | undefined;
  outcome: Outcome = "ok";
  readonly fields: Field[] = [];
  readonly nameBindings: number[] = [];
  readonly outline: number[] = [];
  readonly #annotations = new Map<number, string>();
  /** Those whose texts have not been made, in the order in which they were added. */
  readonly #unread: { readonly node: number; readonly text: () => string }[] = [];
  context: MessageContext | undefined;
  names: NameLookup | undefined;
  /** For each node, what `startOf`, `endOf`, `nextOf` and `sourceIndexOf` return. */
  start = new Int32Array(FEWEST);
  end = new Int32Array(FEWEST);
  next = new Int32Array(FEWEST);
  source = new Int32Array(FEWEST);

  /** @param mostNotes the number of notes that are kept; one more says how many are left out */
  constructor(readonly mostNotes: number) {}

  get naming(): Nodes {
    return this;
  }

  get outlined(): Nodes {
    return this;
  }

  selected(): Nodes {
    return this;
  }

  get annotations(): Map<number, string> {
    const unread = this.#unread;
    if (unread.length > 0) {
      for (const { node, text } of unread) this.#annotations.set(node, text());
      empty(unread);
    }
    return this.#annotations;
  }

  get circumstances(): MessageContext | undefined {
    return this.context;
  }

  set circumstances(context: MessageContext | undefined) {
    this.context = context;
  }

  clear(): void {
    this.clearNodes();
    empty(this.sources);
    empty(this.notes);
    this.#notesLeftOut = 0;
    this.#notesByNode = undefined;
    if (this.#annotations.size > 0) this.#annotations.clear();
    empty(this.#unread);
    this.outcome = "ok";
  }

  /** Forgets the nodes and the context: enough for a tree of sound messages that nothing else is added to. */
  clearNodes(): void {
    this.count = 0;
    empty(this.nameBindings);
    empty(this.outline);
    this.context = undefined;
  }

  /** Adds a node; its `next` is itself + 1 until `Cursor.finish` says otherwise. */
  add(entry: FieldEntry, source: number, start: number, end: number): number {
    const node = this.count++;
    if (node === this.start.length) this.#grow();
    this.fields[node] = entry.field;
    this.start[node] = start;
    this.end[node] = end;
    this.next[node] = node + 1;
    this.source[node] = source;
    if (entry.isOutlined) this.outline.push(node);
    return node;
  }

  /** Ends a node, which has all nodes added since below it. */
  close(node: number, end: number): void {
    this.end[node] = end;
    this.next[node] = this.count;
  }

  /** Forgets `node` and all nodes after it. */
  truncate(node: number): void {
    this.count = node;
    for (const list of [this.nameBindings, this.outline]) while ((list.at(-1) ?? -1) >= node) list.pop();
  }

  /** Adds the nodes of a segment that begins at an offset in the source. */
  addSegment(segment: FixedSegment, source: number, offset: number): void {
    const first = this.count;
    this.count += segment.nodes.length;
    while (this.count > this.start.length) this.#grow();
    const { fields, start, end, next, source: sources } = this;
    const { nodes, places, firstPlace, outline } = segment;
    let place = firstPlace;
    for (let index = 0; index < nodes.length; index++) {
      const field = nodes[index];
      if (field === undefined) break;
      const node = first + index;
      fields[node] = field;
      start[node] = offset + (places[place] ?? 0);
      end[node] = offset + (places[place + 1] ?? 0);
      next[node] = node + (places[place + 2] ?? 1);
      sources[node] = source;
      place += PLACE;
    }
    for (let index = 0; index < outline.length; index++) this.outline.push(first + (outline[index] ?? 0));
  }

  #grow(): void {
    this.start = doubled(this.start);
    this.end = doubled(this.end);
    this.next = doubled(this.next);
    this.source = doubled(this.source);
  }

  annotation(node: number): string | undefined {
    if (this.#unread.length === 0) return this.#annotations.get(node);
    const unread = this.#unread.findLast((one) => one.node === node);
    return unread === undefined ? this.#annotations.get(node) : unread.text();
  }

  annotate(node: number, text: string | (() => string)): void {
    if (typeof text === "function") this.#unread.push({ node, text });
    else this.annotations.set(node, text);
  }

  /**
   * @param at index of the note before which it goes, if that one only follows from it; by default, the end of the list
   */
  note(outcome: Outcome, severity: Severity, node: number, text: string, at = this.notes.length): void {
    this.outcome = worse(this.outcome, outcome);
    this.#notesByNode = undefined;
    if (this.notes.length < this.mostNotes) {
      if (at < this.notes.length) this.notes.splice(at, 0, { severity, node, text });
      else this.notes.push({ severity, node, text });
    } else {
      this.#notesLeftOut++;
      const more = `${counted(this.#notesLeftOut, "more note")} ${are(this.#notesLeftOut)} left out`;
      this.notes[this.mostNotes] = { severity: "note", node: 0, text: more };
    }
  }

  notesOn(node: number): readonly Note[] {
    if (this.notes.length === 0) return this.notes;
    if (this.#notesByNode === undefined) {
      this.#notesByNode = new Map();
      for (const note of this.notes) {
        const others = this.#notesByNode.get(note.node);
        if (others === undefined) this.#notesByNode.set(note.node, [note]);
        else others.push(note);
      }
    }
    return this.#notesByNode.get(node) ?? NO_NOTES;
  }

  field(node: number): Field {
    const field = this.fields[node];
    if (field === undefined || node >= this.count) throw new RangeError(`there is no node ${node}`);
    return field;
  }

  startOf(node: number): number {
    return this.start[node] ?? 0;
  }

  endOf(node: number): number {
    return this.end[node] ?? 0;
  }

  nextOf(node: number): number {
    return this.next[node] ?? this.count;
  }

  sourceIndexOf(node: number): number {
    return this.source[node] ?? 0;
  }

  sourceOf(node: number): ByteSource {
    const source = this.sources[this.source[node] ?? 0];
    if (source === undefined) throw new RangeError(`node ${node} has no byte source`);
    return source;
  }

  hasChildren(node: number): boolean {
    return this.nextOf(node) > node + 1;
  }

  child(parent: number, name: string): number {
    const end = this.nextOf(parent);
    for (let node = parent + 1; node < end; node = this.nextOf(node)) {
      if (this.fields[node]?.name === name) return node;
    }
    return -1;
  }

  number(node: number): number {
    const { opcode } = this.field(node);
    if (opcode === Opcode.Codec) return Number(this.value(node));
    const source = this.sourceOf(node);
    return readNumber(opcode, source.view, source.origin + this.startOf(node));
  }

  numberIn(struct: number, path: string): number | undefined {
    const node = this.#at(struct, path);
    return node < 0 ? undefined : this.number(node);
  }

  textIn(struct: number, path: string): string | undefined {
    const node = this.#at(struct, path);
    return node < 0 ? undefined : String(this.value(node));
  }

  /** The node at a path below a struct, or -1. */
  #at(struct: number, path: string): number {
    const node = this.child(struct, path);
    if (node >= 0) return node;
    const dot = path.indexOf(".");
    if (dot < 0) return node;
    const inner = this.child(struct, path.slice(0, dot));
    return inner < 0 ? -1 : this.#at(inner, path.slice(dot + 1));
  }

  value(node: number): LeafValue {
    const source = this.sourceOf(node);
    return readLeaf(this.field(node), source, source.origin + this.startOf(node), source.origin + this.endOf(node));
  }

  bytes(node: number): Uint8Array {
    const source = this.sourceOf(node);
    return source.bytes.subarray(source.origin + this.startOf(node), source.origin + this.endOf(node));
  }

  indexOf(node: number): number {
    return indexOf(this, node);
  }

  path(node: number): string {
    return pathsOf(this, [node])[0] ?? "";
  }

  paths(nodes: readonly number[]): readonly string[] {
    return pathsOf(this, nodes);
  }

  forEachClass(visit: ClassVisitor): void {
    for (const node of this.outline) {
      const field = this.field(node);
      if (node === 0 || !showsClass(field)) continue;
      const name = classOf(this, node);
      if (name !== undefined) visit(name, this.endOf(node) - this.startOf(node), field);
    }
  }

  forEachUndissected(visit: (length: number) => void): void {
    for (const node of this.outline) {
      const length = this.endOf(node) - this.startOf(node);
      if (node > 0 && length > 0 && this.field(node).name === UNDISSECTED_NAME) visit(length);
    }
  }

  /** Returns the names of what this tree and its context refer to, as known so far. */
  #namesSoFar(): NameLookup {
    const known = new Map<string, string>();
    const keep = (kind: string, id: string): void => {
      const name = this.names?.get(kind, id);
      if (name !== undefined) known.set(`${kind} ${id}`, name);
    };
    for (let node = 0; node < this.count; node++) {
      const { meaning } = this.field(node);
      if (meaning?.form !== "reference") continue;
      const id = String(this.value(node));
      for (const kind of meaning.to) keep(kind, id);
    }
    const { player, place } = this.context ?? {};
    for (const referent of [player, place]) if (referent !== undefined) keep(referent.kind, referent.id);
    return { scope: this.names?.scope, get: (kind, id) => known.get(`${kind} ${id}`) };
  }

  snapshot(): Nodes {
    const copy = new Nodes(this.mostNotes);
    copy.count = this.count;
    copy.outcome = this.outcome;
    copy.notes.push(...this.notes);
    copy.nameBindings.push(...this.nameBindings);
    copy.outline.push(...this.outline);
    copy.names = this.#namesSoFar();
    copy.context = this.context;
    for (const [node, text] of this.annotations) copy.annotations.set(node, text);
    for (let node = 0; node < this.count; node++) copy.fields.push(this.field(node));
    copy.start = this.start.slice(0, this.count);
    copy.end = this.end.slice(0, this.count);
    copy.next = this.next.slice(0, this.count);
    copy.source = this.source.slice(0, this.count);
    for (const source of this.sources) {
      const bytes = copyOf(source.bytes.subarray(source.origin, source.origin + source.length));
      copy.sources.push({ ...source, bytes, view: viewOf(bytes), origin: 0 });
    }
    return copy;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
