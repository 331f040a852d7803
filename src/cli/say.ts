import type { Writable } from "node:stream";
import { printable } from "../output/writers/sanitise.js";

/** Says something on standard error, after the name of the program. Control characters are made harmless. */
export function say(stderr: Writable, text: string): void {
  stderr.write(`moul-dissect: ${printable(text)}\n`);
}
