import {
  type Derived,
  type FieldTree,
  hex,
  type Json,
  type Sensitive,
  type SensitiveKind,
  withTwin,
} from "moul-dissect/schema";
import { NodeTypes } from "./NodeTypes.js";
import { type NodeField, type NodeKind, nodeKinds } from "./nodeKinds.js";

interface Entry {
  readonly name: string;
  readonly field: NodeField;
  readonly names: ReadonlyMap<number, string>;
}

interface KindTable {
  readonly kind: NodeKind;
  /** By the name of the generic field. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The fields that a node's title shows. */
  readonly title: readonly Entry[];
}

function tableOf(kind: NodeKind): KindTable {
  const entries = Object.entries(kind.fields).map(([name, field]): Entry => {
    return { name, field, names: new Map(Object.entries(field.names ?? {}).map(([own, value]) => [value, own])) };
  });
  const title = kind.title.flatMap((part) => entries.filter(({ name }) => name === part));
  return { kind, entries: new Map(entries.map((entry) => [entry.field.in, entry])), title };
}

const tables: ReadonlyMap<number, KindTable> = new Map(nodeKinds.map((kind) => [kind.type, tableOf(kind)]));

/** What a generic field is, by type of node. */
function entriesIn(field: string): [type: number, entry: Entry][] {
  return [...tables].flatMap(([type, { entries }]): [number, Entry][] => {
    const entry = entries.get(field);
    return entry === undefined ? [] : [[type, entry]];
  });
}

/** The names for the numbers of a generic field, by type of node. */
export function namesIn(field: string): [type: number, names: ReadonlyMap<number, string>][] {
  return entriesIn(field).flatMap(([type, { names }]) => (names.size === 0 ? [] : [[type, names]]));
}

/** What the numbers or UUIDs of a generic field refer to, by type of node. */
export function referencesIn(field: string): [type: number, to: readonly string[]][] {
  return entriesIn(field).flatMap(([type, entry]) => {
    const { refersTo } = entry.field;
    return refersTo === undefined ? [] : [[type, refersTo]];
  });
}

/** What is private in a generic field, by type of node; `otherwise` where the type does not say, or is missing. */
export function sensitiveIn(field: string, otherwise: SensitiveKind): Sensitive {
  const kinds = entriesIn(field).map(([type, entry]) => [type, entry.field.sensitive] as const);
  return { by: "nodeType", kinds: new Map(kinds), otherwise };
}

/** The table for the node at `node`; undefined if the node does not give its type. */
function tableFor(nodes: FieldTree, node: number): KindTable | undefined {
  const type = nodes.numberIn(node, "nodeType");
  return type === undefined ? undefined : tables.get(type);
}

/** Whether numbers are shown as they are, by their names, or as text where there may be a name. */
type Shown = "value" | "meaning" | "text";

/** The fields that are present, under the names that they have for the node's type. */
function fieldsOf({ entries }: KindTable, nodes: FieldTree, node: number, shown: Shown): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
    const entry = entries.get(nodes.field(child).name);
    // Bytes that are dissected in their place need not be repeated.
    if (entry !== undefined && !nodes.hasChildren(child)) fields[entry.name] = jsonOf(entry, nodes, child, shown);
  }
  return fields;
}

function jsonOf({ field, names }: Entry, nodes: FieldTree, node: number, shown: Shown): Json {
  const value = nodes.value(node);
  if (value instanceof Uint8Array) return field.read?.(value) ?? hex(value);
  if (typeof value === "number") {
    if (shown === "value" || names.size === 0) return value;
    return names.get(value) ?? (shown === "text" ? String(value) : value);
  }
  return typeof value === "bigint" ? String(value) : value;
}

function named(nodes: FieldTree, node: number, shown: Shown): Json | undefined {
  const table = tableFor(nodes, node);
  if (table === undefined) return undefined;
  const fields = fieldsOf(table, nodes, node, shown);
  const all =
    table.kind.adds === undefined ? fields : { ...fields, ...table.kind.adds(fieldsOf(table, nodes, node, "value")) };
  return Object.keys(all).length === 0 ? undefined : all;
}

