import type { Dissected } from "../../dissect/message.js";
import { printable } from "../writers/sanitise.js";
import type { Palette } from "./palette.js";

/** The status to show after a name, in brackets, with its reason if one is given; empty if all is well. */
export function statusMark(
  { name, status }: Pick<Dissected, "name" | "status">,
  { severity }: Palette,
  reason?: string,
): string {
  // A range that could not be decrypted is already called "encrypted".
  if (status === "ok" || status === name) return "";
  return severity(status === "malformed" ? "error" : "warning")(
    `[${reason === undefined ? status : `${status}: ${printable(reason)}`}]`,
  );
}

/** Why a message is malformed or truncated, if it is; undefined for a range, whose text already says so. */
export function reasonOf({ nodes, status, notes }: Dissected): string | undefined {
  if (nodes === undefined || (status !== "malformed" && status !== "truncated")) return undefined;
  return notes.find(({ severity }) => severity !== "note")?.text;
}
