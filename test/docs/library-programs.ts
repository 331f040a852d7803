import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { page } from "./pages.js";

const { text } = page("docs/library.md");

/** The programs on the page about the library: each match has a name and a text. */
export const programs = [...text.matchAll(/<!-- program: (\S+) -->\n```\w+\n(.*?)```/gs)];

/** What some of them print: each match has a command without "node", and the output. */
export const outputs = [...text.matchAll(/<!-- prints: node (.*?) -->\n```text\n(.*?)\n```/gs)];

/** Makes a folder of the package, the programs, and a session: inside the package, its own name refers to the package. */
export function makePackage(folder: string): void {
  mkdirSync(folder);
  buildProgram(folder);
  for (const [, name = "", program = ""] of programs) writeFileSync(join(folder, name), program);
  for (const kind of ["pcap", "keys"]) copyFileSync(sample(`nagus-session.${kind}`), join(folder, `session.${kind}`));
}
