import type { Message } from "../dissect/message.js";
import {
  type FieldPath,
  FilterError,
  fieldPath,
  type MessageField,
  messageFields,
  parsePath,
  type Scalar,
  type Vocabulary,
} from "../filter/index.js";
import type { Nodes } from "../schema/nodes.js";
import { isArray } from "../schema/opcode.js";
import { fieldJson } from "./field-json.js";
import { summaryText } from "./summary-text.js";
import { absoluteTime } from "./time.js";

/** A column: gives all values of one field in a message, in the order of the wire. */
export type Column = (message: Message) => readonly string[];

/**
 * The column of a field, named as in a display filter; or `summary`, as JSON has it.
 *
 * @throws FilterError if there is no such field
 */
export function columnOf(path: string, vocabulary: Vocabulary): Column {
  const parsed = parsePath(path);
  const name = parsed.names.join(".");
  if (name === "summary" && !parsed.isField) return (message) => [summaryText(message)];
  const field = parsed.isField ? undefined : messageFields.get(name);
  if (field !== undefined) return messageColumn(field);
  if (vocabulary.protocols.has(name)) {
    throw new FilterError(`${name} is a protocol: the column protocol tells which one it is`, path, parsed);
  }
  return treeColumn(fieldPath(parsed, vocabulary, path));
}

function messageColumn(field: MessageField): Column {
  return (message) => {
    const values: string[] = [];
    field.some(message, (value) => {
      values.push(field.kind === "time" ? absoluteTime(message.origin) : String(value));
      // Of an endpoint, what follows is only the same in parts.
      return field.kind === "endpoint";
    });
    return values;
  };
}

function treeColumn(path: FieldPath): Column {
  return ({ nodes }) => {
    const values: string[] = [];
    if (nodes === undefined) return values;
    // Made when there is something to be seen twice.
    let seen: Set<number> | undefined;
    path.some(nodes, {
      node(nodes, node) {
        if (seen?.has(node) !== true) collect(nodes, node, values);
        seen ??= new Set();
        seen.add(node);
        return false;
      },
      scalar: (scalar) => collectScalar(scalar, values),
    });
    return values;
  };
}

/** Adds the value of a node, or of each element of an array. */
function collect(nodes: Nodes, node: number, values: string[]): void {
  if (!isArray(nodes.field(node).opcode)) {
    values.push(plainText(fieldJson(nodes, node)));
    return;
  }
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) collect(nodes, child, values);
}

/** Adds a value, or each element of an array. Never true, so that the search goes on. */
function collectScalar(scalar: Scalar, values: string[]): false {
  if (Array.isArray(scalar)) for (const element of scalar) collectScalar(element, values);
  else values.push(typeof scalar === "string" ? scalar : JSON.stringify(scalar));
  return false;
}

/** A value as JSON has it, without the quotes of a text; flags with `|` between them. */
function plainText(json: string): string {
  if (json.startsWith('"')) return json.includes("\\") ? String(JSON.parse(json)) : json.slice(1, -1);
  if (!json.startsWith("[")) return json;
  const flags: unknown = JSON.parse(json);
  return Array.isArray(flags) ? flags.join("|") : json;
}
