import type { FieldTree } from "../schema/language/field-tree.js";
import type { Value } from "./value.js";

/** A way to write text as bytes. */
export interface TextForm {
  readonly name: string;
  /** Undefined for a text that cannot be written so. */
  readonly encode: (text: string) => Uint8Array | undefined;
}

/** Bytes to look for. */
export interface BytePattern {
  /** What they are: the name of a form of text, or "hex". */
  readonly name: string;
  /** @internal A type of Node.js: programs for browsers do not have it. */
  readonly bytes: Buffer;
}

/** The usual forms of text. */
const USUAL: readonly TextForm[] = [
  { name: "UTF-8", encode: (text) => Buffer.from(text, "utf8") },
  { name: "UTF-16LE", encode: (text) => Buffer.from(text, "utf16le") },
  { name: "UTF-16BE", encode: (text) => Buffer.from(text, "utf16le").swap16() },
  { name: "Latin-1", encode: latin1 },
];

function latin1(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "latin1");
  return bytes.toString("latin1") === text ? bytes : undefined;
}

/** What a text may look like on the wire, each form once. */
export function textPatterns(text: string, others: readonly TextForm[]): BytePattern[] {
  const patterns = new Map<string, BytePattern>();
  for (const { name, encode } of text === "" ? [] : [...USUAL, ...others]) {
    const encoded = encode(text);
    if (encoded === undefined) continue;
    const bytes = Buffer.from(encoded);
    const key = bytes.toString("hex");
    if (!patterns.has(key)) patterns.set(key, { name, bytes });
  }
  return [...patterns.values()];
}

/** What a value of an expression may look like on the wire: a text in quotes in all its forms, or else bytes. */
export function valuePatterns(value: Value, others: readonly TextForm[]): BytePattern[] {
  const { isText, text, bytes } = value;
  if (isText) return textPatterns(text, others);
  return bytes === undefined ? [] : [{ name: "hex", bytes }];
}

/** @internal The bytes of a message, and those that were inflated from it. */
export function sourcesOf(nodes: FieldTree): Buffer[] {
  return nodes.sources.map(({ bytes, origin, length }) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + origin, Math.min(length, bytes.length - origin)),
  );
}

/** True if a message has such bytes anywhere. */
export function hasBytes(nodes: FieldTree, patterns: readonly BytePattern[]): boolean {
  return sourcesOf(nodes).some((source) => patterns.some(({ bytes }) => source.includes(bytes)));
}
