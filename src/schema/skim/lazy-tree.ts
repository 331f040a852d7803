import type { ByteSource } from "../language/byte-source.js";
import type { Field } from "../language/field.js";
import type {
  ClassVisitor,
  DecodedTree,
  FieldTree,
  LeafValue,
  NameLookup,
  Note,
  Selection,
  Severity,
} from "../language/field-tree.js";
import type { MessageContext } from "../language/message-context.js";
import { Opcode } from "../language/opcode.js";
import type { Outcome } from "../language/outcome.js";
import { readLeaf, readNumber } from "../tree/leaf.js";
import type { Nodes } from "../tree/nodes.js";
import { Outline } from "./kept.js";
import type { Prefix } from "./prefix.js";
import type { Skimmer } from "./skimmer.js";

/**
 * The tree of a message that was only skimmed: sound, and as long as its end says. What all messages of its type have in
 * common, it answers itself; for anything else, the message is decoded.
 */
export class LazyTree implements DecodedTree {
  readonly #store: Nodes;
  readonly #skimmer: Skimmer;
  readonly #decode: () => void;
  #prefix: Prefix | undefined;
  #length = 0;
  #isTrusted = true;

  /**
   * @param store where the tree is decoded to; its only source is the message
   * @param decode decodes the message that was skimmed last
   */
  constructor(store: Nodes, skimmer: Skimmer, decode: () => void) {
    this.#store = store;
    this.#skimmer = skimmer;
    this.#decode = decode;
  }

  /** Begins with the next message. */
  begin(prefix: Prefix | undefined, length: number, isTrusted: boolean): void {
    this.#prefix = prefix;
    this.#length = length;
    this.#isTrusted = isTrusted;
  }

  /** The whole tree. */
  get #whole(): Nodes {
    if (this.#prefix === undefined) return this.#store;
    this.#prefix = undefined;
    const { context, annotations } = this.#store;
    const added = [...annotations];
    this.#decode();
    this.#store.context = context;
    for (const [node, text] of added) this.#store.annotate(node, text);
    return this.#store;
  }

  get count(): number {
    return this.#whole.count;
  }

  get fields(): readonly Field[] {
    return this.#whole.fields;
  }

  get sources(): readonly Readonly<ByteSource>[] {
    return this.#store.sources;
  }

  get outcome(): Outcome {
    return this.#store.outcome;
  }

  get notes(): readonly Note[] {
    return this.#store.notes;
  }

  get nameBindings(): readonly number[] {
    const { nameBindings } = this.#skimmer.state.store;
    return nameBindings.length > 0 ? this.#whole.nameBindings : nameBindings;
  }

  get outline(): readonly number[] {
    return this.#whole.outline;
  }

  get naming(): FieldTree {
    const { hasFunctions, store } = this.#skimmer.state;
    return this.#isTrusted || !hasFunctions ? store : this.#whole;
  }

  get outlined(): FieldTree {
    return this.#keeps(Outline.summaries) ? this.naming : this.#whole;
  }

