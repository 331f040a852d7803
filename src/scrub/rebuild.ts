import { deflate } from "pako";
import { type Field, isWholeNumber } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { claimedLength } from "../schema/language/length.js";
import { Opcode } from "../schema/language/opcode.js";
import { UnwritableError, writtenLeaf } from "./written-leaf.js";

/**
 * Builds the bytes of a message from its tree, with the bytes of some leaves replaced. Where those are longer or
 * shorter, the lengths given elsewhere in the message are corrected; inflated data is compressed again.
 *
 * @param leaves the new bytes of leaves, by node; in inflated data, as many bytes as before
 * @param inflated the byte sources whose content has changed
 * @throws UnwritableError if a length does not fit into its field, or inflated data would have another length
 */
export function rebuilt(
  nodes: FieldTree,
  leaves: ReadonlyMap<number, Uint8Array>,
  inflated: ReadonlySet<number>,
): Uint8Array {
  const replaced = new Map(leaves);
  // Data inflated later may be inside data inflated earlier.
  for (let index = nodes.sources.length - 1; index > 0; index--) {
    const { parent: node = -1, length } = nodes.sources[index] ?? {};
    const isChanged = inflated.has(index) || [...replaced.keys()].some((other) => nodes.sourceIndexOf(other) === index);
    if (node < 0 || !isChanged) continue;
    const content = sourceBytes(nodes, index, replaced);
    // As with data inside it that is compressed, too, and then takes more or fewer bytes.
    if (content.length !== length)
      throw new UnwritableError(`${nodes.field(node).name}: its content would grow or shrink`);
    const literal = declared(nodes, node)?.compression?.literal ?? 0;
    replaced.set(node, Buffer.concat([content.subarray(0, literal), deflate(content.subarray(literal))]));
  }
  for (const [claiming, { length, growth }] of claimsOf(nodes, replaced)) {
    const field = nodes.field(claiming);
    const number = nodes.number(claiming);
    const corrected = number + growth / length.times;
    // If only some bits of a number are the length, the others have to stay.
    if (claimedLength(length, corrected) !== claimedLength(length, number) + growth)
      throw new UnwritableError(`${field.name}: the length does not fit into its bits`);
    const written = writtenLeaf(field, corrected);
    // With another width, the lengths of everything around it would change too.
    if (written.length !== nodes.bytes(claiming).length)
      throw new UnwritableError(`${field.name}: its width would change`);
    replaced.set(claiming, written);
  }
  return sourceBytes(nodes, 0, replaced);
}

/** A length that has changed, and by how many bytes. */
interface Claim {
  readonly length: Field["length"];
  growth: number;
}

/** The changed lengths, by the nodes that give them. */
function claimsOf(nodes: FieldTree, replaced: ReadonlyMap<number, Uint8Array>): ReadonlyMap<number, Claim> {
  const claims = new Map<number, Claim>();
  for (const [node, bytes] of replaced) {
    const growth = bytes.length - (nodes.endOf(node) - nodes.startOf(node));
    if (growth === 0) continue;
    for (let inner = node; inner > 0; inner = parentOf(nodes, inner)) {
      const field = declared(nodes, inner);
      // The number of elements of an array does not change.
      if (field === undefined || field.opcode === Opcode.Array || field.length.claimedBy === "") continue;
      const { length } = field;
      const claiming = nodeAt(nodes, parentOf(nodes, inner), length.claimedBy);
      if (claiming < 0) continue;
      const claim = claims.get(claiming);
      if (claim === undefined) claims.set(claiming, { length, growth });
      else claim.growth += growth;
    }
  }
  return claims;
}

/** The field that a node is the value of, as its struct declares it, including its length. */
function declared(nodes: FieldTree, node: number): Field | undefined {
  const { name } = nodes.field(node);
  const parent = parentOf(nodes, node);
  let field = nodes.field(parent).struct?.fields.find((own) => own.name === name);
  while (field?.opcode === Opcode.Choice) field = field.chosen(numberAt(nodes, parent, field.selector?.field ?? ""));
  return field;
}

/** The number in a struct that a choice depends on; 0 if it is absent, as in decoding. */
function numberAt(nodes: FieldTree, struct: number, path: string): number {
  const node = nodeAt(nodes, struct, path);
  return node >= 0 && isWholeNumber(nodes.field(node)) ? nodes.number(node) : 0;
}

/** The node at a path below a struct, or -1. */
function nodeAt(nodes: FieldTree, struct: number, path: string): number {
  return path.split(".").reduce((at, name) => (at < 0 ? at : nodes.child(at, name)), struct);
}

/** The parent of a node; the root is its own parent. */
function parentOf(nodes: FieldTree, node: number): number {
  let parent = 0;
  for (let at = 0; at < node; ) {
    const isAbove = nodes.nextOf(at) > node;
    if (isAbove) parent = at;
    at = isAbove ? at + 1 : nodes.nextOf(at);
  }
  return parent;
}

/** The bytes of a source, with the replaced nodes in it. */
function sourceBytes(nodes: FieldTree, index: number, replaced: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const source = nodes.sources[index];
  if (source === undefined) return new Uint8Array(0);
  const own = [...replaced].filter(([node]) => nodes.sourceIndexOf(node) === index);
  own.sort(([a], [b]) => a - b);
  const parts: Uint8Array[] = [];
  let at = source.origin;
  for (const [node, bytes] of own) {
    parts.push(source.bytes.subarray(at, source.origin + nodes.startOf(node)), bytes);
    at = source.origin + nodes.endOf(node);
  }
  parts.push(source.bytes.subarray(at, source.origin + source.length));
  return Buffer.concat(parts);
}
