import { readdirSync } from "node:fs";
import { join, parse } from "node:path";

/**
 * The files that a path with `*` or `?` in its last part stands for, sorted by name. If there are none, the path
 * itself: reading it reports that there is no such file.
 */
export function matchingPaths(path: string): readonly string[] {
  const { dir, base } = parse(path);
  if (!/[*?]/.test(base)) return [path];
  const pattern = base
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replaceAll("?", ".")
    .replace(/\*+/g, ".*");
  const isMatch = new RegExp(`^${pattern}$`, "isu");
  const names = namesIn(dir === "" ? "." : dir).filter((name) => isMatch.test(name));
  return names.length === 0 ? [path] : names.sort().map((name) => join(dir, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
