import type { Message } from "../../src/dissect/message.js";
import { JsonWriter } from "../../src/output/json-writer.js";
import { colorless } from "../../src/output/palette.js";
import { TextTree, type TreeStyle } from "../../src/output/text-tree.js";
import { TimeColumn } from "../../src/output/time-column.js";
import { writeTree } from "../../src/output/tree-json.js";
import type { FieldTree } from "../../src/schema/field-tree.js";

/** Messages as text. */

const PLAIN: TreeStyle = { colors: colorless, times: new TimeColumn("absolute"), hex: false };

/** One message as an annotated field tree. */
export function textTree(message: Message, style: TreeStyle = PLAIN): string {
  return Buffer.from(new TextTree(style).message(message)).toString();
}

/** The members `tree` and `sources` of a message in JSON. */
export function treeJson(nodes: FieldTree): string {
  const writer = new JsonWriter();
  writeTree(writer, nodes);
  return writer.toString();
}
