import { counted } from "../../common/counted.js";
import type { Finding, FindingKind } from "../../diagnose/index.js";
import { NOTHING, reasonIn } from "../text/asked.js";
import { printable } from "../writers/sanitise.js";

/** What a person calls a kind of finding. */
export const kindTitles: Readonly<Record<FindingKind, string>> = {
  undecrypted: "no key",
  malformed: "malformed",
  version: "version",
  kick: "kicked",
  refusal: "refused",
  failed: "failed",
  unanswered: "no reply",
  gap: "lost",
  skipped: "skipped",
  truncated: "cut short",
  slow: "slow",
  reconnect: "reconnect",
  unknown: "unknown",
};

/** A finding in one line, to follow the title of its kind. Safe for a terminal. */
export function findingText({ kind, protocol, message, what, count, bytes = 0 }: Finding): string {
  const times = `${count} × ${message}`;
  const size = counted(bytes, "byte");
  return printable(textOf());

  function textOf(): string {
    switch (kind) {
      case "undecrypted":
        return `${counted(count, "range")} of ${protocol}, ${size}: ${what}`;
      case "malformed":
        return `${times}${what === "" ? "" : `: ${what}`}`;
      case "version":
        return `${counted(count, "message")} with ${what}`;
      case "kick":
      case "refusal":
      case "failed":
        return `${times}: ${reason(what)}`;
      case "unanswered":
      case "truncated":
        return times;
      case "gap":
        return `${counted(count, "gap")} in ${protocol}, ${size}`;
      case "skipped":
        return `${counted(count, "range")} of ${protocol}, ${size}`;
      case "slow":
        return `${times}: ${what}`;
      case "reconnect":
        return `${counted(count, "time")} in ${protocol}`;
      case "unknown":
        return `${counted(count, "message")} of ${protocol} with unknown parts`;
    }
  }
}

/** "file not found (kNetErrFileNotFound)"; a name that consists of words is said once. */
function reason(error: string): string {
  const words = reasonIn(error, NOTHING);
  return words === error ? words : `${words} (${error})`;
}

/** The examples of a finding. Safe for a terminal. */
export function exampleTexts({ examples }: Finding): string[] {
  return examples
    .filter(({ text }) => text !== "")
    .map(({ number, text, count }) => `${printable(text)} (#${number}${count > 1 ? `, ${count} times` : ""})`);
}

/** The command line that shows the messages of a finding. Safe for a terminal and, in single quotes, for a shell. */
export function filterText({ filter, shown, count }: Finding): string {
  return `-Y '${printable(filter).replaceAll("'", "'\\''")}'${shown < count ? ` (the first ${shown})` : ""}`;
}
