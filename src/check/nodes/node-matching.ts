import type { IdentifierMapping } from "../identifier-mapping.js";
import { idOf, labelOf, type NodeRecording, type RecordedNode } from "./node-recording.js";

/** The same nodes in two recordings, expected to found. */
export type NodePairs = ReadonlyMap<RecordedNode, RecordedNode>;

type KeyOf = (node: RecordedNode) => string;

const contentOf: KeyOf = ({ entry }) => String(entry.form.id);
const nameOf: KeyOf = ({ line }) => `${line.type} ${line.title}`;
const typeOf: KeyOf = ({ line }) => line.type;
/** What was never shown may be anything. */
const anything: KeyOf = () => "";

/** What neighbours of the same node have in common if they are the same: from what tells most to what tells least. */
const STRONG = [contentOf, nameOf];
const WEAK = [...STRONG, typeOf, anything];

/**
 * Finds out which nodes are the same in two recordings, whatever their ids: by what messages say, by what nothing else
 * is like, by what they belong to or have, by their ids, and last by their order.
 *
 * @param mapping what messages say
 */
export function matchedNodes(expected: NodeRecording, found: NodeRecording, mapping: IdentifierMapping): NodePairs {
  const matching = new Matching(expected, found);
  for (const node of expected.nodes) {
    const label = mapping.foundLabel(expected.spaceOf(node), -1, labelOf(node.line.id));
    const other = label === undefined ? undefined : found.get(idOf(label));
    if (other !== undefined) matching.pair(node, other);
  }
  for (const keyOf of STRONG) matching.pairUnique(expected.nodes, found.nodes, keyOf);
  matching.pairChildren(STRONG);
  matching.pairSameIds();
  matching.pairChildren(WEAK);
  matching.pairNeighbours();
  for (const keyOf of STRONG) matching.pairInOrder(expected.nodes, found.nodes, keyOf);
  return matching.pairs;
}

class Matching {
  readonly pairs = new Map<RecordedNode, RecordedNode>();
  readonly #taken = new Set<RecordedNode>();

  constructor(
    readonly expected: NodeRecording,
    readonly found: NodeRecording,
  ) {}

  pair(expected: RecordedNode, found: RecordedNode): void {
    const types = [expected.line.type, found.line.type];
    const mayBeSame = types[0] === types[1] || types.includes("");
    if (!mayBeSame || this.pairs.has(expected) || this.#taken.has(found)) return;
    this.pairs.set(expected, found);
    this.#taken.add(found);
  }

  /** Pairs nodes that nothing else is like, on neither side. */
  pairUnique(expected: Iterable<RecordedNode>, found: Iterable<RecordedNode>, keyOf: KeyOf): void {
    const open = this.#open(expected);
    if (open.length === 0) return;
    const others = byKey(this.#left(found), keyOf);
    for (const [key, [node, ...more]] of byKey(open, keyOf)) {
      const [other, ...same] = others.get(key) ?? [];
      if (node !== undefined && other !== undefined && more.length + same.length === 0) this.pair(node, other);
    }
  }

  /** Pairs what belongs to nodes that are paired already or on the way, if nothing else there is like it. */
  pairChildren(keys: readonly KeyOf[]): void {
    // Iterating over a map includes what is added to it on the way.
    for (const [one, other] of this.pairs) {
      if (this.#isComplete) return;
      const [children, others] = [this.expected.childrenOf(one), this.found.childrenOf(other)];
      for (const keyOf of keys) this.pairUnique(children, others, keyOf);
    }
  }

  /** Pairs nodes of the same id and type; one that was never shown needs something in common as well. */
  pairSameIds(): void {
    for (const node of this.#open(this.expected.nodes)) {
      const same = this.found.get(node.line.id);
      if (same === undefined) continue;
      if (node.line.type === same.line.type || this.#haveInCommon(node, same)) this.pair(node, same);
    }
  }

  /** Pairs what belongs to nodes in its order, and what has them if there is nothing else that it could be. */
  pairNeighbours(): void {
    for (const [one, other] of this.pairs) {
      if (this.#isComplete) return;
      const [children, others] = [this.expected.childrenOf(one), this.found.childrenOf(other)];
      for (const keyOf of [...STRONG, typeOf]) this.pairInOrder(children, others, keyOf);
      const [parents, otherParents] = [this.expected.parentsOf(one), this.found.parentsOf(other)];
      for (const keyOf of WEAK) this.pairUnique(parents, otherParents, keyOf);
    }
  }

  /** True if one side has nothing left to pair. */
  get #isComplete(): boolean {
    return this.pairs.size === Math.min(this.expected.size, this.found.size);
  }

  #haveInCommon(expected: RecordedNode, found: RecordedNode): boolean {
    const others = new Set([...this.found.childrenOf(found), ...this.found.parentsOf(found)]);
    const own = [...this.expected.childrenOf(expected), ...this.expected.parentsOf(expected)];
    return own.some((node) => {
      const pair = this.pairs.get(node);
      return pair !== undefined && others.has(pair);
    });
  }

  pairInOrder(expected: Iterable<RecordedNode>, found: Iterable<RecordedNode>, keyOf: KeyOf): void {
    const open = this.#open(expected);
    if (open.length === 0) return;
    const others = byKey(this.#left(found), keyOf);
    for (const node of open) {
      const other = others.get(keyOf(node))?.shift();
      if (other !== undefined) this.pair(node, other);
    }
  }

  #open(expected: Iterable<RecordedNode>): RecordedNode[] {
    return [...expected].filter((node) => !this.pairs.has(node));
  }

  #left(found: Iterable<RecordedNode>): RecordedNode[] {
    return [...found].filter((node) => !this.#taken.has(node));
  }
}

function byKey(nodes: readonly RecordedNode[], keyOf: KeyOf): Map<string, RecordedNode[]> {
  const groups = new Map<string, RecordedNode[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return groups;
}
