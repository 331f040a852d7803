import { UNDISSECTED } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { Opcode } from "../schema/language/opcode.js";
import { type Disclosure, isSensitive, nameOfKind, type SensitiveKind } from "../schema/language/sensitive.js";
import { rebuilt } from "./rebuild.js";
import { gatherLeaf, type ScrubOptions, scrubbedLeaf } from "./scrub-leaf.js";
import type { Secrets } from "./secrets.js";
import { forEachLeaf } from "./walk.js";
import { writtenLeaf } from "./written-leaf.js";

/** Names of kinds of values that are kept. */
export type Kept = ReadonlySet<string>;

/** The result of scrubbing a message. */
export interface Scrubbed {
  readonly bytes: Uint8Array;
  /** Number of undissected bytes, which became zeros. */
  readonly wiped: number;
  /** How often a secret was found in a field where none is expected. */
  readonly found: number;
  /**
   * Number of bytes at the end that begin a field but do not complete it, because the capture ends there. They are not
   * among `bytes`: zeros in their place would change the message.
   */
  readonly begun: number;
}

/** Records everything that a message reveals. */
export function gatherSecrets(nodes: FieldTree, kept: Kept, secrets: Secrets): void {
  forEachLeaf(nodes, (leaf, kind) => {
    if (kind === "public" && isSound(nodes)) secrets.gatherPublic(String(nodes.value(leaf)));
    else if (isSecret(kind, kept)) gatherLeaf(nodes, leaf, kind, secrets);
  });
}

/** True if a message contains anything that has to be replaced. */
export function hasSecrets(nodes: FieldTree, kept: Kept): boolean {
  let found = false;
  forEachLeaf(nodes, (leaf, kind) => {
    if (isSecret(kind, kept) && nodes.endOf(leaf) > nodes.startOf(leaf)) found = true;
  });
  return found;
}

/** False if the format is broken: then a field for a public name may contain anything. */
function isSound({ outcome }: FieldTree): boolean {
  return outcome !== "malformed";
}

function isSecret(kind: Disclosure | undefined, kept: Kept): kind is SensitiveKind {
  return isSensitive(kind) && !kept.has(nameOfKind(kind));
}

/**
 * Returns a message without its secrets.
 *
 * @throws UnwritableError if it cannot be written
 */
export function scrubMessage(
  message: FieldTree,
  kept: Kept,
  secrets: Secrets,
  options: ScrubOptions = { mayGrow: true },
): Scrubbed {
  const nodes = message.snapshot();
  const leaves = new Map<number, Uint8Array>();
  // Compressed data that is not sound may contain more than was inflated.
  const inflated = new Set(isSound(nodes) ? [] : nodes.sources.keys());
  const unsearched = nodes.sources.map(({ parent }) => parent);
  let wiped = 0;
  forEachLeaf(nodes, (leaf, kind) => {
    if (kind === "public" && isSound(nodes)) unsearched.push(leaf);
    const bytes =
      kind === "any-number"
        ? otherNumber(nodes, leaf, secrets)
        : newBytes(nodes, leaf, isSecret(kind, kept) ? kind : undefined, secrets, options);
    const before = nodes.bytes(leaf);
    if (bytes === undefined || Buffer.compare(bytes, before) === 0) return;
    if (kind === "unknown") wiped += before.length;
    if (bytes.length === before.length) {
      before.set(bytes);
      inflated.add(nodes.sourceIndexOf(leaf));
    } else leaves.set(leaf, bytes);
  });
  let found = 0;
  for (const index of nodes.sources.keys()) {
    const count = searchSource(nodes, index, unsearched, secrets);
    if (count > 0) inflated.add(index);
    found += count;
  }
  const bytes = rebuilt(nodes, leaves, inflated);
  const begun = begunAtEnd(nodes);
  return { bytes: bytes.subarray(0, bytes.length - begun), wiped: wiped - begun, found, begun };
}

/** Number of bytes of the field at which a message was cut off. */
function begunAtEnd(nodes: FieldTree): number {
  const last = nodes.count - 1;
  const isCut = nodes.outcome === "truncated" && nodes.field(last) === UNDISSECTED && nodes.sourceIndexOf(last) === 0;
  return isCut && nodes.endOf(last) === nodes.endOf(0) ? nodes.endOf(last) - nodes.startOf(last) : 0;
}

/** The replacement of a leaf; undefined if it may stay as it is. */
function newBytes(
  nodes: FieldTree,
  leaf: number,
  kind: SensitiveKind | undefined,
  secrets: Secrets,
  options: ScrubOptions,
): Uint8Array | undefined {
  // Inflated data has to keep its length.
  const mayGrow = options.mayGrow && nodes.sourceIndexOf(leaf) === 0;
  const other = kind === undefined ? undefined : scrubbedLeaf(nodes, leaf, kind, secrets, { mayGrow });
  // After the end of a text, even an empty one, there may be anything that was in memory.
  return other === undefined && nodes.field(leaf).opcode === Opcode.FixedText ? withoutTail(nodes, leaf) : other;
}

/** The replacement of a number that is the number of a person elsewhere. */
function otherNumber(nodes: FieldTree, leaf: number, secrets: Secrets): Uint8Array | undefined {
  const number = nodes.number(leaf);
  return secrets.isPersonsNumber(number) ? writtenLeaf(nodes.field(leaf), secrets.number(number)) : undefined;
}

function withoutTail(nodes: FieldTree, leaf: number): Uint8Array | undefined {
  const { encoding } = nodes.field(leaf);
  const bytes = Uint8Array.from(nodes.bytes(leaf));
  const width = encoding === "utf8" ? 1 : 2;
  for (let at = 0; at + width <= bytes.length; at += width) {
    if (bytes[at] === 0 && (width === 1 || bytes[at + 1] === 0)) return bytes.fill(0, at);
  }
  return bytes;
}

/**
 * Replaces secrets anywhere in a byte source, except in nodes that are not searched: compressed bytes, which have a
 * source of their own, and public names.
 */
function searchSource(nodes: FieldTree, index: number, unsearched: readonly number[], secrets: Secrets): number {
  const source = nodes.sources[index];
  if (source === undefined) return 0;
  const passed = unsearched.filter((node) => node >= 0 && nodes.sourceIndexOf(node) === index);
  let count = 0;
  let at = 0;
  for (const node of passed.sort((a, b) => a - b)) {
    count += secrets.replaceIn(source.bytes, at, nodes.startOf(node));
    at = nodes.endOf(node);
  }
  return count + secrets.replaceIn(source.bytes, at, source.length);
}
