import { access } from "node:fs/promises";
import { join, parse } from "node:path";
import { STANDARD_INPUT } from "../../capture/source.js";

/**
 * The key file of a capture for which none was named: `capture.pcap.keys`, then `capture.keys` beside it, then the file
 * that the environment variable MOULKEYLOGFILE names.
 */
export async function discoverKeys(captures: readonly string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const found = new Set<string>();
  for (const capture of captures) {
    const { dir, name } = parse(capture);
    const beside = capture === STANDARD_INPUT ? [] : [`${capture}.keys`, join(dir, `${name}.keys`)];
    const path = (await firstThatExists(beside)) ?? env["MOULKEYLOGFILE"];
    if (path) found.add(path);
  }
  return [...found];
}

async function firstThatExists(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      await access(path);
      return path;
    } catch {
      // Not there: the next one may be.
    }
  }
  return undefined;
}
