import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project, above the sources and above the compiled tools. */
const root = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  // The compiled tools have a copy of package.json, so that the package's name means them.
  return existsSync(join(folder, "package-lock.json")) ? folder : rootAbove(dirname(folder));
}

/** Path of a file of the project. */
export function projectPath(name: string): string {
  return join(root, name);
}
