import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { FileInMemory, GivenFile, StoredFile } from "../../session/files/offered-file.js";
import { whyUnreadable } from "./file-error.js";
import { statOf, systemPath } from "./system-path.js";

/** A larger file was not meant as a key file or definition file; a device may have no end. */
const LARGEST_FILE = 64 * 1024 * 1024;

/**
 * How deep to look for files: in a folder, and in the folders directly in it. A MOSS server has folders in its folder:
 * one for what all ages share, and one for each age with several files. Source: MOSS: doc/setup, "Game Server Data".
 */
const FOLDER_DEPTH = 2;

/** Read permission for all other users. Only on POSIX systems does the mode show who may read. */
const READABLE_BY_OTHERS = 0o004;

/** Key files or definition files, given by their paths or their content. */
export function givenFiles(files: readonly (string | FileInMemory)[]): GivenFile[] {
  return files.map((file) => (typeof file === "string" ? fileOnDisk(file) : file));
}

/** A key file or definition file, or a folder of such, by its path. */
function fileOnDisk(path: string): StoredFile {
  return {
    name: path,
    read: async () => {
      try {
        return await bytesAt(path);
      } catch (error) {
        throw new Error(whyUnreadable(error), { cause: error });
      }
    },
    list: async (endings) => (await filesIn(path, endings))?.map(fileOnDisk),
    isReadableByAll: async () => {
      if (process.platform === "win32") return false;
      // The file was read, but it may be deleted by now.
      const facts = await statOf(path).catch(() => undefined);
      return facts !== undefined && (facts.mode & READABLE_BY_OTHERS) !== 0;
    },
  };
}

/** The content of a small file. @throws Error if it cannot be read or is too large */
export async function bytesAt(path: string): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(await systemPath(path))) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST_FILE) throw new Error(`it has more than ${LARGEST_FILE} bytes`);
  }
  return Buffer.concat(pieces);
}

/**
 * The files to read for some paths: a folder stands for the files in it.
 *
 * @param endings how the names of those in a folder end
 */
export async function filesAt(paths: readonly string[], endings: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => (await filesIn(path, endings)) ?? [path]));
  return found.flat();
}

/** The same order on every system, whatever its path separator: of several declarations, the last one counts. */
function inOrder(a: string, b: string): number {
  const [one, other] = [a.replaceAll(sep, "/"), b.replaceAll(sep, "/")];
  return Number(one > other) - Number(one < other);
}

/**
 * The files in a folder, and in the folders in it, whose names have one of these endings, sorted; undefined if it is
 * not a folder or cannot be read.
 */
async function filesIn(path: string, endings: readonly string[], depth = FOLDER_DEPTH): Promise<string[] | undefined> {
  const isOne = (name: string) => endings.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  try {
    const entries = await readdir(await systemPath(path), { withFileTypes: true });
    const found = await Promise.all(
      entries.map(async (entry) => {
        const inner = join(path, entry.name);
        if (entry.isDirectory()) return depth > 1 ? ((await filesIn(inner, endings, depth - 1)) ?? [inner]) : [];
        return isOne(entry.name) ? [inner] : [];
      }),
    );
    return found.flat().sort(inOrder);
  } catch {
    // A file, or nothing at all: reading it will show.
    return undefined;
  }
}
