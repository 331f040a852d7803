import { statuses, toldDirections } from "../../dissect/message.js";
import { severities } from "../../schema/field-tree.js";
import { COUNT, ENDPOINT, list, object, POSITIVE, TEXT, TIME, TRANSPORT } from "./terms.js";

/** What every line about a message begins with. */
export const MESSAGE_SCHEMA = { const: "moul-dissect.message/1" };
/** How bad it is what a remark says. */
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
  direction: { enum: toldDirections },
  protocol: TEXT,
};

/** What has become of it. */
export const OUTCOME = { summary: TEXT, status: { enum: statuses } };
/** Remarks on it, with the place of each. */
export const NOTES = list(object({ severity: SEVERITY, path: TEXT, text: TEXT }));
