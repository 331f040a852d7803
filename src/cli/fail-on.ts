import type { Message, Status } from "../index.js";

/** What `--fail-on` can look for. */
export const failures = ["malformed", "truncated", "unknown", "undecrypted", "gap"] as const;
/** One of them. */
export type Failure = (typeof failures)[number];

const FAILURE_OF_STATUS: Readonly<Record<Status, Failure | undefined>> = {
  ok: undefined,
  malformed: "malformed",
  truncated: "truncated",
  unknown: "unknown",
  encrypted: "undecrypted",
};

/** What `--fail-on` sees in a message. */
export function failureOf(message: Message): Failure | undefined {
  return message.nodes === undefined && message.name === "gap" ? "gap" : FAILURE_OF_STATUS[message.status];
}
