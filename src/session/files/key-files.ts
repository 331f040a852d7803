import { messageOf } from "../../common/message-of.js";
import type { Dissector, KeyFile } from "../../dissector/dissector.js";
import { bytesOf, type FileInMemory, type GivenFile, offered, type Reading } from "./offered-file.js";

/** The key files as read by the dissectors, and what was odd about them. */
interface KeyRing {
  readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>;
  /** Sentences for the user, each beginning with the file's name. */
  readonly remarks: readonly string[];
  /** False if a file could not be read, is not a key file, or contains nothing that can be used. */
  readonly complete: boolean;
  /** Names of files with private values that all users of this machine can read. */
  readonly exposed: readonly string[];
}

/**
 * Reads key files and offers each of them to every dissector, which recognises its own formats by content. Files that
 * cannot be used are reported in remarks; nothing is thrown, and no secret gets into a remark.
 */
export async function readKeyFiles(files: readonly GivenFile[], dissectors: readonly Dissector[]): Promise<KeyRing> {
  const keys = new Map<Dissector, KeyFile[]>(dissectors.map((dissector) => [dissector, []]));
  const remarks: string[] = [];
  const exposed: string[] = [];
  let complete = true;
  for (const given of files) {
    const { name } = given;
    let bytes: Uint8Array;
    try {
      bytes = await bytesOf(given);
    } catch (error) {
      remarks.push(`${name}: the key file cannot be read (${messageOf(error)})`);
      complete = false;
      continue;
    }
    const read = readKeyFile({ name, bytes }, dissectors);
    for (const [dissector, file] of read.files) keys.get(dissector)?.push(file);
    complete &&= read.files.some(([, { isUsable = true }]) => isUsable);
    remarks.push(...read.remarks);
    const isPrivate = read.files.some(([, { isPrivate }]) => isPrivate);
    if (isPrivate && "read" in given && (await given.isReadableByAll?.()) === true) exposed.push(name);
  }
  return { keys, remarks, complete, exposed };
}

/** Offers a key file to every dissector. */
export function readKeyFile({ name, bytes }: FileInMemory, dissectors: readonly Dissector[]): Reading<KeyFile> {
  return offered(name, dissectors, (dissector) => dissector.readKeys?.(name, bytes));
}
