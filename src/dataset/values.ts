import { fieldJson } from "../output/json/field-json.js";
import { uniformly } from "../output/json/json-names.js";
import { type Column, type ColumnType, rawName } from "../schema/columns/column-type.js";
import { type Field, UNDISSECTED_NAME } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { flagNames } from "../schema/language/meaning.js";
import { isArray, Opcode } from "../schema/language/opcode.js";
import { classOf, flagBits, isNull } from "../schema/tree/label.js";
import { hex } from "../schema/tree/leaf.js";
import type { Row, Value } from "./table.js";

/** Takes the values of structs out of field trees, as the columns of a table or of a struct in one want them. */
export class StructValues {
  /** By the fields of a tree, of which there may be several for one column. */
  readonly #members = new Map<Field, Members>();

  /**
   * @param columns where the values go
   * @param renamed the names of columns for fields that do not have their own name
   */
  constructor(
    readonly columns: readonly Column[],
    readonly renamed: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** Adds the values of a struct to a row; false if not all of them fit the columns. */
  fill(row: Row, nodes: FieldTree, node: number): boolean {
    let fits = true;
    const end = nodes.nextOf(node);
    const tag = nodes.field(node).family?.tagField;
    for (let child = node + 1; child < end; child = nodes.nextOf(child)) {
      const field = nodes.field(child);
      // The name of the table says the same.
      if (field === tag) continue;
      let members = this.#members.get(field);
      if (members === undefined) {
        members = this.#membersOf(field);
        this.#members.set(field, members);
      }
      const { value, raw } = members;
      if (value === undefined) {
        if (!isEmpty(field)) fits = false;
        continue;
      }
      const taken = value.take(nodes, child);
      if (taken === undefined) fits = false;
      else row[value.name] = taken;
      if (raw !== undefined) row[raw.name] = raw.take(nodes, child);
    }
    for (const derived of nodes.field(node).struct?.derived ?? []) {
      const own = this.#column(derived.name);
      if (own === undefined) continue;
      const json = uniformly(derived)(nodes, node);
      if (json !== undefined) row[own.name] = fromJson(own.type, json);
    }
    return fits;
  }

  #column(name: string): Column | undefined {
    const wanted = (this.renamed.get(name) ?? name).toLowerCase();
    return this.columns.find((one) => one.name.toLowerCase() === wanted);
  }

  #membersOf(field: Field): Members {
    if (field.name === UNDISSECTED_NAME) return {};
    const column = this.#column(field.jsonName);
    const raw = this.#column(rawName(field.jsonName));
    const isNamed = hasNames(field);
    return {
      value: column && { name: column.name, take: taker(column.type) },
      raw: raw && isNamed ? { name: raw.name, take: rawTaker(raw.type) } : undefined,
    };
  }
}

/** Returns the value of a node; undefined if it does not fit. */
type Take = (nodes: FieldTree, node: number) => Value;

interface Member {
  readonly name: string;
  readonly take: Take;
}

/** Where the value of a field goes, and the number behind it. */
interface Members {
  readonly value?: Member | undefined;
  readonly raw?: Member | undefined;
}

/** True for a field without a value: a struct of no fields. */
function isEmpty({ struct }: Field): boolean {
  return struct !== undefined && struct.fields.length === 0;
}

function hasNames(field: Field): boolean {
  const { meaning, inner } = field;
  if (inner !== undefined) return hasNames(inner);
  return meaning?.form === "enumeration" || meaning?.form === "flags" || meaning?.form === "text";
}

function taker(type: ColumnType): Take {
  switch (type.kind) {
    case "json":
      return (nodes, node) => {
        const json = fieldJson(nodes, node);
        return json === "null" ? null : json;
      };
    case "struct": {
      const values = new StructValues(type.columns);
      return (nodes, node) => {
        if (nodes.field(node).opcode !== Opcode.Struct) return undefined;
        const row: Row = {};
        return values.fill(row, nodes, node) ? row : undefined;
      };
    }
    case "list":
      return listTaker(taker(type.element));
    default: {
      const { kind } = type;
      return (nodes, node) => scalar(kind, nodes, node, false);
    }
  }
}

/** The numbers behind names. */
function rawTaker(type: ColumnType): Take {
  if (type.kind === "list") return listTaker(rawTaker(type.element));
  if (type.kind === "struct") return () => undefined;
  const { kind } = type;
  return (nodes, node) => scalar(kind, nodes, node, true);
}

function listTaker(element: Take): Take {
  return (nodes, node) => {
    const { opcode, meaning } = nodes.field(node);
    if (!isArray(opcode)) {
      return meaning?.form === "flags" ? flagNames(meaning.names, flagBits(nodes, node)) : undefined;
    }
    const list: Value[] = [];
    const end = nodes.nextOf(node);
    for (let child = node + 1; child < end; child = nodes.nextOf(child)) {
      const value = nodes.field(child).name === UNDISSECTED_NAME ? undefined : element(nodes, child);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  };
}

function scalar(kind: ColumnType["kind"], nodes: FieldTree, node: number, isRaw: boolean): Value {
  const field = nodes.field(node);
  switch (field.opcode) {
    case Opcode.Struct:
      return kind === "text" ? field.struct?.shownAs?.(nodes, node) : undefined;
    case Opcode.Polymorphic: {
      if (kind !== "text") return undefined;
      if (isNull(nodes, node)) return null;
      return field.struct === undefined ? undefined : classOf(nodes, node);
    }
    case Opcode.Array:
    case Opcode.Tuple:
      return undefined;
    default:
  }
  if (kind === "text") return isRaw ? String(nodes.value(node)) : textOf(nodes, node, field);
  const value = nodes.value(node);
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? value : typeof value === "number" ? value !== 0 : undefined;
    case "bytes":
      return value instanceof Uint8Array ? value.slice() : undefined;
    case "float":
    case "double":
      return typeof value === "number" ? value : undefined;
    case "int32": {
      const number = Number(value);
      return Number.isInteger(number) && number === (number | 0) ? number : undefined;
    }
    default:
      if (typeof value === "bigint") return value;
      return Number.isInteger(value) || typeof value === "boolean" ? BigInt(Number(value)) : undefined;
  }
}

function textOf(nodes: FieldTree, node: number, { meaning }: Field): Value {
  const value = nodes.value(node);
  if (value instanceof Uint8Array) return hex(value);
  switch (meaning?.form) {
    case "enumeration":
      return meaning.names.get(nodes.number(node)) ?? String(value);
    case "text":
      return meaning.describe(nodes.number(node));
    default:
      return String(value);
  }
}

/** A derived value, as JSON has it. */
function fromJson(type: ColumnType, json: unknown): Value {
  if (json === null) return null;
  switch (type.kind) {
    case "json":
      return JSON.stringify(json);
    case "list":
      return Array.isArray(json) ? json.map((element) => fromJson(type.element, element)) : undefined;
    case "int64":
    case "uint64":
      return Number.isInteger(json) ? BigInt(Number(json)) : undefined;
    case "text":
      return typeof json === "string" ? json : JSON.stringify(json);
    default:
      return typeof json === "number" || typeof json === "boolean" || typeof json === "string" ? json : undefined;
  }
}
