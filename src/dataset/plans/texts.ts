import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { has64Bits, isNumber, Opcode } from "../../schema/language/opcode.js";
import { copierOf } from "../../schema/tree/copy-text.js";
import { hex, readNumber } from "../../schema/tree/leaf.js";
import type { PrefixedValues } from "../columns/prefixed-values.js";

/** Most values kept per field: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;

/** Enters the text of a node in a column; false if it has none. */
type EnterText = (nodes: FieldTree, node: number) => boolean;

/** Returns what enters the texts of a field in a column; undefined if it never has one. */
export function textEntry(values: PrefixedValues, field: Field): EnterText | undefined {
  const { opcode, struct, meaning } = field;
  switch (opcode) {
    case Opcode.Struct:
      return struct?.shownAs === undefined ? undefined : (nodes, node) => values.enter(struct.shownAs?.(nodes, node));
    case Opcode.Polymorphic:
      return struct === undefined || struct.name === "" ? undefined : constantText(values, struct.name);
    case Opcode.Array:
    case Opcode.Tuple:
      return undefined;
    default:
  }
  switch (meaning?.form) {
    case "enumeration":
      return namedText(
        values,
        opcode,
        (nodes, node) => meaning.names.get(nodes.number(node)) ?? plainText(nodes, node),
      );
    case "text":
      return namedText(values, opcode, (nodes, node) => meaning.describe(nodes.number(node)));
    default:
      return capturedText(values, field);
  }
}

function capturedText(values: PrefixedValues, field: Field): EnterText {
  const copy = copierOf(field);
  if (copy === undefined) return (nodes, node) => values.enter(plainText(nodes, node));
  return (nodes, node) => {
    const { bytes, origin } = nodes.sourceOf(node);
    const [start, end] = [origin + nodes.startOf(node), origin + nodes.endOf(node)];
    return values.enterCaptured(copy, bytes, start, end) || values.enter(plainText(nodes, node));
  };
}

/** Returns what enters the same text every time. */
function constantText(values: PrefixedValues, text: string): EnterText {
  let index = -1;
  let generation = -1;
  return () => {
    if (index >= 0 && generation === values.generation) values.enterAgain(index);
    else {
      values.enter(text);
      index = values.entered;
      generation = values.generation;
    }
    return true;
  };
}

/** Returns what enters the texts of numbers. */
function namedText(
  values: PrefixedValues,
  opcode: Opcode,
  textOf: (nodes: FieldTree, node: number) => string,
): EnterText {
  // Several 64-bit numbers can become the same double.
  if (!isNumber(opcode) || has64Bits(opcode)) return (nodes, node) => values.enter(textOf(nodes, node));
  const known = new Map<number, number>();
  let generation = -1;
  return (nodes, node) => {
    const { view, origin } = nodes.sourceOf(node);
    const number = readNumber(opcode, view, origin + nodes.startOf(node));
    const index = generation === values.generation ? known.get(number) : undefined;
    if (index !== undefined) {
      values.enterAgain(index);
      return true;
    }
    values.enter(textOf(nodes, node));
    if (generation !== values.generation) known.clear();
    generation = values.generation;
    if (values.entered >= 0 && known.size < MOST_KEPT) known.set(number, values.entered);
    return true;
  };
}

/** The value of a leaf as a text. */
function plainText(nodes: FieldTree, node: number): string {
  const value = nodes.value(node);
  return value instanceof Uint8Array ? hex(value) : String(value);
}
