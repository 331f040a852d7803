import type { ByteSource } from "./byte-source.js";
import type { Field } from "./field.js";
import type { MessageContext } from "./message-context.js";
import type { Outcome } from "./outcome.js";

/** The raw value of a leaf: 64-bit integers are bigints, byte strings are bytes. */
export type LeafValue = number | bigint | boolean | string | Uint8Array;

/** The names of things that messages refer to by number or UUID. */
export interface NameLookup {
  /** Things of another scope are others, even if they have the same ids; undefined if there is only one scope. */
  readonly scope?: string | undefined;
  /** Higher whenever `get` may answer otherwise than before; undefined if it is not counted. */
  readonly revision?: number | undefined;
  /** The same for things of one kind. */
  revisionOf?(kind: string): number;
  /** @param kind the kind of thing referred to: "player" */
  get(kind: string, id: string): string | undefined;
}

/**
 * Is told of a class inside a message.
 *
 * @param name of the class; that of the field's struct, if it has one
 * @param length in bytes
 */
export type ClassVisitor = (name: string, length: number, field: Field) => void;

/** How serious a note is. */
export const severities = ["error", "warning", "note"] as const;
/** How serious a note is. */
export type Severity = (typeof severities)[number];

/** A note on one node of the tree. */
export interface Note {
  readonly severity: Severity;
  readonly node: number;
  readonly text: string;
}

/** What a reader wants of the nodes of a field: the nodes themselves, or also all that is below them. */
export type Wanted = "node" | "whole";

/** Which nodes of messages a reader looks at: those whose fields it wants. One object stands for one way of reading. */
export interface Selection {
  /** Returns the same each time; undefined for fields that the reader passes over. */
  wants(field: Field): Wanted | undefined;
}

/**
 * The annotated field tree of one message, read-only. A node is a number: 0 is the message, followed by its nodes in
 * wire order, parents before their children.
 *
 * The leaves of each byte source tile it: every byte is in exactly one leaf.
 */
export interface FieldTree {
  /** Number of nodes. */
  readonly count: number;
  /** The field of each node; only the first `count` belong to this message. */
  readonly fields: readonly Field[];
  /** The byte sources: first the message itself, then what was inflated from it. */
  readonly sources: readonly Readonly<ByteSource>[];
  readonly outcome: Outcome;
  readonly notes: readonly Note[];
  /** Structs that give the names of things, in wire order: see `StructOptions.introduces`. */
  readonly nameBindings: readonly number[];
  /**
   * The nodes from which the summary of a message is made, so that it need not walk all of them, in wire order:
   * creatables, arrays (whose elements' classes the summary leaves out), facts for the summary, and bytes that were not
   * dissected.
   */
  readonly outline: readonly number[];
  /** A tree of the same message with at least all of the structs that bind names. Nodes may have other numbers there. */
  readonly naming: FieldTree;
  /**
   * A tree of the same message with at least the nodes of the outline, and those around them. Nodes may have other
   * numbers there.
   */
  readonly outlined: FieldTree;
  /**
   * A tree of the same message with at least the nodes that a reader selects, and those around them. Nodes may have other
   * numbers there.
   */
  selected(selection: Selection): FieldTree;
  /** What a dissector has added to nodes: see `DecodedTree.annotate`. */
  readonly annotations: ReadonlyMap<number, string>;
  /** The same of one node. */
  annotation(node: number): string | undefined;
  /** What a dissector knows about the conversation, if anything. */
  readonly context: MessageContext | undefined;
  /** @deprecated The old name of `context`. */
  readonly circumstances: MessageContext | undefined;
  /** Names that the traffic has shown so far. */
  readonly names: NameLookup | undefined;

  /** The field of a node. */
  field(node: number): Field;
  /** Offset of the node's first byte in its source. */
  startOf(node: number): number;
  /** Offset after the node's last byte in its source. */
  endOf(node: number): number;
  /** The first node after this one that is not below it. */
  nextOf(node: number): number;
  sourceOf(node: number): Readonly<ByteSource>;
  /** Index of the node's source in `sources`. */
  sourceIndexOf(node: number): number;
  /** True if the node has nodes below it. */
  hasChildren(node: number): boolean;
  /** The node directly below `parent` with this name, or -1. */
  child(parent: number, name: string): number;
  /** The number in a leaf; 64-bit integers lose what a double cannot hold. */
  number(node: number): number;
  /**
   * The number in the field of a struct, or of a struct in it (`a.b`); undefined if the field is absent, or was not
   * reached.
   */
  numberIn(struct: number, path: string): number | undefined;
  /** The value in such a field as text; undefined if the field is absent, or was not reached. */
  textIn(struct: number, path: string): string | undefined;
  /** The raw value of a leaf. */
  value(node: number): LeafValue;
  /** The bytes of a node: a view, not a copy. */
  bytes(node: number): Uint8Array;
  /** Position of a node among the nodes directly below the same parent, counted from 0. */
  indexOf(node: number): number;
  /** Path of a node: `stream.data.events[2].hitter`. Empty for the root. */
  path(node: number): string;
  /** Paths of several nodes, found in one walk. */
  paths(nodes: readonly number[]): readonly string[];
  /** The notes on a node. */
  notesOn(node: number): readonly Note[];
  /** Visits the classes inside the message, in wire order. */
  forEachClass(visit: ClassVisitor): void;
  /** Visits the bytes that were not dissected, with their lengths. */
  forEachUndissected(visit: (length: number) => void): void;
  /** Returns a copy that stays valid and unchanged when the next message is decoded. */
  snapshot(): FieldTree;
}

/** The tree of a freshly decoded message, to which a dissector may add what it knows about the conversation. */
export interface DecodedTree extends FieldTree {
  context: MessageContext | undefined;
  /** @deprecated The old name of `context`. */
  circumstances: MessageContext | undefined;
  /**
   * Adds a text to the label of a node, for people: it is never part of a value. A text on the root goes into the
   * summary of the message. The node must exist: `child` returns -1 for an absent field.
   *
   * @param text a function is called if somebody looks at annotations of the message
   */
  annotate(node: number, text: string | (() => string)): void;
  /** Lowers the outcome of the message to the given one, if that is worse, and adds a note that says why. */
  note(outcome: Outcome, severity: Severity, node: number, text: string): void;
}
