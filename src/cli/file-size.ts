import { STANDARD_INPUT } from "../platform/node/capture-file.js";
import { statOf } from "../platform/node/system-path.js";

/**
 * The size of a file in bytes; 0 for a folder or a missing file: reading it will report what is wrong. Undefined for
 * anything without a size, such as a pipe.
 */
export async function fileSize(path: string): Promise<number | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  const facts = await statOf(path).catch(() => undefined);
  if (facts === undefined || facts.isDirectory()) return 0;
  return facts.isFile() ? facts.size : undefined;
}

/** The sizes of files in bytes; undefined if one of them has none. */
export async function fileSizes(paths: readonly string[]): Promise<readonly number[] | undefined> {
  const sizes = await Promise.all(paths.map(fileSize));
  return sizes.every((size) => size !== undefined) ? sizes : undefined;
}
