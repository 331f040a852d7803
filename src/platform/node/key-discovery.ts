import { extname } from "node:path";
import { exists } from "./exists.js";

/** What stands for standard input instead of a path. */
const STANDARD_INPUT = "-";

/** How the names of compressed captures end. */
const COMPRESSED = /\.(gz|zst|lz4)$/i;

/**
 * Finds the key files of captures when none is named: `capture.pcap.keys`, then `capture.keys` beside the capture, then
 * the file that the environment variable MOULKEYLOGFILE names. A compressed capture may have those of the unpacked one.
 */
export async function discoverKeys(
  captures: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const found = new Set<string>();
  for (const capture of captures) {
    const unpacked = capture.replace(COMPRESSED, "");
    const withoutEnding = unpacked.slice(0, unpacked.length - extname(unpacked).length);
    const names = capture === STANDARD_INPUT ? [] : [capture, unpacked, withoutEnding];
    const beside = [...new Set(names)].map((name) => `${name}.keys`);
    const path = (await firstExisting(beside)) ?? env["MOULKEYLOGFILE"];
    if (path) found.add(path);
  }
  return [...found];
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}
