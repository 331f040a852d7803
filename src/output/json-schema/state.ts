import {
  CHAT_SCHEMA,
  OBJECT_SCHEMA,
  SESSION_SCHEMA,
  VARIABLES_SCHEMA,
  VAULT_NODE_SCHEMA,
} from "../writers/schema-names.js";
import {
  AMOUNT,
  anyOf,
  COUNT,
  ENDPOINT,
  type JsonSchema,
  list,
  object,
  orNull,
  POSITIVE,
  TEXT,
  TIME,
} from "./terms.js";

const AT = { number: POSITIVE, time: TIME, stream: COUNT };
const PARTY = object({ kind: TEXT, id: TEXT, name: orNull(TEXT) });
/** A number, unless it is none in the protocol. */
const ID = anyOf([COUNT, TEXT]);
const BOOLEAN = { type: "boolean" };
const SIDE = orNull({ enum: ["client", "server"] });

/** Something that was said: a line of `chat`. */
export function chatSchema(): JsonSchema {
  const said = { from: PARTY, to: list(PARTY), channel: TEXT, text: TEXT, relayed: BOOLEAN };
  return object({ schema: { const: CHAT_SCHEMA }, ...AT, ...said });
}

/** What somebody did: a line of `players`. */
export function sessionSchema(): JsonSchema {
  const step = object({
    ...{ step: TEXT, protocol: TEXT, asked: object(AT), answered: orNull(object(AT)) },
    ...{ outcome: { enum: ["asked", "done", "failed"] }, detail: orNull(TEXT), error: orNull(TEXT) },
    ...{ player: orNull(PARTY), place: orNull(PARTY) },
  });
  const conversation = object({
    ...{ stream: COUNT, protocol: TEXT, client: ENDPOINT, server: ENDPOINT, start: TIME, last: TIME },
    ...{ ended: orNull(TEXT), endedBy: SIDE, steps: list(step) },
  });
  const presence = object({ ...AT, player: PARTY, there: BOOLEAN });
  return object({
    ...{ schema: { const: SESSION_SCHEMA }, player: orNull(PARTY), address: TEXT },
    ...{ conversations: list(conversation), others: list(presence) },
  });
}

/** A node of the vault: a line of `vault`. */
export function vaultNodeSchema(): JsonSchema {
  const change = object({
    ...{ ...AT, change: TEXT, fields: list(object({ name: TEXT, before: {}, after: {} }, ["name", "after"])) },
    ...{ other: orNull(TEXT), error: orNull(TEXT) },
  });
  const known = {
    ...{ schema: { const: VAULT_NODE_SCHEMA }, nodeId: ID, type: orNull(TEXT), fields: { type: "object" } },
    ...{ seen: list(POSITIVE), created: orNull(POSITIVE), changed: list(POSITIVE), deleted: orNull(POSITIVE) },
    ...{ children: list(ID), parents: list(ID), complete: BOOLEAN, title: orNull(TEXT), idKind: orNull(TEXT) },
    ...{ stale: orNull(object(AT)), asked: orNull(object(AT)) },
    refersTo: { type: "object", additionalProperties: list(TEXT) },
  };
  const more = { history: list(change), difference: { enum: ["added", "removed", "changed"] } };
  return object({ ...known, ...more }, Object.keys(known));
}

/** Values of the variables of an object: a line of `sdl`. */
export function variablesSchema(): JsonSchema {
  return object({
    ...{ schema: { const: VARIABLES_SCHEMA }, ...AT, object: TEXT, set: TEXT, version: COUNT },
    ...{ from: orNull(PARTY), relayed: BOOLEAN, persistent: orNull(BOOLEAN) },
    ...{ values: orNull({ type: "object" }), changed: list(TEXT), owner: orNull(PARTY), place: orNull(PARTY) },
  });
}

/** Something that can be taken out of a capture: a line of `objects`. */
export function objectSchema(): JsonSchema {
  return object({
    ...{ schema: { const: OBJECT_SCHEMA }, kind: { enum: ["file", "picture", "voice"] }, name: TEXT },
    ...{ bytes: COUNT, ...AT, seconds: AMOUNT, from: orNull(PARTY) },
    ...{ state: TEXT, file: orNull(TEXT) },
  });
}
