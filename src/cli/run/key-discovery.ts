import { extname } from "node:path";
import { STANDARD_INPUT } from "../../capture/source.js";
import { exists } from "../exists.js";

/**
 * Finds the key files of captures when none is named: `capture.pcap.keys`, then `capture.keys` beside the capture, then
 * the file that the environment variable MOULKEYLOGFILE names.
 */
export async function discoverKeys(captures: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const found = new Set<string>();
  for (const capture of captures) {
    const withoutEnding = capture.slice(0, capture.length - extname(capture).length);
    const beside = capture === STANDARD_INPUT ? [] : [`${capture}.keys`, `${withoutEnding}.keys`];
    const path = (await firstExisting(beside)) ?? env["MOULKEYLOGFILE"];
    if (path) found.add(path);
  }
  return [...found];
}

async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}
