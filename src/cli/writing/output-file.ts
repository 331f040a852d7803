import { type BigIntStats, createWriteStream, fstatSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Writable } from "node:stream";
import { STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { isUnknownName, systemPath } from "../../platform/node/system-path.js";
import { UsageError } from "../usage-error.js";
import { patiently } from "./retry.js";
import type { Destination } from "./text-output.js";
import { realPath, writtenPath } from "./written-path.js";

/** The name that stands for standard output. */
export const STANDARD_OUTPUT = "-";

/** The options that say where output goes, as the command line gives them. */
export interface OutputOptions {
  /** Undefined for standard output. */
  readonly output?: string;
  readonly force?: boolean;
  /** True for a file that others read while it is written: it has its name from the beginning. */
  readonly grows?: boolean;
}

/** How many characters of a file's name are in that of its temporary one: systems allow 255 bytes or characters. */
const TEMPORARY_START = 50;

/** What must be known about a file before it is written. */
interface Claim {
  /** True if it may exist already. */
  readonly overwrites: boolean;
  /** Files that must not be overwritten. */
  readonly inputs: readonly string[];
  /** True if others read it while it is written. */
  readonly grows?: boolean;
}

/**
 * A file that gets its name only when it is complete: until then it has a temporary one in the same folder. Anything
 * else, such as a pipe or a device, is written to directly, and so is a file that others read while it grows.
 */
export class OutputFile implements Destination {
  readonly isOwn = true;
  readonly stream: Writable;

  private constructor(
    readonly name: string,
    readonly path: string | Buffer,
    /** Its name until it is complete; undefined if it is written to directly. */
    readonly temporary?: string | Buffer,
    /** Who may read and write it; undefined for the system's default for new files. */
    mode?: number,
  ) {
    const options = { flags: "wx", ...(mode !== undefined && { mode }) };
    this.stream = createWriteStream(temporary ?? path, temporary === undefined ? {} : options);
  }

  /**
   * Checks that a file may be written, and returns a function that opens it: nothing is touched before that.
   *
   * @throws UsageError if it is one of the inputs, or exists and may not be overwritten
   */
  static async claim(output: string, { overwrites, inputs, grows = false }: Claim): Promise<() => OutputFile> {
    const wanted = await writtenPath(output);
    const facts = await factsOf(wanted);
    // With a separator at its end, the name is that of a folder even if there is none; Windows would write a file.
    if (facts?.isDirectory() || wanted.endsWith("/") || wanted.endsWith(sep)) {
      throw new UsageError(`${output}: this is a folder, not a file`);
    }
    if (facts !== undefined && !facts.isFile()) {
      const target = await systemPath(wanted);
      return () => new OutputFile(output, target);
    }
    if (facts === undefined && (await isUnknownName(wanted))) {
      throw new UsageError(`${output}: this name is not UTF-8; name a file that can be written`);
    }
    const lost = await sameFile(wanted, inputs);
    if (lost !== undefined) throw new UsageError(`${output}: this is the input ${lost}, which would be overwritten`);
    if (facts !== undefined && !overwrites) throw new UsageError(`${output} exists; --force overwrites it`);
    // A link stays a link.
    const path = await realPath(wanted);
    if (grows) {
      const target = await systemPath(path);
      return () => new OutputFile(output, target);
    }
    // The name may be as long as the system allows: nothing could be added to all of it.
    const start = basename(path).slice(0, TEMPORARY_START);
    const { randomBytes } = await import("node:crypto");
    const part = join(dirname(path), `.${start}.${randomBytes(4).toString("hex")}.part`);
    const [target, temporary] = [await systemPath(path), await systemPath(part)];
    // A file that only its owner may read must not become readable by everyone.
    const mode = facts === undefined ? undefined : Number(facts.mode) & 0o777;
    return () => new OutputFile(output, target, temporary, mode);
  }

  /** Gives the file its name, or deletes it if it is incomplete. */
  async settle(isWhole: boolean): Promise<void> {
    const { temporary, path } = this;
    if (temporary === undefined) return;
    try {
      if (isWhole) await patiently(() => rename(temporary, path));
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

/** Returns the one of `files` that is the same file as `path`, by whatever name. "-" is standard input. */
export async function sameFile(path: string, files: readonly string[]): Promise<string | undefined> {
  const target = await factsOf(path);
  if (target === undefined) return undefined;
  for (const file of files) {
    const facts = file === STANDARD_INPUT ? factsOfStdin() : await factsOf(file);
    if (facts?.isFile() && facts.dev === target.dev && facts.ino === target.ino) {
      return file === STANDARD_INPUT ? "on standard input" : file;
    }
  }
  return undefined;
}

function factsOf(path: string): Promise<BigIntStats | undefined> {
  return systemPath(path)
    .then((one) => stat(one, { bigint: true }))
    .catch(() => undefined);
}

function factsOfStdin(): BigIntStats | undefined {
  try {
    return fstatSync(0, { bigint: true });
  } catch {
    return undefined;
  }
}
