import { fileURLToPath } from "node:url";

/** The path of a recording that comes with the program. */
export function samplePath(name: string): string {
  // The path is the same from this file as from the bundled one that contains it.
  return fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
}
