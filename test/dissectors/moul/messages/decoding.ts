import { expect } from "vitest";
import { Decoder } from "../../../../src/schema/decode/decode.js";
import { Extent } from "../../../../src/schema/decode/window.js";
import type { Type } from "../../../../src/schema/index.js";
import type { FieldTree, NameLookup } from "../../../../src/schema/language/field-tree.js";
import { Opcode } from "../../../../src/schema/language/opcode.js";
import { childrenOf, expectRoundTrip, leavesWrittenOtherwise } from "../../../support/check.js";
import { expectTiling } from "../../../support/tiling.js";

/** Bytes from hexadecimal digits; spaces are for the reader. */
export function wire(...parts: readonly string[]): Uint8Array {
  return Buffer.from(parts.join("").replace(/\s+/g, ""), "hex");
}

/** Hexadecimal digits of UTF-16 text (little-endian) without a terminator. */
export function utf16Hex(text: string): string {
  return Buffer.from(text, "utf16le").toString("hex");
}

/** Hexadecimal digits of a 32-bit number (little-endian). */
export function u32Hex(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
}

/** Hexadecimal digits of UTF-16 text after the count of its units (u16). */
export function netStringHex(text: string): string {
  return u32Hex(text.length).slice(0, 4) + utf16Hex(text);
}

/** Hexadecimal digits of a message to or from the game manager (0) or a game: its type, length and header, then a body. */
export function gameMsgHex(messageId: number, gameId: number, body: string): string {
  const content = body.replace(/ /g, "");
  const length = u32Hex(16 + content.length / 2);
  return ["0300", length, u32Hex(messageId), u32Hex(9), u32Hex(gameId), length, content].join("");
}

export interface Decoded {
  readonly nodes: FieldTree;
  readonly consumed: number;
  readonly notes: readonly string[];
  /** Everything that was decoded, as plain values; byte strings as hexadecimal digits. */
  readonly value: unknown;
}

/**
 * Decodes bytes that hold exactly one value; the leaves have to tile them, and a complete value has to encode to them.
 */
export function decode(type: Type<unknown>, bytes: Uint8Array, names?: NameLookup): Decoded {
  const decoder = new Decoder();
  decoder.names = names;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  decoder.decode(type, { bytes, view, start: 0, end: bytes.length }, Extent.Exact);
  const { nodes, consumed } = decoder;
  expectTiling(nodes);
  if (nodes.outcome === "ok" || nodes.outcome === "unknown") expectRoundTrip(type, nodes);
  // A codec by itself is also tried with forms that it would not write.
  if (nodes.outcome === "ok" && nodes.hasChildren(0)) expect(leavesWrittenOtherwise(nodes)).toEqual([]);
  return { nodes, consumed, notes: nodes.notes.map((note) => note.text), value: plain(nodes, 0) };
}

/** The plain value of a type, and the decoder's remarks on the bytes. */
export function decodeValue(type: Type<unknown>, ...parts: readonly string[]): unknown {
  const { nodes, notes, value } = decode(type, wire(...parts));
  return nodes.outcome === "ok" ? value : { outcome: nodes.outcome, notes, value };
}

function plain(nodes: FieldTree, node: number): unknown {
  const { opcode, struct } = nodes.field(node);
  const children = childrenOf(nodes, node);
  if (opcode === Opcode.Array) return children.map((child) => plain(nodes, child));
  if (opcode === Opcode.Struct || opcode === Opcode.Polymorphic) {
    const value: Record<string, unknown> = {};
    for (const child of children) value[nodes.field(child).name] = plain(nodes, child);
    for (const { name, of, meaning = of } of struct?.derived ?? []) {
      const derived = meaning(nodes, node);
      if (derived !== undefined) value[name] = derived;
    }
    return value;
  }
  const value = nodes.value(node);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
