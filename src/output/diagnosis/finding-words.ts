import { counted } from "../../common/counted.js";
import type { Finding } from "../../diagnose/index.js";
import { NOTHING, reasonIn } from "../text/asked.js";
import { filterWord } from "../text/filter-word.js";
import { printable } from "../writers/sanitise.js";

/** A finding in one line, to follow its kind. Safe for a terminal. */
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

/** The option that shows the messages of a finding. Safe for a terminal and for a shell. */
export function filterText({ filter, shown, count }: Finding): string {
  return `-Y ${filterWord(printable(filter))}${shown < count ? ` (the first ${shown})` : ""}`;
}
