import type { Limits } from "../../limits.js";
import { sortedByTime } from "../../pipeline/time-order.js";
import { captureAt, isReadOnce } from "./capture-file.js";

/**
 * Sorts captures by the time of their first packets. If any can be read only once, such as standard input, the given
 * order is kept.
 */
export async function inOrderOfTime(paths: readonly string[], limits: Limits): Promise<readonly string[]> {
  if (paths.length < 2 || (await Promise.all(paths.map(isReadOnce))).includes(true)) return paths;
  return sortedByTime(paths, (path) => captureAt(path), limits);
}
