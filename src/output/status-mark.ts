import type { Dissected } from "../dissect/message.js";
import type { Palette } from "./palette.js";

/** The status behind a name, in brackets; nothing if all is well. */
export function statusMark({ name, status }: Pick<Dissected, "name" | "status">, { severity }: Palette): string {
  // What could not be decrypted is called "encrypted" already.
  if (status === "ok" || status === name) return "";
  return severity(status === "malformed" ? "error" : "warning")(`[${status}]`);
}
