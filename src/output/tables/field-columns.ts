import type { Message } from "../../dissect/message.js";
import {
  type FieldPath,
  FilterError,
  type MessageField,
  messageFields,
  NamedNumber,
  parsePath,
  resolvePath,
  type Scalar,
  SUMMARY,
  type Vocabulary,
} from "../../filter/index.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { isArray, isSmallWhole } from "../../schema/language/opcode.js";
import { asciiCopiers } from "../../schema/tree/copy-text.js";
import { valueJson } from "../json/field-json.js";
import { summaryText } from "../text/summary-text.js";
import type { CellWriter } from "../writers/cell-writer.js";
import { absoluteTime } from "../writers/time.js";

/** A column: writes all values of one field in a message, in wire order. */
export type Column = (message: Message, writer: CellWriter) => void;

/**
 * The column of a field, named as in a display filter; or `summary`, as JSON has it.
 *
 * @throws FilterError if there is no such field
 */
export function columnOf(path: string, vocabulary: Vocabulary): Column {
  const comma = path.indexOf(",");
  if (comma >= 0) {
    const each = path.split(",").map((one) => `-e ${one.trim()}`);
    throw new FilterError(`a column is one field: ${each.join(" ")}`, path, { start: comma, length: 1 });
  }
  const parsed = parsePath(path);
  const name = parsed.names.join(".");
  if (name === SUMMARY && !parsed.isField) return (message, writer) => writer.value(summaryText(message));
  const field = parsed.isField ? undefined : messageFields.get(name);
  if (field !== undefined) return messageColumn(field);
  if (vocabulary.isProtocol(name)) {
    throw new FilterError(`${name} is a protocol: the column protocol shows which one it is`, path, parsed);
  }
  return treeColumn(resolvePath(parsed, vocabulary, path));
}

function messageColumn(field: MessageField): Column {
  return (message, writer) => {
    field.some(message, (value) => {
      if (field.kind === "time") writer.value(absoluteTime(message.origin));
      else if (Number.isSafeInteger(value)) writer.integer(Number(value));
      else writer.value(String(value));
      return field.isOneThing === true;
    });
  };
}

function treeColumn(path: FieldPath): Column {
  return ({ nodes }, writer) => {
    if (nodes === undefined) return;
    // Created only once there is a second node, which may repeat the first.
    let seen: Set<number> | undefined;
    let first = -1;
    path.some(nodes, {
      node(nodes, node) {
        // What stands for one of its fields has no value without that field.
        if (nodes.field(node).struct?.valueField !== undefined) return false;
        if (first < 0) first = node;
        else seen ??= new Set([first]);
        if (seen?.has(node) !== true) writeNode(writer, nodes, node);
        seen?.add(node);
        return false;
      },
      scalar: (scalar) => writeScalar(writer, scalar),
    });
  };
}

/** Writes the value of a node, or of each element of an array. */
function writeNode(writer: CellWriter, nodes: FieldTree, node: number): void {
  const field = nodes.field(node);
  const { opcode, meaning } = field;
  if (isArray(opcode)) {
    for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) writeNode(writer, nodes, child);
    return;
  }
  const isPlain = meaning === undefined || meaning.form === "reference" || meaning.form === "remark";
  if (isPlain && isSmallWhole(opcode)) {
    writer.integer(nodes.number(node));
    return;
  }
  const copyAscii = isPlain ? asciiCopiers.of(field).copyAscii : undefined;
  if (copyAscii !== undefined) {
    const { bytes, origin } = nodes.sourceOf(node);
    const [start, end] = [origin + nodes.startOf(node), origin + nodes.endOf(node)];
    if (writer.copiedValue(copyAscii, bytes, start, end)) return;
  }
  writer.value(plainText(valueJson(nodes, node)));
}

/** Writes a value, or each element of an array. Returns false, so that the search continues. */
function writeScalar(writer: CellWriter, scalar: Scalar): false {
  if (Array.isArray(scalar)) for (const element of scalar) writeScalar(writer, element);
  else if (scalar instanceof NamedNumber) writer.value(scalar.name);
  else writer.value(typeof scalar === "string" ? scalar : JSON.stringify(scalar));
  return false;
}

/** A value as in JSON, but without the quotes of a text; flags are joined with `|`. */
function plainText(json: string): string {
  if (json.startsWith('"')) return json.includes("\\") ? String(JSON.parse(json)) : json.slice(1, -1);
  if (!json.startsWith("[")) return json;
  const flags: unknown = JSON.parse(json);
  return Array.isArray(flags) ? flags.join("|") : json;
}
