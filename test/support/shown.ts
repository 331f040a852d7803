import type { Message } from "../../src/dissect/message.js";
import { JsonWriter } from "../../src/output/json/json-writer.js";
import { writeTree } from "../../src/output/json/tree-json.js";
import { colorless } from "../../src/output/text/palette.js";
import { TextTree, type TreeStyle } from "../../src/output/text/text-tree.js";
import { TimeColumn } from "../../src/output/text/time-column.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";

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
