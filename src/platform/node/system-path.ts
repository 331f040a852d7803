import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { sep } from "node:path";

/** What Node.js puts in place of bytes that are not UTF-8, in arguments and in names of files alike. */
const REPLACEMENT = "\ufffd";

/** Error code of a path that stands for several files. */
const AMBIGUOUS = "EILSEQ";

/**
 * The path to give to the system. A name that is not UTF-8 reaches this program with replacement characters in place of
 * bytes, so it is looked up in its folder: the file whose name reads the same is meant.
 *
 * @returns the path itself if there are no such characters, or no such file
 * @throws Error with the code EILSEQ if the names of several files read the same
 */
export async function systemPath(path: string): Promise<string | Buffer> {
  if (!path.includes(REPLACEMENT)) return path;
  const parts = path.split(sep);
  let isFound = false;
  let folder = Buffer.alloc(0);
  for (const [index, part] of parts.entries()) {
    const name = part.includes(REPLACEMENT) ? await nameIn(folder, part) : undefined;
    isFound ||= name !== undefined;
    const before = index === 0 ? folder : Buffer.concat([folder, Buffer.from(sep)]);
    folder = Buffer.concat([before, name ?? Buffer.from(part)]);
  }
  return isFound ? folder : path;
}

/** What the system knows of a file. @throws Error if there is none, or it cannot be seen */
export async function statOf(path: string): Promise<Stats> {
  return stat(await systemPath(path));
}

/** The bytes of the one name in a folder that reads like this; undefined if there is none. */
async function nameIn(folder: Buffer, name: string): Promise<Buffer | undefined> {
  const place = folder.length === 0 ? "." : Buffer.concat([folder, Buffer.from(sep)]);
  const names = await readdir(place, { encoding: "buffer" }).catch(() => []);
  const [found, ...others] = names.filter((one) => one.toString() === name);
  if (others.length > 0) {
    throw Object.assign(new Error("the names of several files read like this one"), { code: AMBIGUOUS });
  }
  return found;
}

/** True if no file can be made of this name: it is not UTF-8, and there is no file that shows its bytes. */
export async function isUnknownName(path: string): Promise<boolean> {
  if (!path.includes(REPLACEMENT)) return false;
  const found = await systemPath(path).catch(() => path);
  return Buffer.from(found).includes(REPLACEMENT);
}