  /** True if an outline was kept of the message. */
  #keeps(outline: Outline): boolean {
    return this.#prefix !== undefined && this.#skimmer.keepsOutline(outline);
  }

  selected(selection: Selection): FieldTree {
    if (this.#prefix === undefined || !this.#isTrusted || !this.#skimmer.keeps(selection)) return this.#whole;
    const { store } = this.#skimmer.state;
    // Functions of declarations may read it.
    store.context = this.#store.context;
    return store;
  }

  get annotations(): ReadonlyMap<number, string> {
    return this.#store.annotations;
  }

  annotation(node: number): string | undefined {
    return this.#store.annotation(node);
  }

  get context(): MessageContext | undefined {
    return this.#store.context;
  }

  set context(context: MessageContext | undefined) {
    this.#store.context = context;
  }

  get circumstances(): MessageContext | undefined {
    return this.#store.context;
  }

  set circumstances(context: MessageContext | undefined) {
    this.#store.context = context;
  }

  get names(): NameLookup | undefined {
    return this.#store.names;
  }

  /** The field of a node that is the same in all messages of the type. */
  #fieldOf(node: number): Field | undefined {
    const prefix = this.#prefix;
    return node === 0 ? prefix?.root : prefix?.fields[node - 1];
  }

  field(node: number): Field {
    return this.#fieldOf(node) ?? this.#whole.field(node);
  }

  startOf(node: number): number {
    if (node === 0) return 0;
    return this.#prefix?.starts[node - 1] ?? this.#whole.startOf(node);
  }

  endOf(node: number): number {
    if (node === 0) return this.#length;
    return this.#prefix?.ends[node - 1] ?? this.#whole.endOf(node);
  }

  nextOf(node: number): number {
    return this.#whole.nextOf(node);
  }

  sourceOf(node: number): Readonly<ByteSource> {
    const [source] = this.#store.sources;
    return source !== undefined && this.#fieldOf(node) !== undefined ? source : this.#whole.sourceOf(node);
  }

  sourceIndexOf(node: number): number {
    return this.#fieldOf(node) !== undefined ? 0 : this.#whole.sourceIndexOf(node);
  }

  hasChildren(node: number): boolean {
    return this.#whole.hasChildren(node);
  }

  child(parent: number, name: string): number {
    const prefix = this.#prefix;
    if (parent !== 0 || prefix === undefined) return this.#whole.child(parent, name);
    const known = prefix.nodes.get(name);
    if (known !== undefined) return known;
    return prefix.names.has(name) ? this.#whole.child(parent, name) : -1;
  }

  number(node: number): number {
    const field = this.#fieldOf(node);
    const source = this.#store.sources[0];
    if (field === undefined || source === undefined || field.opcode === Opcode.Codec) return this.#whole.number(node);
    return readNumber(field.opcode, source.view, source.origin + this.startOf(node));
  }

  numberIn(struct: number, path: string): number | undefined {
    const node = this.#at(struct, path);
    if (node === undefined) return this.#whole.numberIn(struct, path);
    return node < 0 ? undefined : this.number(node);
  }

  textIn(struct: number, path: string): string | undefined {
    const node = this.#at(struct, path);
    if (node === undefined) return this.#whole.textIn(struct, path);
    return node < 0 ? undefined : String(this.value(node));
  }

  /** The node of a field of the message itself; -1 if it has no such field, undefined if it has to be decoded. */
  #at(struct: number, path: string): number | undefined {
    const prefix = this.#prefix;
    if (struct !== 0 || prefix === undefined) return undefined;
    const known = prefix.nodes.get(path);
    if (known !== undefined) return known;
    const dot = path.indexOf(".");
    return prefix.names.has(dot < 0 ? path : path.slice(0, dot)) ? undefined : -1;
  }

  value(node: number): LeafValue {
    const field = this.#fieldOf(node);
    const source = this.#store.sources[0];
    if (field === undefined || source === undefined) return this.#whole.value(node);
    return readLeaf(field, source, source.origin + this.startOf(node), source.origin + this.endOf(node));
  }

  bytes(node: number): Uint8Array {
    const source = this.sourceOf(node);
    return source.bytes.subarray(source.origin + this.startOf(node), source.origin + this.endOf(node));
  }

  indexOf(node: number): number {
    return this.#whole.indexOf(node);
  }

  path(node: number): string {
    return this.#whole.path(node);
  }

  paths(nodes: readonly number[]): readonly string[] {
    return nodes.length === 0 ? [] : this.#whole.paths(nodes);
  }

  notesOn(node: number): readonly Note[] {
    return this.#store.notesOn(node);
  }

  forEachClass(visit: ClassVisitor): void {
    const nodes = this.#keeps(Outline.classes) ? this.#skimmer.state.store : this.#whole;
    nodes.forEachClass(visit);
  }

  forEachUndissected(visit: (length: number) => void): void {
    // A message that was skimmed is dissected as a whole.
    if (this.#prefix === undefined) this.#store.forEachUndissected(visit);
  }

  annotate(node: number, text: string | (() => string)): void {
    this.#store.annotate(node, text);
  }

  note(outcome: Outcome, severity: Severity, node: number, text: string): void {
    this.#whole.note(outcome, severity, node, text);
  }

  snapshot(): FieldTree {
    return this.#whole.snapshot();
  }
}