/**
 * The fields that a node at `node` has, under the names that they have for nodes of a type, which a change does not
 * repeat; those without such a name under their own.
 *
 * @param other makes a value of a field that the type does not name
 */
export function fieldsByName(
  type: number | undefined,
  nodes: FieldTree,
  node: number,
  other: (child: number) => Json,
): Record<string, Json> {
  const entries = type === undefined ? undefined : tables.get(type)?.entries;
  const fields: Record<string, Json> = {};
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
    const { name } = nodes.field(child);
    const entry = nodes.hasChildren(child) ? undefined : entries?.get(name);
    fields[entry?.name ?? name] = entry === undefined ? other(child) : jsonOf(entry, nodes, child, "meaning");
  }
  return fields;
}

/** What the numbers and UUIDs in the fields of a type of nodes refer to, by the names of these fields for the type. */
export function referencesByName(type: number | undefined): Record<string, readonly string[]> {
  const entries = type === undefined ? [] : (tables.get(type)?.entries.values() ?? []);
  return Object.fromEntries(
    Array.from(entries, ({ name, field }) => [name, field.refersTo ?? []] as const).filter(([, to]) => to.length > 0),
  );
}

/** The fields of a node under the names that they have for its type. */
export const namedFields: Derived = {
  name: "named",
  doc: "The node's fields under the names that they have for its type. Bytes that are dissected are left out.",
  schema: { type: "object" },
  of: (nodes, node) => named(nodes, node, "value"),
  meaning: (nodes, node) => named(nodes, node, "meaning"),
  uniform: (nodes, node) => named(nodes, node, "text"),
};

/**
 * What people may call a node: its type, and what distinguishes it from others of that type. A player is called by name
 * everywhere, so a player's node has no title. Nor has one without any of these fields: a change says only what is new.
 */
export function titleOf(nodes: FieldTree, node: number): string | undefined {
  const table = tableFor(nodes, node);
  if (table === undefined) return undefined;
  let text = table.kind.name;
  let hasParts = false;
  for (const entry of table.title) {
    const child = nodes.child(node, entry.field.in);
    if (child < 0) continue;
    hasParts = true;
    const part = titlePart(entry, nodes, child);
    if (part !== "") text += ` ${part}`;
  }
  return hasParts ? text : undefined;
}

/** What people may call a node of which no more than the type is known; undefined for a player's node. */
export function typeTitleOf(nodes: FieldTree, node: number): string | undefined {
  const kind = tableFor(nodes, node)?.kind;
  return kind?.type === NodeTypes.kNodeType_VNodeMgrPlayer ? undefined : kind?.name;
}

/**
 * A field as a part of a title: the name of its number, or of what it refers to, else its text; empty if there is none.
 */
function titlePart({ field, names }: Entry, nodes: FieldTree, node: number): string {
  const value = nodes.value(node);
  const referent = field.refersTo?.[0];
  if (referent !== undefined) return nodes.names?.get(referent, String(value)) ?? "";
  return typeof value === "number" ? (names.get(value) ?? "") : String(value);
}

/** What the titles know of each type of node, for Wireshark's plugin. */
export function knownTitles() {
  const kinds = Array.from(tables, ([type, { kind, title }]) => {
    const isPlayer = type === NodeTypes.kNodeType_VNodeMgrPlayer;
    return [String(type), { name: kind.name, isPlayer, title: title.map(knownPart) }] as const;
  });
  return Object.fromEntries(kinds);
}

function knownPart({ field, names }: Entry) {
  const [refersTo] = field.refersTo ?? [];
  return { from: field.in, names: Object.fromEntries(names), ...(refersTo !== undefined && { refersTo }) };
}

withTwin(titleOf, "vaultTitle", knownTitles);
withTwin(typeTitleOf, "vaultType", knownTitles);
