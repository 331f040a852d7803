import { shownDirections, statuses } from "../../dissect/message.js";
import { severities } from "../../schema/language/field-tree.js";
import type { JsonVersion } from "../writers/json-version.js";
import { MESSAGE_SCHEMAS } from "../writers/schema-names.js";
import {
  CAPTURE_NAME,
  COUNT,
  ENDPOINT,
  type JsonSchema,
  list,
  object,
  POSITIVE,
  TEXT,
  TIME,
  TRANSPORT,
} from "./terms.js";

/** What every line about a message begins with. */
export function messageLine(version: JsonVersion): JsonSchema {
  return { const: MESSAGE_SCHEMAS[version] };
}

/** How serious a note is. */
export const SEVERITY = { enum: severities };

/** Where a message comes from. */
export const CAPTURE = {
  number: POSITIVE,
  time: TIME,
  frames: list(POSITIVE),
  stream: COUNT,
  transport: TRANSPORT,
  source: ENDPOINT,
  destination: ENDPOINT,
  direction: { enum: shownDirections },
  protocol: TEXT,
};

/** The outcome of dissecting it. */
export const OUTCOME = { summary: TEXT, status: { enum: statuses } };
/** Remarks on it, each with its place. */
export const NOTES = list(object({ severity: SEVERITY, path: TEXT, text: TEXT }));

/** Another message, and how long the answer took; not where the capture has the answer first. */
const LINK = object({ number: POSITIVE, message: TEXT, milliseconds: { type: "number", minimum: 0 } }, [
  "number",
  "message",
]);

/** Values that have not the JSON type of their fields, which are null. */
export const MISFITS = list(object({ path: TEXT, value: TEXT }));

/** What version 2 has besides; all of them are optional but those in `ALWAYS_KNOWN`. */
export const FACTS = {
  capture: CAPTURE_NAME,
  epoch: { type: "string", pattern: "^-?\\d+$", description: "Nanoseconds since 1970." },
  seconds: { type: "number", description: "Seconds since 1970." },
  length: { ...COUNT, description: "Bytes of the message." },
  payloadId: {
    type: "string",
    pattern: "^[0-9a-f]{16}$",
    description: "FNV-1a, of 64 bits, of the bytes of the message, after decryption.",
  },
  answers: LINK,
  answeredBy: LINK,
  error: TEXT,
  player: object({ id: { type: ["integer", "string"] }, name: TEXT }, ["id"]),
  age: object({ id: TEXT, name: TEXT }, ["id"]),
  names: list(object({ path: TEXT, kind: TEXT, name: TEXT })),
  misfits: MISFITS,
};
export const ALWAYS_KNOWN = ["epoch", "seconds", "length"];
