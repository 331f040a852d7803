import { expect } from "vitest";
import { messageNotes } from "../../../src/dissect/message-notes.js";
import { defaultLimits, type Limits } from "../../../src/limits.js";
import { fieldJson } from "../../../src/output/json/field-json.js";
import { Decoder } from "../../../src/schema/decode/decode.js";
import { Extent } from "../../../src/schema/decode/window.js";
import type { Type } from "../../../src/schema/index.js";
import { viewOf } from "../../../src/schema/language/byte-source.js";
import type { DecodedTree, FieldTree } from "../../../src/schema/language/field-tree.js";
import { holdsNodes, isArray, Opcode } from "../../../src/schema/language/opcode.js";
import type { Outcome } from "../../../src/schema/language/outcome.js";
import { hex } from "../../../src/schema/tree/leaf.js";
import { childrenOf, expectRoundTrip } from "../../support/check.js";
import { treeJson } from "../../support/shown.js";
import { expectTiling } from "../../support/tiling.js";

/** Bytes from hexadecimal digits; spaces are for the reader. */
export function wire(...parts: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(parts.join("").replace(/\s+/g, ""), "hex"));
}

export interface Decoded {
  readonly nodes: DecodedTree;
  readonly outcome: Outcome;
  readonly consumed: number;
  /** Everything below the root: objects, arrays, raw values; byte strings as hexadecimal digits. */
  readonly value: unknown;
  /** `path: text` of each note. */
  readonly notes: readonly string[];
}

/** Foreign bytes on both sides of the window: a decoder that reads them gives itself away. */
const BEFORE = 3;
const BEHIND = 9;

/** A window on bytes in the middle of others. */
export function windowOn(bytes: Uint8Array): { bytes: Uint8Array; view: DataView; start: number; end: number } {
  const all = new Uint8Array(BEFORE + bytes.length + BEHIND).fill(0xa5);
  all.set(bytes, BEFORE);
  return { bytes: all, view: viewOf(all), start: BEFORE, end: BEFORE + bytes.length };
}

/**
 * Decodes bytes and checks what holds for any bytes: the leaves tile what was consumed, the plain value encodes to the
 * same bytes, JSON can be parsed, and every note refers to a node.
 */
export function decode(
  type: Type<unknown>,
  bytes: Uint8Array | string,
  extent: Extent = Extent.Exact,
  limits: Limits = defaultLimits,
): Decoded {
  const decoder = new Decoder(limits);
  const whole = decoder.decode(type, windowOn(typeof bytes === "string" ? wire(bytes) : bytes), extent);
  expect(whole).toBe(true);
  const { nodes, consumed } = decoder;
  expectSound(type, nodes);
  expect(nodes.endOf(0)).toBe(consumed);
  return { nodes, outcome: nodes.outcome, consumed, value: shown(nodes, 0), notes: notesOf(nodes) };
}

/** The value of bytes that contain one value and cause no note. */
export function wholeValue(type: Type<unknown>, bytes: Uint8Array | string): unknown {
  const { notes, outcome, value } = decode(type, bytes);
  expect(notes).toEqual([]);
  expect(outcome).toBe("ok");
  return value;
}

/** Checks what holds for every tree. */
export function expectSound(type: Type<unknown>, nodes: FieldTree): void {
  expect(nodes.nextOf(0)).toBe(nodes.count);
  expectTiling(nodes);
  expectRoundTrip(type, nodes);
  JSON.parse(fieldJson(nodes, 0, 1));
  JSON.parse(`{${treeJson(nodes)}}`);
  for (const { node } of nodes.notes) nodes.field(node);
  for (const { parent } of nodes.sources.slice(1)) nodes.field(parent);
}

/** How many bytes the decoder of an open-ended value waits for; 0 if the value is complete. */
export function needed(type: Type<unknown>, bytes: Uint8Array | string): number {
  const decoder = new Decoder();
  const whole = decoder.decode(type, windowOn(typeof bytes === "string" ? wire(bytes) : bytes), Extent.Open);
  return whole ? 0 : decoder.needed;
}

export function notesOf(nodes: FieldTree): string[] {
  return messageNotes(nodes).map(({ path, text }) => `${path}: ${text}`);
}

/** The JSON form of bytes that contain one value. */
export function jsonOf(type: Type<unknown>, bytes: Uint8Array | string): unknown {
  return JSON.parse(fieldJson(decode(type, bytes).nodes, 0, 1));
}

function shown(nodes: FieldTree, node: number): unknown {
  const { opcode, struct } = nodes.field(node);
  if (!holdsNodes(opcode)) {
    const value = nodes.value(node);
    return value instanceof Uint8Array ? hex(value) : value;
  }
  const children = childrenOf(nodes, node);
  if (isArray(opcode)) return children.map((child) => shown(nodes, child));
  const members = children.map((child): [string, unknown] => [nodes.field(child).name, shown(nodes, child)]);
  const known = opcode === Opcode.Polymorphic && struct !== undefined ? { class: struct.name } : {};
  return { ...known, ...Object.fromEntries(members) };
}
