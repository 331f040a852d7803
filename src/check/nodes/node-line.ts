import { isArray, isObject, type Json } from "../../common/json.js";
import {
  EXPECTED_NODE_SCHEMA,
  type JsonObject,
  type Line,
  LineError,
  lineOf,
  NODE_SCHEMAS,
  objectIn,
  stringIn,
} from "../line.js";

/** What can be compared of a node of the vault, as a line of JSON gives it. */
export interface NodeLine {
  readonly id: string;
  /** What fields that refer to nodes refer to; empty if no field does. */
  readonly idKind: string;
  /** Empty if it was never shown. */
  readonly type: string;
  readonly title: string;
  readonly seen: boolean;
  readonly deleted: boolean;
  /** True if the server has another version than the one that was seen last. */
  readonly stale: boolean;
  /** True if a client wants to change it, and the server has not agreed to that yet. */
  readonly asked: boolean;
  readonly fields: Readonly<Record<string, Json>>;
  /** The kinds of things that a number or UUID in its fields may stand for, by the name of the field. */
  readonly refersTo: Readonly<Record<string, readonly string[]>>;
  /** Ids of the nodes that belong to it. */
  readonly children: readonly string[];
}

/**
 * Reads a line of an expectation.
 *
 * @throws LineError if it is neither the line of a message nor that of a node
 */
export function parseExpected(text: string): Line | NodeLine {
  const line = objectIn(text);
  const { schema } = line;
  return NODE_SCHEMAS.some((known) => known === schema) ? nodeOf(line) : lineOf(line);
}

/** Reads the line of a node. @throws LineError if it is none */
export function parseNode(text: string): NodeLine {
  return nodeOf(objectIn(text));
}

/** True for the line of a node, false for that of a message. */
export function isNode(line: Line | NodeLine): line is NodeLine {
  return "children" in line;
}

function nodeOf(line: JsonObject): NodeLine {
  const { idKind, type, title, stale, asked, fields, refersTo } = line;
  return {
    ...(line["schema"] === EXPECTED_NODE_SCHEMA ? expectedOf(line) : printedOf(line)),
    idKind: idKind == null ? "" : stringIn("idKind", idKind),
    type: type == null ? "" : stringIn("type", type),
    title: title == null ? "" : stringIn("title", title),
    stale: isSince("stale", stale),
    asked: isSince("asked", asked),
    fields: membersOf("fields", fields),
    refersTo: Object.fromEntries(
      Object.entries(membersOf("refersTo", refersTo ?? {})).map(([name, kinds]) => [
        name,
        listIn(`refersTo.${name}`, kinds).map((kind) => stringIn(`refersTo.${name}`, kind)),
      ]),
    ),
  };
}

type Standing = Pick<NodeLine, "id" | "seen" | "deleted" | "children">;

/** As `check --vault --update` writes it. */
function expectedOf({ id, seen, deleted, children }: JsonObject): Standing {
  return {
    id: stringIn("id", id),
    seen: isTrue("seen", seen),
    deleted: isTrue("deleted", deleted),
    children: listIn("children", children).map((child) => stringIn("children", child)),
  };
}

/** As `vault --json` prints it: with the numbers of messages. */
function printedOf({ nodeId, seen, deleted, children }: JsonObject): Standing {
  return {
    id: idIn("nodeId", nodeId),
    seen: listIn("seen", seen).length > 0,
    deleted: deleted != null,
    children: listIn("children", children).map((child) => idIn("children", child)),
  };
}

function idIn(name: string, value: Json | undefined): string {
  return typeof value === "number" ? String(value) : stringIn(name, value);
}

function isTrue(name: string, value: Json | undefined): boolean {
  if (typeof value !== "boolean") throw new LineError(`"${name}" must be true or false`);
  return value;
}

/** True for what is so since a moment. */
function isSince(name: string, value: Json | undefined): boolean {
  return isObject(value ?? null) || (value !== null && isTrue(name, value));
}

function membersOf(name: string, value: Json | undefined): { readonly [name: string]: Json } {
  if (value === undefined || !isObject(value)) throw new LineError(`"${name}" must be an object`);
  return value;
}

function listIn(name: string, value: Json | undefined): readonly Json[] {
  if (value === undefined || !isArray(value)) throw new LineError(`"${name}" must be an array`);
  return value;
}
