import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { whyUnreadable } from "../../common/file-error.js";
import { systemPath } from "../../common/system-path.js";
import type { DefinitionFile, Dissector, KeyFile } from "../../dissector/dissector.js";
import { bytesOf, type FileInMemory, nameOf, offered } from "./offered-file.js";

/** The definition files as read by the dissectors, and what was odd about them. */
interface Definitions {
  readonly definitions: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
  /** Sentences for the user, each beginning with the file's name. */
  readonly remarks: readonly string[];
  /** False if a given file, or every file of a folder, could not be used. */
  readonly complete: boolean;
}

/** How deep to look for files: in a folder, and in the folders directly in it. */
const FOLDER_DEPTH = 2;

/**
 * Reads definition files, also from folders two levels deep, and offers each of them to every dissector. Files that
 * cannot be used are reported in remarks; nothing is thrown. A file in a folder may well be something else.
 *
 * A MOSS server has folders in its folder: one for what all ages share, and one for each age with several files.
 * Source: MOSS: doc/setup, "Game Server Data".
 *
 * @param files paths, or the content of a file
 * @param keys the key files that each dissector has read, for encrypted definition files
 */
export async function readDefinitionFiles(
  files: readonly (string | FileInMemory)[],
  dissectors: readonly Dissector[],
  keys: ReadonlyMap<Dissector, readonly KeyFile[]>,
): Promise<Definitions> {
  const definitions = new Map<Dissector, DefinitionFile[]>(dissectors.map((dissector) => [dissector, []]));
  const remarks: string[] = [];
  let complete = true;

  /** Offers a file to the dissectors. "unknown" if none of them knows it or has a remark on it. */
  const offer = async (given: string | FileInMemory): Promise<"read" | "refused" | "unknown"> => {
    const name = nameOf(given);
    let bytes: Uint8Array;
    try {
      bytes = await bytesOf(given);
    } catch (error) {
      remarks.push(`${name}: the definition file cannot be read (${whyUnreadable(error)})`);
      return "refused";
    }
    const { files, remarks: told } = offered(name, dissectors, (dissector) =>
      dissector.readDefinitions?.(name, bytes, keys.get(dissector) ?? [], definitions.get(dissector) ?? []),
    );
    for (const [dissector, file] of files) definitions.get(dissector)?.push(file);
    remarks.push(...told);
    if (files.length > 0) return "read";
    return told.length > 0 ? "refused" : "unknown";
  };

  for (const given of files) {
    const path = nameOf(given);
    const inFolder = typeof given === "string" ? await filesIn(given, endingsOf(dissectors)) : undefined;
    let used = false;
    for (const file of inFolder ?? [given]) {
      const outcome = await offer(file);
      used ||= outcome === "read";
      if (outcome === "unknown" && inFolder === undefined)
        remarks.push(`${path}: not a definition file of a known kind`);
    }
    if (!used && inFolder !== undefined) remarks.push(`${path}: this folder contains no usable definition files`);
    complete &&= used;
  }
  return { definitions, remarks, complete };
}

/** The files to read for some paths: a folder stands for the files in it. */
export async function definitionPaths(paths: readonly string[], dissectors: readonly Dissector[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => (await filesIn(path, endingsOf(dissectors))) ?? [path]));
  return found.flat();
}

function endingsOf(dissectors: readonly Dissector[]): string[] {
  return dissectors.flatMap(({ definitionEnding }) => definitionEnding ?? []);
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
