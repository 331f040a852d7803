import { readdirSync, readFileSync } from "node:fs";
import { projectPath } from "../support/project-path.js";

/** A page of the documentation: its path in the project, and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

export function page(path: string): Page {
  return { path, text: readFileSync(projectPath(path), "utf8").replaceAll("\r\n", "\n") };
}

/** The README, and the pages beside it and beside the recordings. */
export const pages: readonly Page[] = [
  page("README.md"),
  page("samples/README.md"),
  ...readdirSync(projectPath("docs"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => page(`docs/${name}`)),
];
