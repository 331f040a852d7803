import { readdirSync } from "node:fs";
import { parse } from "node:path";

/**
 * The files that a path with `*` or `?` in its last part stands for, sorted by name. The other parts stay as they are:
 * `C:` is the current folder of a drive, but joined with a name it would be the one at its top. If there are no files,
 * the path itself: reading it reports that there is no such file.
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
  return names.length === 0 ? [path] : names.sort().map((name) => path.slice(0, path.lastIndexOf(base)) + name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
