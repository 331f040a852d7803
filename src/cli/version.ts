import { readFileSync } from "node:fs";

/** Version of the package, from its package.json: beside the sources, or above the compiled output. */
export const version = readVersion();

/** The program as it names itself in what it writes. */
export const application = `moul-dissect ${version}`;

function readVersion(): string {
  for (const path of ["../../package.json", "../../../package.json"]) {
    try {
      const data: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
      if (typeof data === "object" && data !== null && "version" in data) return String(data.version);
    } catch {
      // Not there: the other place has it.
    }
  }
  return "unknown";
}
