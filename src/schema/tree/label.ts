import type { Field } from "../language/field.js";
import type { FieldTree, LeafValue } from "../language/field-tree.js";
import { flagNames } from "../language/meaning.js";
import { isBoolean, Opcode } from "../language/opcode.js";
import { FoundNames } from "./found-names.js";
import { PerField } from "./per-field.js";

/**
 * Returns what the value of a node means, for people: a name, names of flags, a time, a class, and what a dissector has
 * added. Undefined if the value speaks for itself.
 */
export function labelOf(nodes: FieldTree, node: number): string | undefined {
  const meaning = meaningOf(nodes, node);
  const annotation = nodes.annotation(node);
  return meaning === undefined || annotation === undefined ? (meaning ?? annotation) : `${meaning}; ${annotation}`;
}

/** Like `labelOf`, without what a dissector has added. */
export function meaningOf(nodes: FieldTree, node: number): string | undefined {
  const field = nodes.field(node);
  const { meaning, struct } = field;
  if (field.opcode === Opcode.Struct) return struct?.shownAs?.(nodes, node) ?? struct?.label?.(nodes, node);
  if (field.opcode === Opcode.Polymorphic) {
    return isNull(nodes, node) ? "null" : (struct?.label?.(nodes, node) ?? classOf(nodes, node));
  }
  if (meaning === undefined) {
    return isBoolean(field.opcode) && nodes.number(node) > 1 ? "true" : undefined;
  }
  switch (meaning.form) {
    case "enumeration":
      return meaning.names.get(nodes.number(node));
    case "flags":
      return flagsText(nodes, node, field, meaning.names) || undefined;
    case "reference":
      return nameOf(nodes, meaning.to, nodes.value(node));
    case "text":
    case "remark":
      return meaning.describe(nodes.number(node));
  }
}

/** Most texts kept per field: a protocol uses few of the possible combinations, over and over. */
const MOST_KEPT = 256;
const flagTexts = new PerField(() => new Map<number, string>());

function flagsText(nodes: FieldTree, node: number, field: Field, names: ReadonlyMap<number, string>): string {
  const number = nodes.number(node);
  const texts = flagTexts.of(field);
  const kept = texts.get(number);
  if (kept !== undefined) return kept;
  const text = flagNames(names, flagBits(nodes, node)).join(" | ");
  // Several 64-bit numbers can become the same double.
  if (Number.isSafeInteger(number) && texts.size < MOST_KEPT) texts.set(number, text);
  return text;
}

const foundNames = new FoundNames((_kind, name) => name);

function nameOf({ names }: FieldTree, kinds: readonly string[], value: LeafValue): string | undefined {
  return names && (foundNames.of(names, kinds, value) ?? undefined);
}

/** Returns the bits of a number: unsigned if its width is fixed. A number read by a codec need not be whole. */
export function flagBits(nodes: FieldTree, node: number): number | bigint {
  const value = nodes.value(node);
  if (typeof value === "bigint") return BigInt.asUintN(64, value);
  const number = nodes.number(node);
  const { width } = nodes.field(node);
  return number < 0 && width > 0 ? number + 2 ** (8 * width) : number;
}

/** True for a polymorphic node whose value is null. */
export function isNull(nodes: FieldTree, node: number): boolean {
  const { opcode, struct, family } = nodes.field(node);
  if (opcode !== Opcode.Polymorphic || struct !== undefined || family?.nullTag === undefined) return false;
  return nodes.number(node + 1) === family.nullTag;
}

/**
 * Returns the name of the class of a struct or polymorphic node; undefined for a null one, and for a struct that is not
 * a class of its own. An undeclared class without a known name is called by its tag.
 */
export function classOf(nodes: FieldTree, node: number): string | undefined {
  const { opcode, struct, family } = nodes.field(node);
  if (struct !== undefined) return struct.name || undefined;
  if (opcode !== Opcode.Polymorphic || family === undefined || family.closed) return undefined;
  const tag = nodes.number(node + 1);
  if (tag === family.nullTag) return undefined;
  return family.called(tag);
}

/** True if a node in the outline is there for its class: a creatable, or a struct without a text of its own. */
export function showsClass({ opcode, struct }: Field): boolean {
  if (opcode === Opcode.Polymorphic) return true;
  return opcode === Opcode.Struct && struct?.label === undefined && struct?.shownAs === undefined;
}
