import { type Field, UNDISSECTED_NAME } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { flagNames } from "../../schema/language/meaning.js";
import { isArray } from "../../schema/language/opcode.js";
import { flagBits } from "../../schema/tree/label.js";
import type { Builder, ListBuilder } from "../columns/builder.js";
import { PrefixedValues } from "../columns/prefixed-values.js";
import { ElementPlan } from "./element-plan.js";
import { type Append, appendNumber, appendText, NO_PART, type Part } from "./part.js";
import { Plans } from "./plans.js";

/** Returns what a field is in a column with lists. @param partOf returns what an element is in it */
export function listPart(
  builder: ListBuilder,
  { opcode, meaning }: Field,
  isRaw: boolean,
  partOf: (builder: Builder, field: Field, isRaw: boolean) => Part,
): Part {
  const { element, empty, next, leaves } = builder;
  if (!isArray(opcode)) {
    if (meaning?.form !== "flags" || isRaw) return NO_PART;
    return { kind: "list", leaves, append: appendFlags(builder, flagTexts(meaning.names)) };
  }
  let last: Field | undefined;
  let append: Append = () => false;
  const others = new Map<Field, Append>();
  const appendOf = (field: Field) =>
    field.name === UNDISSECTED_NAME ? () => false : elementOf(partOf(element, field, isRaw));
  const appendList: Append = (nodes, node, repetition) => {
    const end = nodes.nextOf(node);
    if (end === node + 1) builder.absent(empty, repetition);
    for (let child = node + 1, list = repetition; child < end; child = nodes.nextOf(child), list = next) {
      const field = nodes.field(child);
      if (field !== last) {
        last = field;
        append = others.get(field) ?? appendOf(field);
        others.set(field, append);
      }
      if (!append(nodes, child, list)) return false;
    }
    return true;
  };
  return { kind: "list", leaves, append: appendList };
}

/** Returns what adds an element of a list. */
function elementOf(part: Part): Append {
  switch (part.kind) {
    case "list":
      return part.append;
    case "null":
      return (_nodes, _node, repetition) => {
        part.leaf.absent(part.leaf.deepest - 1, repetition);
        return true;
      };
    case "none":
      return () => false;
    case "number":
      return appendNumber(part);
    case "text":
      return appendText(part);
    case "struct": {
      const { fields, builder } = part;
      const plans = new Plans((nodes, node) => new ElementPlan(fields, builder.present, nodes, node));
      return (nodes, node, repetition) => plans.of(nodes, node).add(nodes, repetition);
    }
  }
}

/** Returns what adds the names of flags. */
function appendFlags(builder: ListBuilder, namesIn: (nodes: FieldTree, node: number) => readonly string[]): Append {
  const { element, empty, next } = builder;
  const values = "leaf" in element ? element.leaf.values : undefined;
  if (!("leaf" in element) || !(values instanceof PrefixedValues)) {
    return (nodes, node, repetition) => builder.add(namesIn(nodes, node), repetition);
  }
  const { leaf } = element;
  /** The texts for numbers that were there before: which of the different ones in the column they are. */
  const known = new Map<number, readonly number[]>();
  let generation = -1;
  const addAnew = (names: readonly string[]): number[] =>
    names.map((name) => {
      values.enter(name);
      const { entered } = values;
      values.take();
      return entered;
    });
  return (nodes, node, repetition) => {
    const number = nodes.number(node);
    if (generation !== values.generation) known.clear();
    let indexes = known.get(number);
    if (indexes !== undefined) values.takeAgain(indexes);
    else {
      indexes = addAnew(namesIn(nodes, node));
      const areKept = !indexes.includes(-1) && known.size < MOST_KEPT;
      // Several 64-bit numbers can become the same double.
      if (areKept && Number.isSafeInteger(number)) known.set(number, indexes);
    }
    generation = values.generation;
    if (indexes.length === 0) leaf.absent(empty, repetition);
    else leaf.presentAll(indexes.length, repetition, next);
    return true;
  };
}

/** Most values kept per field: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;

/** Returns what names the flags that are set. */
function flagTexts(names: ReadonlyMap<number, string>): (nodes: FieldTree, node: number) => readonly string[] {
  return (nodes, node) => flagNames(names, flagBits(nodes, node));
}
