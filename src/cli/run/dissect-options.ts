import { readFile } from "node:fs/promises";
import { isPipe } from "../../capture/source.js";
import type { DissectOptions, Dissector, KeyText } from "../../index.js";
import { sdlKeys } from "../sdl-key.js";
import type { CaptureRunOptions } from "./options.js";

/** Files that a run reads besides its captures: their paths, or what is in them. */
export interface RunFiles {
  readonly keys: readonly (string | KeyText)[];
  readonly definitions: readonly (string | KeyText)[];
}

/** What can be read only once, such as `<(gpg -d keys.gpg)`, is read here: a run may read its captures several times. */
export async function withoutPipes(paths: readonly string[]): Promise<readonly (string | KeyText)[]> {
  return Promise.all(
    paths.map(async (path) => {
      if (!(await isPipe(path))) return path;
      // Why it cannot be read is told when its turn comes.
      return readFile(path).then(
        (bytes) => ({ name: path, bytes }),
        () => path,
      );
    }),
  );
}

/**
 * What the options of a run mean for the dissection: the same for every thread, so that all of them find the same.
 *
 * @param loaded dissectors that are not built in
 */
export function dissectOptionsOf(
  options: CaptureRunOptions,
  { keys, definitions }: RunFiles,
  loaded: readonly Dissector[],
): DissectOptions {
  const { decodeAs = [], limit = {} } = options;
  return { keys: [...keys, ...sdlKeys(options)], definitions, dissectors: loaded, decodeAs, limits: limit };
}
