import { createHash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";

interface NewCode {
  readonly script: Script;
  /** Where it is kept. */
  readonly folder: string;
  readonly name: string;
}

/** Scripts of which no compiled code was kept. */
const newCode: NewCode[] = [];

/** What a script of the program evaluates to; it is compiled anew only if no earlier run has kept its code. */
export function run(script: URL): unknown {
  const filename = fileURLToPath(script);
  const folder = keptIn(filename);
  const name = `${basename(filename)}.code`;
  const cachedData = keptCode(join(folder, name));
  const compiled = new Script(readFileSync(filename, "utf8"), { filename, ...(cachedData && { cachedData }) });
  const isNew = cachedData === undefined || compiled.cachedDataRejected === true;
  if (isNew && canWriteIn(folder)) newCode.push({ script: compiled, folder, name });
  return compiled.runInThisContext();
}

/** True if files can be made in a folder that may not exist yet. */
function canWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return isMissing && dirname(folder) !== folder && canWriteIn(dirname(folder));
  }
}

/** True if there is code that can be kept, so that a later run need not compile it. */
export function hasNewCode(): boolean {
  return newCode.length > 0;
}

/** Keeps the code of the functions that have been called. Where nothing can be written, nothing is kept. */
export function keepCode(): void {
  try {
    for (const { script, folder, name } of newCode) {
      mkdirSync(folder, { recursive: true });
      write(join(folder, name), script.createCachedData());
    }
  } catch {}
}

/**
 * The folder for the code of a script that V8 makes as it is, with its settings: beside the program, where nobody writes
 * who could not change the program.
 */
function keptIn(filename: string): string {
  const { version, platform, arch } = process;
  return join(filename, "../../compiled", `${version}-${platform}-${arch}-${cachedDataVersionTag().toString(16)}`);
}

/** How many bytes stand before the code: its hash, as V8 would run code that has been damaged. */
const HASH_LENGTH = 32;

function hashOf(code: Uint8Array): Buffer {
  return createHash("sha256").update(code).digest();
}

/** The code in a file; undefined if there is none, or if it is not as it was written. */
function keptCode(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const code = content.subarray(HASH_LENGTH);
    return hashOf(code).equals(content.subarray(0, HASH_LENGTH)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file at once: another run may be reading it. */
function write(file: string, code: Uint8Array): void {
  const partial = `${file}.${process.pid}`;
  try {
    const handle = openSync(partial, "wx", 0o644);
    try {
      writeFileSync(handle, hashOf(code));
      writeFileSync(handle, code);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
