import { type FieldTree, factText, hex, type Json, singleNumber } from "moul-dissect/schema";
import { SimpleVariableFlags } from "./variable-flags.js";

/** The variables that a record has, by name: those of nested records too, each as an object. */
export function recordValues(nodes: FieldTree, record: number): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const list of ["simpleVariables", "nestedVariables"]) {
    const parent = nodes.child(record, list);
    const end = parent < 0 ? 0 : nodes.nextOf(parent);
    for (let variable = parent + 1; variable < end; variable = nodes.nextOf(variable)) {
      const { struct } = nodes.field(variable);
      const name = struct?.derived.find(isName)?.of(nodes, variable);
      if (typeof name !== "string") continue;
      values[name] = list === "simpleVariables" ? simpleValue(nodes, variable, name) : nestedValue(nodes, variable);
    }
  }
  return values;
}

function isName({ name }: { readonly name: string }): boolean {
  return name === "name";
}

/** One value, or a list of them where the variable is an array; for a default one, what it is as text. */
function simpleValue(nodes: FieldTree, variable: number, name: string): Json {
  if (((nodes.numberIn(variable, "flags") ?? 0) & SimpleVariableFlags.kSameAsDefault) !== 0) {
    const fact = nodes.field(variable).struct?.fact?.(nodes, variable) ?? "";
    return factText(fact).slice(name.length).replace(/^=/, "").trim();
  }
  const list = nodes.child(variable, "values");
  const isOne = list >= 0 && nodes.hasChildren(list) && nodes.nextOf(list + 1) === nodes.nextOf(list);
  if (isOne && isSingle(nodes, variable, 1)) return elementValue(nodes, list + 1);
  return childrenOf(nodes, list).map((node) => elementValue(nodes, node));
}

function nestedValue(nodes: FieldTree, variable: number): Json {
  const elements = childrenOf(nodes, nodes.child(variable, "elements"));
  const records = elements.map((element): Json => {
    const record = nodes.child(element, "record");
    const index = nodes.numberIn(element, "index");
    const values = record < 0 ? {} : recordValues(nodes, record);
    return index === undefined ? values : { index, ...values };
  });
  const [only = null] = records;
  return isSingle(nodes, variable, records.length) ? only : records;
}

/** An array of one element is a plain variable, unless each record says how many it has. */
function isSingle(nodes: FieldTree, variable: number, count: number): boolean {
  return count === 1 && nodes.child(variable, "arrayLength") < 0;
}

function elementValue(nodes: FieldTree, node: number): Json {
  const { struct, kind } = nodes.field(node);
  if (struct !== undefined) {
    const name = nodes.child(node, "objectName");
    return struct.shownAs?.(nodes, node) ?? (name < 0 ? struct.name : String(nodes.value(name)));
  }
  if (kind === "array") return childrenOf(nodes, node).map((child) => elementValue(nodes, child));
  const value = nodes.value(node);
  if (value instanceof Uint8Array) return hex(value);
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && kind === "f32le" ? singleNumber(value) : value;
}

function childrenOf(nodes: FieldTree, node: number): number[] {
  const children: number[] = [];
  if (node < 0) return children;
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) children.push(child);
  return children;
}
