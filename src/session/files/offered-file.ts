import type { DefinitionFile, Dissector, KeyFile } from "../../dissector/dissector.js";
import { expectNoPromise } from "../../dissector/promise-check.js";

/** A key file or definition file whose content is known. */
export interface FileInMemory {
  /** What it is called in remarks. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A key file or definition file, or a folder of such, that has to be read, wherever it is. */
export interface StoredFile {
  /** What it is called in remarks. */
  readonly name: string;
  /** @throws Error if it cannot be read; the message says why, to stand in brackets */
  read(): Promise<Uint8Array>;
  /**
   * The files in a folder whose names have one of these endings, in an order that is always the same; undefined if it is
   * no folder.
   */
  list?(endings: readonly string[]): Promise<readonly StoredFile[] | undefined>;
  /** True if all users of this machine can read it. */
  isReadableByAll?(): Promise<boolean>;
}

/** A key file or definition file as a run is given it. */
export type GivenFile = FileInMemory | StoredFile;

/** What the dissectors that recognise a file made of it, and what is odd about it. */
export interface Reading<F> {
  readonly files: readonly (readonly [Dissector, F])[];
  readonly remarks: readonly string[];
}

/** @throws Error if the file cannot be read */
export async function bytesOf(file: GivenFile): Promise<Uint8Array> {
  return "bytes" in file ? file.bytes : file.read();
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
