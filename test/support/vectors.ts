import { readFileSync } from "node:fs";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { isArray, Opcode } from "../../src/schema/language/opcode.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { childrenOf } from "./check.js";

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** Bytes written by another implementation's serialiser, and the values that it wrote. */
export interface Vector {
  readonly id: string;
  readonly class: string;
  readonly classIndex: number | null;
  readonly hex: string;
  readonly fields: JsonObject;
}

const NULL_CREATABLE = JSON.stringify({ classIndex: 0x8000 });

export function vectorsIn(file: string): Vector[] {
  const lines = readFileSync(new URL(`../vectors/${file}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line): Vector => JSON.parse(line));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a node in the form of the vectors: any number except 0 is true. */
function scalar(nodes: FieldTree, node: number): unknown {
  const { opcode, struct } = nodes.field(node);
  if (opcode === Opcode.Struct) return struct?.fields.length === 0 ? null : struct?.shownAs?.(nodes, node);
  if (opcode === Opcode.Bool8 || opcode === Opcode.Bool32LE) return nodes.number(node) !== 0;
  const value = nodes.value(node);
  return value instanceof Uint8Array ? hex(value) : value;
}

/** All differences between a node and a vector, as sentences. */
export function differences(nodes: FieldTree, node: number, expected: Json): string[] {
  const { opcode, struct } = nodes.field(node);
  const differs = (found: unknown, wanted: unknown = expected) => [
    `${nodes.path(node)} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`,
  ];
  if (Array.isArray(expected)) {
    const elements = childrenOf(nodes, node);
    if (!isArray(opcode) || elements.length !== expected.length) return differs(`${elements.length} nodes`);
    return expected.flatMap((element: Json, index) => differences(nodes, elements[index] ?? -1, element));
  }
  if (!isObject(expected)) {
    const found = scalar(nodes, node);
    return found === expected ? [] : differs(found);
  }
  if (JSON.stringify(expected) === NULL_CREATABLE) {
    const isNull = opcode === Opcode.Polymorphic && struct === undefined && nodes.number(node + 1) === 0x8000;
    return isNull ? [] : differs(struct?.name);
  }
  const found = Object.entries(expected).flatMap(([name, wanted]) => {
    if (name === "class") return struct?.name === wanted ? [] : differs(struct?.name, wanted);
    const child = nodes.child(node, name);
    if (child >= 0) return differences(nodes, child, wanted);
    const derived = struct?.derived.find((candidate) => candidate.name === name)?.of(nodes, node);
    return JSON.stringify(derived) === JSON.stringify(wanted) ? [] : differs(derived, { [name]: wanted });
  });
  // Other vectors cover the content of the blob.
  if ("blobHex" in expected) return found;
  const surplus = childrenOf(nodes, node)
    .map((child) => nodes.field(child).name)
    .filter((name) => !(name in expected) && !NOT_IN_VECTORS.has(name));
  return surplus.length === 0 ? found : [...found, ...differs(surplus, {})];
}

/** Fields that the vectors have under another name: as `voiceDataHex`, as `bitVector`. */
const NOT_IN_VECTORS = new Set(["voiceData", "low", "high"]);

export function named(vectors: readonly Vector[]): (readonly [string, Vector])[] {
  return vectors.map((vector) => [vector.id, vector]);
}
