import type { Dissector, FileInMemory } from "../../index.js";
import type { EngineOptions } from "../../pipeline/options.js";
import { isPipe } from "../../platform/node/capture-file.js";
import { bytesAt, givenFiles } from "../../platform/node/file-on-disk.js";
import { sdlKeys } from "../options/sdl-key.js";
import type { CaptureRunOptions } from "./options.js";

/** Files that a run reads besides its captures: their paths, or their contents. */
export interface RunFiles {
  readonly keys: readonly (string | FileInMemory)[];
  readonly definitions: readonly (string | FileInMemory)[];
}

/** Reads what can be read only once, such as `<(gpg -d keys.gpg)`: a run may need it several times. */
export async function withoutPipes(paths: readonly string[]): Promise<readonly (string | FileInMemory)[]> {
  return Promise.all(
    paths.map(async (path) => {
      if (!(await isPipe(path))) return path;
      // Why it cannot be read is reported when its turn comes.
      return bytesAt(path).then(
        (bytes) => ({ name: path, bytes }),
        () => path,
      );
    }),
  );
}

/**
 * The dissection's options for a run: the same in every thread, so that all of them decode messages alike.
 *
 * @param loaded dissectors that are not built in
 */
export function dissectOptionsOf(
  options: CaptureRunOptions,
  { keys, definitions }: RunFiles,
  loaded: readonly Dissector[],
): EngineOptions {
  const { decodeAs = [], limit = {}, keepDuplicates = false } = options;
  return {
    keys: givenFiles([...keys, ...sdlKeys(options)]),
    definitions: givenFiles(definitions),
    dissectors: loaded,
    decodeAs,
    keepDuplicates,
    limits: limit,
  };
}
