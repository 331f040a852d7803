import { shownDirections, statuses } from "../../dissect/message.js";
import { severities } from "../../schema/language/field-tree.js";
import { MESSAGE_SCHEMA } from "../writers/schema-names.js";
import { COUNT, ENDPOINT, list, object, POSITIVE, TEXT, TIME, TRANSPORT } from "./terms.js";

/** What every line about a message begins with. */
export const MESSAGE_LINE = { const: MESSAGE_SCHEMA };
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
