import type { ByteSource } from "./byte-source.js";
import type { Circumstances } from "./circumstances.js";
import type { Field } from "./field.js";
import type { LeafValue } from "./leaf.js";
import type { Outcome } from "./outcome.js";

/** Names of things that messages refer to by number or UUID. */
export interface NameLookup {
  /** @param kind what is referred to: "player" */
  get(kind: string, id: string): string | undefined;
}

/** How serious a remark is. */
export const severities = ["error", "warning", "note"] as const;
/** One of them. */
export type Severity = (typeof severities)[number];

/** A remark on one node. */
export interface Note {
  readonly severity: Severity;
  readonly node: number;
  readonly text: string;
}

/**
 * The annotated field tree of one message, to be read. A node is a number: 0 is the message, behind it come its nodes in
 * the order of the wire, parents before their children.
 *
 * The leaves of each byte source tile it: every byte is in exactly one leaf.
 */
export interface FieldTree {
  /** Number of nodes. */
  readonly count: number;
  /** The field that each node is a value of; only the first `count` are of this message. */
  readonly fields: readonly Field[];
  /** What the bytes come from: first the message itself, then what was inflated. */
  readonly sources: readonly Readonly<ByteSource>[];
  readonly outcome: Outcome;
  readonly notes: readonly Note[];
  /** Structs that tell the names of things, in the order of the wire: see `StructOptions.introduces`. */
  readonly introductions: readonly number[];
  /**
   * The nodes that the summary of a message is made of, so that it need not walk all of them, in the order of the wire:
   * creatables, arrays (of whose elements no classes are told), facts for the summary, and bytes that were not taken
   * apart.
   */
  readonly outline: readonly number[];
  /** What a dissector has added to nodes: see `DecodedTree.annotate`. */
  readonly annotations: ReadonlyMap<number, string>;
  /** What a dissector knows of the conversation, where it knows something. */
  readonly circumstances: Circumstances | undefined;
  /** Names that the traffic has shown so far. */
  readonly names: NameLookup | undefined;

  /** The field that a node is a value of. */
  field(node: number): Field;
  /** Offset of the node's first byte in its source. */
  startOf(node: number): number;
  /** Offset behind the node's last byte in its source. */
  endOf(node: number): number;
  /** The first node behind this one that is not below it. */
  nextOf(node: number): number;
  sourceOf(node: number): Readonly<ByteSource>;
  /** Which one of `sources` it is. */
  sourceIndexOf(node: number): number;
  /** True if the node has nodes below it. */
  hasChildren(node: number): boolean;
  /** The node below `parent` with this name, or -1. */
  child(parent: number, name: string): number;
  /** The number in a leaf; 64-bit integers lose what a double cannot hold. */
  number(node: number): number;
  /** The number in the field of a struct; undefined if the field is absent, or was not reached. */
  numberIn(struct: number, name: string): number | undefined;
  /** The value in the field of a struct as text; undefined if the field is absent, or was not reached. */
  textIn(struct: number, name: string): string | undefined;
  /** The raw value of a leaf. */
  value(node: number): LeafValue;
  /** The bytes of a node: a view, not a copy. */
  bytes(node: number): Uint8Array;
  /** Which one a node is, counted from 0, of the nodes directly below the same node. */
  indexOf(node: number): number;
  /** Where a node is: `stream.data.events[2].hitter`. Empty for the root. */
  path(node: number): string;
  /** Where nodes are, all of them found in one walk. */
  paths(nodes: readonly number[]): readonly string[];
  /** The remarks on a node. */
  notesOn(node: number): readonly Note[];
  /** A copy that stays valid, and the same, when the next message is decoded. */
  snapshot(): FieldTree;
}

/** The tree of a message that was just decoded, to which a dissector may add what it knows of the conversation. */
export interface DecodedTree extends FieldTree {
  circumstances: Circumstances | undefined;
  /**
   * Adds to what a node means for people: never part of a value. That of the root goes into the message's summary. The
   * node has to be there: `child` gives -1 for a field that is absent.
   */
  annotate(node: number, text: string): void;
  /** Lowers the outcome of the whole to the given one, if that is worse, and adds a remark that says why. */
  note(outcome: Outcome, severity: Severity, node: number, text: string): void;
}
