import type { JsonVersion } from "../writers/json-version.js";
import {
  CHAT_SCHEMA,
  DIFFERENCE_SCHEMA,
  FIELD_SCHEMA,
  FINDING_SCHEMA,
  HIT_SCHEMA,
  OBJECT_SCHEMA,
  PART_SCHEMA,
  SESSION_SCHEMA,
  STATS_SCHEMA,
  STREAM_SCHEMA,
  VARIABLES_SCHEMA,
  VAULT_NODE_SCHEMA,
} from "../writers/schema-names.js";
import { differenceSchema } from "./difference.js";
import { fieldSchema } from "./field.js";
import { findingSchema } from "./finding.js";
import { hitSchema } from "./hit.js";
import { type AllDeclarations, expectationSchema, messageSchema, valueSchema } from "./message.js";
import { partSchema } from "./part.js";
import { chatSchema, objectSchema, sessionSchema, variablesSchema, vaultNodeSchema } from "./state.js";
import { statsSchema } from "./stats.js";
import { streamSchema } from "./stream.js";
import { DRAFT, type JsonSchema } from "./terms.js";
import { treeSchema } from "./tree.js";

/**
 * The kinds of lines printed as JSON: messages, values (of `decode`), annotated trees of both, conversations,
 * statistics, findings (of `diagnose`), hits (of `find`), what was said, sessions, nodes of the vault, variables and
 * objects (of `chat`, `players`, `vault`, `sdl` and `objects`), parts (of `split`), fields, differences and expectations (of `check`).
 */
export const schemaKinds = [
  "message",
  "value",
  "tree",
  "stream",
  "stats",
  "finding",
  "hit",
  "chat",
  "session",
  "vault-node",
  "variables",
  "object",
  "part",
  "field",
  "difference",
  "expectation",
] as const;
export type SchemaKind = (typeof schemaKinds)[number];

/** The JSON Schema (draft 2020-12) of a line of output. @param version of the lines of messages */
export function lineSchema(kind: SchemaKind, declared: AllDeclarations, version: JsonVersion): JsonSchema {
  switch (kind) {
    case "message":
      return messageSchema(declared, version);
    case "value":
      return valueSchema(declared, version);
    case "tree":
      return treeSchema(version);
    case "stream":
      return { ...DRAFT, title: STREAM_SCHEMA, ...streamSchema() };
    case "stats":
      return { ...DRAFT, title: STATS_SCHEMA, ...statsSchema() };
    case "finding":
      return { ...DRAFT, title: FINDING_SCHEMA, ...findingSchema() };
    case "hit":
      return { ...DRAFT, title: HIT_SCHEMA, ...hitSchema() };
    case "chat":
      return { ...DRAFT, title: CHAT_SCHEMA, ...chatSchema() };
    case "session":
      return { ...DRAFT, title: SESSION_SCHEMA, ...sessionSchema() };
    case "vault-node":
      return { ...DRAFT, title: VAULT_NODE_SCHEMA, ...vaultNodeSchema() };
    case "variables":
      return { ...DRAFT, title: VARIABLES_SCHEMA, ...variablesSchema() };
    case "object":
      return { ...DRAFT, title: OBJECT_SCHEMA, ...objectSchema() };
    case "part":
      return { ...DRAFT, title: PART_SCHEMA, ...partSchema() };
    case "field":
      return { ...DRAFT, title: FIELD_SCHEMA, ...fieldSchema(declared.sensitive) };
    case "difference":
      return { ...DRAFT, title: DIFFERENCE_SCHEMA, ...differenceSchema() };
    case "expectation":
      return expectationSchema(declared);
  }
}
