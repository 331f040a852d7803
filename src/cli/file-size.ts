import { stat } from "node:fs/promises";
import { STANDARD_INPUT } from "../capture/source.js";

/**
 * The bytes of a file; 0 for a folder, and for what is not there: reading it will tell what is wrong. Undefined for
 * what has no size, such as a pipe.
 */
export async function fileSize(path: string): Promise<number | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || facts.isDirectory()) return 0;
  return facts.isFile() ? facts.size : undefined;
}
