import { type Field, UNDISSECTED_NAME } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { flagNames } from "../schema/language/meaning.js";
import { isArray, Opcode } from "../schema/language/opcode.js";
import { flagBits } from "../schema/tree/label.js";
import { type Append, appendScalar } from "./append-leaf.js";
import { type Builder, type ListBuilder, ScalarBuilder, type StructBuilder } from "./columns/builder.js";
import { StructFields } from "./struct-fields.js";

/** Returns what adds the values of a field to a column, or to a part of one. @param isRaw true for numbers behind names */
export function appendField(builder: Builder, field: Field, isRaw: boolean): Append {
  if (builder instanceof ScalarBuilder) {
    const append = appendScalar(builder, field, isRaw);
    if (!isRaw) return append;
    // The value itself says enough.
    return (nodes, node, repetition) => append(nodes, node, repetition) || builder.add(null, repetition);
  }
  if ("element" in builder) return appendList(builder, field, isRaw);
  return isRaw || field.opcode !== Opcode.Struct ? () => false : appendStruct(builder);
}

function appendStruct(builder: StructBuilder): Append {
  const { columns, members, present } = builder;
  const fields = new StructFields(columns, members, appendField);
  return (nodes, node, repetition) => {
    if (!fields.find(nodes, node)) return false;
    for (let at = 0; at < members.length; at++) {
      const append = fields.appends[at];
      if (append === undefined) members[at]?.absent(present, repetition);
      else if (!append(nodes, fields.nodes[at] ?? 0, repetition)) return false;
    }
    return true;
  };
}

function appendList(builder: ListBuilder, { opcode, meaning }: Field, isRaw: boolean): Append {
  const { element, empty, next } = builder;
  if (!isArray(opcode)) {
    if (meaning?.form !== "flags" || isRaw) return () => false;
    const namesIn = flagTexts(meaning.names);
    return (nodes, node, repetition) => builder.add(namesIn(nodes, node), repetition);
  }
  let last: Field | undefined;
  let append: Append = () => false;
  const others = new Map<Field, Append>();
  return (nodes, node, repetition) => {
    const end = nodes.nextOf(node);
    if (end === node + 1) builder.absent(empty, repetition);
    for (let child = node + 1, list = repetition; child < end; child = nodes.nextOf(child), list = next) {
      const field = nodes.field(child);
      if (field !== last) {
        last = field;
        append =
          others.get(field) ?? (field.name === UNDISSECTED_NAME ? () => false : appendField(element, field, isRaw));
        others.set(field, append);
      }
      if (!append(nodes, child, list)) return false;
    }
    return true;
  };
}

/** Most values kept per field: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;

/** Returns what names the flags that are set. */
function flagTexts(names: ReadonlyMap<number, string>): (nodes: FieldTree, node: number) => readonly string[] {
  const known = new Map<number, readonly string[]>();
  return (nodes, node) => {
    const number = nodes.number(node);
    const kept = known.get(number);
    if (kept !== undefined) return kept;
    const texts = flagNames(names, flagBits(nodes, node));
    // Several 64-bit numbers can become the same double.
    if (Number.isSafeInteger(number) && known.size < MOST_KEPT) known.set(number, texts);
    return texts;
  };
}
