import type { Writable } from "node:stream";
import { printable } from "../output/writers/sanitise.js";

/** Says something on standard error, after the name of the program. Control characters are made harmless. */
export function say(stderr: Writable, text: string): void {
  stderr.write(`${spoken(text)}\n`);
}

/** The line with which something is said. */
export function spoken(text: string): string {
  return `moul-dissect: ${printable(text)}`;
}

/** Text of several lines as it may be sent to a terminal. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
