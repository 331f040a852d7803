import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DefinitionFile, Dissector, KeyFile } from "./dissector.js";
import { reasonOf } from "./key-files.js";

/** Definition files as the dissectors have read them, and what was odd about them. */
export interface Definitions {
  readonly definitions: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
  /** Sentences for the user, each beginning with the file's name. */
  readonly remarks: readonly string[];
  /** False if a file that was named, or all of a folder, could not be used. */
  readonly complete: boolean;
}

/** What definition files are called: of a folder, no other files are looked at. */
const DEFINITION_FILE = /\.sdl$/i;

/**
 * Reads files of definitions, and those in folders (but not in the folders in those), and offers each of them to every
 * dissector. What cannot be used is remarked; nothing is thrown. A file in a folder may well be something else.
 *
 * @param keys what each dissector has read of key files, for files that are encrypted
 */
export async function readDefinitionFiles(
  paths: readonly string[],
  dissectors: readonly Dissector[],
  keys: ReadonlyMap<Dissector, readonly KeyFile[]>,
): Promise<Definitions> {
  const definitions = new Map<Dissector, DefinitionFile[]>(dissectors.map((dissector) => [dissector, []]));
  const remarks: string[] = [];
  let complete = true;

  /** Offers one file to the dissectors; true if one of them knows it. */
  const offer = async (path: string, named: boolean): Promise<boolean> => {
    const bytes = await readFile(path);
    const read = dissectors.flatMap((dissector) => {
      const earlier = definitions.get(dissector) ?? [];
      const file = dissector.readDefinitions?.(path, bytes, keys.get(dissector) ?? [], earlier);
      if (file?.recognised) earlier.push(file);
      return file ?? [];
    });
    const recognised = read.some((file) => file.recognised);
    const told = read.filter((file) => file.recognised === recognised).flatMap((file) => file.remarks);
    remarks.push(...told);
    if (named && !recognised && told.length === 0) remarks.push(`${path}: no definition file of a known kind`);
    return recognised;
  };

  for (const path of paths) {
    try {
      const folder = (await stat(path)).isDirectory();
      const names = folder ? (await readdir(path)).filter((name) => DEFINITION_FILE.test(name)).sort() : [];
      let used = false;
      for (const file of folder ? names.map((name) => join(path, name)) : [path]) {
        try {
          used = (await offer(file, !folder)) || used;
        } catch (error) {
          remarks.push(`${file}: the file cannot be read (${reasonOf(error)})`);
          complete = false;
        }
      }
      if (folder && !used) remarks.push(`${path}: no definition files that can be used are in this folder`);
      complete &&= used;
    } catch (error) {
      remarks.push(`${path}: the file cannot be read (${reasonOf(error)})`);
      complete = false;
    }
  }
  return { definitions, remarks, complete };
}
