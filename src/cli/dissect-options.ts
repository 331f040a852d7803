import type { DissectOptions, Dissector } from "../index.js";
import type { CaptureRunOptions } from "./capture-run.js";
import { sdlKeys } from "./sdl-key.js";

/**
 * What the options of a run mean for the dissection: the same for every thread, so that all of them find the same.
 *
 * @param keys paths of key files
 * @param loaded dissectors that are not built in
 */
export function dissectOptionsOf(
  options: CaptureRunOptions,
  keys: readonly string[],
  loaded: readonly Dissector[],
): DissectOptions {
  const { sdl = [], decodeAs = [], limit = {} } = options;
  return { keys: [...keys, ...sdlKeys(options)], definitions: sdl, dissectors: loaded, decodeAs, limits: limit };
}
