import { expect } from "vitest";
import { fieldJson } from "../../src/output/json/field-json.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import type { Type } from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { treeJson } from "./shown.js";
import { expectTiling } from "./tiling.js";

/**
 * Decodes a value from bytes, by default a whole one; the caller may keep the tree.
 *
 * @param settings for types that depend on them
 * @param extent how the bytes relate to the value
 */
export function decodeWhole(
  type: Type<unknown>,
  bytes: Uint8Array,
  settings?: unknown,
  extent: Extent = Extent.Exact,
): FieldTree {
  const decoder = new Decoder();
  decoder.settings = settings;
  decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, extent);
  return decoder.nodes;
}

/** The nodes directly below a node. */
export function childrenOf(nodes: FieldTree, parent: number): number[] {
  const children: number[] = [];
  for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) children.push(node);
  return children;
}

/** Checks that the plain value of a decoded tree encodes back to its bytes. */
export function expectRoundTrip(type: Type<unknown>, nodes: FieldTree, settings?: unknown): void {
  const isPartial = nodes.outcome !== "ok";
  const nameOf = (kind: string, id: string) => nodes.names?.get(kind, id);
  expect(hex(encode(type, plainValue(nodes, 0), { isPartial, settings, nameOf }))).toBe(hex(nodes.bytes(0)));
}

/**
 * Returns the paths of leaves that are encoded as a copy of their bytes, because their codec would write other bytes for
 * the value: a round trip proves nothing about these.
 */
export function leavesWrittenOtherwise(nodes: FieldTree): string[] {
  const leaves = nodes.fields.slice(0, nodes.count).flatMap(({ codec }, node) => (codec === undefined ? [] : [node]));
  return leaves.filter((leaf) => plainValue(nodes, leaf) instanceof Exact).map((leaf) => nodes.path(leaf));
}

/**
 * Checks a class in all directions: the bytes decode without a remark, the leaves tile them, the value encodes back to
 * them, and both forms of JSON are well formed.
 *
 * @param writtenOtherwise paths of leaves whose codec would write other bytes
 * @returns the tree
 */
export function checkClass(
  type: Type<unknown>,
  bytes: Uint8Array,
  settings?: unknown,
  writtenOtherwise: readonly string[] = [],
): FieldTree {
  const nodes = decodeWhole(type, bytes, settings);
  expect(nodes.notes.map(({ node, text }) => `${nodes.path(node)}: ${text}`)).toEqual([]);
  expectTiling(nodes);
  expectRoundTrip(type, nodes, settings);
  expect(leavesWrittenOtherwise(nodes)).toEqual(writtenOtherwise);
  expect(() => JSON.parse(fieldJson(nodes, 0))).not.toThrow();
  expect(() => JSON.parse(`{${treeJson(nodes)}}`)).not.toThrow();
  return nodes;
}
