import type { Writable } from "node:stream";
import { printable } from "../output/sanitise.js";

/** Says something on standard error, in the name of the program. Nothing in it reaches a terminal raw. */
export function say(stderr: Writable, text: string): void {
  stderr.write(`moul-dissect: ${printable(text)}\n`);
}
