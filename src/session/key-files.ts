import { readFile, stat } from "node:fs/promises";
import { whyUnreadable } from "../file-error.js";
import type { DefinitionFile, Dissector, KeyFile } from "./dissector.js";

/** Key files as the dissectors have read them, and what was odd about them. */
export interface KeyRing {
  readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>;
  /** Sentences for the user, each beginning with the file's name. */
  readonly remarks: readonly string[];
  /** False if a file could not be read, is no key file, or has nothing in it that can be used. */
  readonly complete: boolean;
  /** Paths of files with private values that all users of this machine can read. */
  readonly exposed: readonly string[];
}

/** A key file, or one with definitions, that is not on a disk. */
export interface KeyText {
  /** What it is called in remarks. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads key files and offers each of them to every dissector, which knows its own formats by their content. What cannot
 * be used is remarked; nothing is thrown, and no secret gets into a remark.
 */
export async function readKeyFiles(
  files: readonly (string | KeyText)[],
  dissectors: readonly Dissector[],
): Promise<KeyRing> {
  const keys = new Map<Dissector, KeyFile[]>(dissectors.map((dissector) => [dissector, []]));
  const remarks: string[] = [];
  const exposed: string[] = [];
  let complete = true;
  for (const given of files) {
    const path = typeof given === "string" ? given : given.name;
    let bytes: Uint8Array;
    try {
      bytes = typeof given === "string" ? await readFile(given) : given.bytes;
    } catch (error) {
      remarks.push(`${path}: the key file cannot be read (${whyUnreadable(error)})`);
      complete = false;
      continue;
    }
    const read = readKeyText({ name: path, bytes }, dissectors);
    for (const [dissector, file] of read.files) keys.get(dissector)?.push(file);
    complete &&= read.files.some(([, { isUsable = true }]) => isUsable);
    remarks.push(...read.remarks);
    const isPrivate = read.files.some(([, { isPrivate }]) => isPrivate);
    if (typeof given === "string" && isPrivate && (await isReadableByAll(given))) exposed.push(given);
  }
  return { keys, remarks, complete, exposed };
}

/** Permission of all other users to read. Elsewhere than on POSIX systems, the mode does not tell who may. */
const READABLE_BY_OTHERS = 0o004;

async function isReadableByAll(path: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  const { mode } = await stat(path);
  return (mode & READABLE_BY_OTHERS) !== 0;
}

/** What is made of a key file by the dissectors that know it, and what is odd about it. */
export interface KeyReading {
  readonly files: readonly (readonly [Dissector, KeyFile])[];
  readonly remarks: readonly string[];
}

/** Offers a key file to every dissector. */
export function readKeyText({ name, bytes }: KeyText, dissectors: readonly Dissector[]): KeyReading {
  const read = dissectors.flatMap((dissector) => {
    const file = offered(name, dissector, () => dissector.readKeys?.(name, bytes));
    return file === undefined ? [] : [[dissector, file] as const];
  });
  // Remarks come from the dissectors that know the file's format; from all, if none does.
  const files = read.filter(([, { recognised }]) => recognised);
  return { files, remarks: (files.length > 0 ? files : read).flatMap(([, file]) => file.remarks) };
}

/** What a dissector makes of a file. It must not throw; one that does all the same has not recognised it. */
export function offered<F extends KeyFile | DefinitionFile>(
  path: string,
  { name }: Dissector,
  read: () => F | undefined,
): F | KeyFile | undefined {
  try {
    return read();
  } catch (error) {
    // What was thrown may quote the file, which may hold secrets.
    const kind = error instanceof Error ? error.name : typeof error;
    return { recognised: false, remarks: [`${path}: the dissector "${name}" fails at this file (${kind})`] };
  }
}
