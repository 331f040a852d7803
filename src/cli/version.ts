import { readFileSync } from "node:fs";

/** Version of the package, from its package.json. */
export const version = readVersion();

/** The program as it names itself in what it writes. */
export const application = `moul-dissect ${version}`;

function readVersion(): string {
  try {
    // As far above this file as above the one that it is put into for the program.
    const data: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    if (typeof data === "object" && data !== null && "version" in data) return String(data.version);
  } catch {
    // Not there, or no JSON.
  }
  return "unknown";
}
