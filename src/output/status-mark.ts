import type { Dissected } from "../dissect/message.js";
import type { Palette } from "./palette.js";
import { printable } from "./sanitise.js";

/** The status behind a name, in brackets, with its reason if one is given; nothing if all is well. */
export function statusMark(
  { name, status }: Pick<Dissected, "name" | "status">,
  { severity }: Palette,
  reason?: string,
): string {
  // What could not be decrypted is called "encrypted" already.
  if (status === "ok" || status === name) return "";
  return severity(status === "malformed" ? "error" : "warning")(
    `[${reason === undefined ? status : `${status}: ${printable(reason)}`}]`,
  );
}
