import { readFileSync } from "node:fs";

/** Version of the package, from its package.json. */
export const version = readVersion();

/** The name that the program gives itself in the files it writes. */
export const application = `moul-dissect ${version}`;

function readVersion(): string {
  try {
    // The path is the same from this file as from the bundled one that contains it.
    const data: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    if (typeof data === "object" && data !== null && "version" in data) return String(data.version);
  } catch {
    // Missing, or not JSON.
  }
  return "unknown";
}
