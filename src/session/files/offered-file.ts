import { createReadStream } from "node:fs";
import { systemPath } from "../../common/system-path.js";
import type { DefinitionFile, Dissector, KeyFile } from "../../dissector/dissector.js";
import { expectNoPromise } from "../../dissector/promise-check.js";

/** A key file or definition file that is not on disk. */
export interface FileInMemory {
  /** What it is called in remarks. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the dissectors that recognise a file made of it, and what is odd about it. */
export interface Reading<F> {
  readonly files: readonly (readonly [Dissector, F])[];
  readonly remarks: readonly string[];
}

/** What a file is called in remarks: its path, if it is on disk. */
export function nameOf(file: string | FileInMemory): string {
  return typeof file === "string" ? file : file.name;
}

/** A larger file was not meant as a key file or definition file; a device may have no end. */
const LARGEST_FILE = 64 * 1024 * 1024;

/** @throws Error if the file cannot be read or is too large */
export async function bytesOf(file: string | FileInMemory): Promise<Uint8Array> {
  if (typeof file !== "string") return file.bytes;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(await systemPath(file))) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST_FILE) throw new Error(`it has more than ${LARGEST_FILE} bytes`);
  }
  return Buffer.concat(pieces);
}

/**
 * Offers a file to every dissector. Remarks come from those that know its format, or from all if none does.
 *
 * @param read has a dissector read the file. It must not throw; if it does, the file counts as not recognised.
 */
export function offered<F extends KeyFile | DefinitionFile>(
  name: string,
  dissectors: readonly Dissector[],
  read: (dissector: Dissector) => F | undefined,
): Reading<F | DefinitionFile> {
  const readings = dissectors.flatMap((dissector): Reading<F | DefinitionFile>["files"] => {
    try {
      const file = read(dissector);
      if (file === undefined) return [];
      expectReading(file);
      return [[dissector, file]];
    } catch (error) {
      // The error may quote the file, which may contain secrets.
      const kind = error instanceof Error ? error.name : typeof error;
      const remark = `${name}: the dissector "${dissector.name}" failed on this file (${kind})`;
      return [[dissector, { recognised: false, remarks: [remark] }]];
    }
  });
  const files = readings.filter(([, { recognised }]) => recognised);
  return { files, remarks: (files.length > 0 ? files : readings).flatMap(([, { remarks }]) => remarks) };
}

/** Throws a TypeError if this is not what a dissector says about a file: external ones may be plain JavaScript. */
function expectReading(file: KeyFile | DefinitionFile): void {
  expectNoPromise(file, "reading a file");
  const { recognised, remarks }: { readonly recognised?: unknown; readonly remarks?: unknown } = Object(file);
  const isSound =
    typeof recognised === "boolean" && Array.isArray(remarks) && remarks.every((one) => typeof one === "string");
  if (!isSound) throw new TypeError("a file was not read as { recognised, remarks }");
}
