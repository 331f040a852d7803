import type { Writable } from "node:stream";
import { printable } from "../output/writers/sanitise.js";

/** Reports an error in this program, with everything that helps to find it. */
export function reportInternalError(stderr: Writable, where: string, error: unknown): void {
  stderr.write(`moul-dissect: internal error${printable(where)}; please report it:\n${traceOf(error)}`);
}

/** Reports an error in an external dissector: its author will want to know. */
export function reportDissectorError(stderr: Writable, dissector: string, where: string, error: unknown): void {
  stderr.write(`moul-dissect: the dissector "${printable(dissector)}" failed${printable(where)}:\n${traceOf(error)}`);
}

function traceOf(error: unknown): string {
  return textOf(error)
    .split("\n")
    .map((line) => `  ${printable(line.trim())}\n`)
    .join("");
}

/** Whatever was thrown, as text: it may be something that cannot be shown. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack ?? error.message) : String(error);
  } catch {
    return "something that cannot be shown";
  }
}
