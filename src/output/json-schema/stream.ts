import { encryptions, keyStates } from "../../dissector/dissector.js";
import { endReasons } from "../../network/conversation.js";
import { STREAM_SCHEMA } from "../writers/schema-names.js";
import { COUNT, ENDPOINT, type JsonSchema, list, object, ofCapture, POSITIVE, TEXT, TIME, TRANSPORT } from "./terms.js";

/** A conversation, as `streams` prints it. */
export function streamSchema(): JsonSchema {
  const gaps = list(object({ offset: COUNT, length: POSITIVE }));
  const known = { packets: COUNT, bytes: COUNT, gaps, sha256: { type: "string", pattern: "^[0-9a-f]{64}$" } };
  const sent = object({ ...known, unaccepted: POSITIVE }, Object.keys(known));
  return ofCapture({
    schema: { const: STREAM_SCHEMA },
    stream: COUNT,
    transport: TRANSPORT,
    client: ENDPOINT,
    server: ENDPOINT,
    protocol: { type: ["string", "null"] },
    encryption: { enum: encryptions },
    key: { enum: keyStates },
    keySource: TEXT,
    start: TIME,
    end: TIME,
    c2s: sent,
    s2c: sent,
    closed: { enum: endReasons },
    closedBy: { enum: ["client", "server", null] },
  });
}
