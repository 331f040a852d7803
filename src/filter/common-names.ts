import { rangeDocs, rangeNames } from "../dissect/sync/skipped-range.js";
import { UNDISSECTED } from "../schema/language/field.js";
import { messageFields, SUMMARY } from "./message-fields.js";
import { CLASS } from "./vocabulary.js";

/** A name for filters and columns that no dissector declares. */
interface CommonName {
  readonly name: string;
  readonly kind: string;
  readonly doc: string;
}

/** Names of what any message may have, and of what is known about it. */
export const namesInMessages: readonly CommonName[] = [
  ...[...messageFields].map(([name, { kind, doc }]) => ({ name, kind, doc })),
  { name: UNDISSECTED.name, kind: UNDISSECTED.kind, doc: "Bytes of the message that could not be dissected." },
  { name: CLASS, kind: "text", doc: "Classes of the objects in the message." },
  { name: SUMMARY, kind: "text", doc: "What the message says, in one line. Only a column: filters use other fields." },
];

/** Names of rangees of a stream that are not messages. */
export const namesInstead: readonly CommonName[] = rangeNames.map((name) => ({
  name,
  kind: "range",
  doc: rangeDocs[name],
}));
