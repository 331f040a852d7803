import type { ProcessIo } from "../process-io.js";
import type { OutputOptions } from "../writing/output-file.js";
import { printsToTerminal } from "../writing/printing.js";

/** The options of commands whose output may have colours. */
export interface ColorOptions extends OutputOptions {
  readonly color: "auto" | "always" | "never";
}

/** True if output gets colours. `auto` honours NO_COLOR, FORCE_COLOR, TERM=dumb and whether it goes to a terminal. */
export function takesColor(options: ColorOptions, io: ProcessIo): boolean {
  const { color } = options;
  const { env } = io;
  if (color !== "auto") return color === "always";
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return printsToTerminal(options, io) && env["TERM"] !== "dumb";
}
