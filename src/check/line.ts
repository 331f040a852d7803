import { isArray, isObject, type Json } from "../common/json.js";
import { type ShownDirection, type Status, shownDirections, statuses } from "../dissect/message.js";

/** What can be compared of a message, as a line of JSON gives it. */
export interface Line {
  readonly stream: number;
  readonly direction: ShownDirection;
  readonly protocol: string;
  readonly message: string;
  readonly status: Status;
  readonly fields: Json;
  readonly notes: readonly Note[];
}

/** What can be compared of a note, and its text, which an expectation need not have. */
interface Note {
  readonly severity: string;
  readonly path: string;
  readonly text?: string;
}

/** Schema of the lines that `check --update` writes; those that `--json` prints are understood too. */
export const EXPECTATION_SCHEMA = "moul-dissect.expectation/1";
const SCHEMAS = ["moul-dissect.message/1", "moul-dissect.message/2", EXPECTATION_SCHEMA];
/** Schema of the lines that `check --vault --update` writes; those of `vault --json` are understood too. */
export const EXPECTED_NODE_SCHEMA = "moul-dissect.expected-node/1";
const VAULT_NODE_SCHEMA = "moul-dissect.vault-node/1";
/** Schemas of lines that are about a node of the vault. */
export const NODE_SCHEMAS: readonly string[] = [VAULT_NODE_SCHEMA, EXPECTED_NODE_SCHEMA];

/** What is wrong with a line of an expectation, as a sentence. */
export class LineError extends Error {}

/**
 * Reads a line of JSON.
 *
 * @throws LineError if it is not the line of a message
 */
export function parseLine(text: string): Line {
  return lineOf(objectIn(text));
}

/** The line of a message that an object is. @throws LineError if it is none */
export function lineOf(line: JsonObject): Line {
  const { schema, stream, direction, protocol, message, status, fields, notes, misfits } = line;
  if (typeof schema !== "string" || !SCHEMAS.includes(schema)) {
    const found = schema === undefined ? "it is missing" : `it is ${JSON.stringify(schema).slice(0, 60)}`;
    throw new LineError(`"schema" must be one of ${[...SCHEMAS, ...NODE_SCHEMAS].join(", ")}, but ${found}`);
  }
  if (fields === undefined) throw new LineError('"fields" are missing; the lines of --json have them');
  const sent = shownDirections.find((name) => name === direction);
  if (sent === undefined) throw new LineError(`"direction" must be one of ${shownDirections.join(", ")}`);
  const outcome = statuses.find((name) => name === status);
  if (outcome === undefined) throw new LineError(`"status" must be one of ${statuses.join(", ")}`);
  if (typeof stream !== "number") throw new LineError('"stream" must be a number');
  return {
    stream,
    direction: sent,
    protocol: stringIn("protocol", protocol),
    message: stringIn("message", message),
    status: outcome,
    fields: misfits === undefined ? fields : withMisfits(fields, misfits),
    notes: notesIn(notes),
  };
}

export type JsonObject = { readonly [name: string]: Json | undefined };

/** @throws LineError if it is not the text of an object */
export function objectIn(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Printed over several lines.
    const isBegun = /^\s*[[{]\s*$/.test(text);
    const reason = error instanceof Error ? error.message : String(error);
    const why = isBegun ? "each message has to be on a line of its own, as jq -c writes it" : reason;
    throw new LineError(`this is not JSON: ${why}`);
  }
  if (!isObject(value)) throw new LineError("this is not a JSON object");
  return value;
}

/** @throws LineError if a member is not a text */
export function stringIn(name: string, value: Json | undefined): string {
  if (typeof value !== "string") throw new LineError(`"${name}" must be a string`);
  return value;
}

/** Puts values that do not have the JSON type of their fields back to where they belong. */
function withMisfits(fields: Json, misfits: Json): Json {
  if (!isArray(misfits)) throw new LineError('"misfits" must be an array');
  let whole = fields;
  for (const misfit of misfits) {
    const { path, value } = isObject(misfit) ? misfit : {};
    const names = stringIn("misfits.path", path)
      .split(/[.[\]]+/)
      .filter((name) => name !== "");
    whole = replaced(whole, names, stringIn("misfits.value", value));
  }
  return whole;
}

function replaced(within: Json, [name, ...names]: readonly string[], value: string): Json {
  // A struct of which not everything is there.
  if (name === undefined) return value.startsWith("{") ? JSON.parse(value) : value;
  if (isArray(within)) {
    return within.map((element, index) => (index === Number(name) ? replaced(element, names, value) : element));
  }
  if (!isObject(within)) return within;
  const { [name]: member = null } = within;
  return { ...within, [name]: replaced(member, names, value) };
}

function notesIn(notes: Json | undefined): Line["notes"] {
  if (!isArray(notes)) throw new LineError('"notes" must be an array');
  return notes.map((note) => {
    if (!isObject(note)) throw new LineError('"notes" have to be objects');
    const { severity, path, text } = note;
    return {
      severity: stringIn("notes.severity", severity),
      path: stringIn("notes.path", path),
      ...(typeof text === "string" && { text }),
    };
  });
}
