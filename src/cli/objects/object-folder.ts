import { lstat, mkdir, open, stat } from "node:fs/promises";
import { join, parse } from "node:path";
import { safePath } from "./safe-path.js";

/** Most files of one name: more are a sign of something else. */
const MOST_NAMESAKES = 10_000;
/** Names whose next number is known; of any others, it is found again. */
const MOST_NUMBERED = 10_000;
/** Most names that are tried for a folder, where there are files. */
const MOST_FOLDERS = 8;

/** A folder into which objects are written, none over another file. */
export class ObjectFolder {
  /** The number that the next file of a name has, if it is still free. */
  readonly #next = new Map<string, number>();

  constructor(readonly path: string) {}

  /**
   * Writes a file; one that exists keeps its name, and the new one gets a number.
   *
   * @param kind the folder below this one
   * @returns its path
   * @throws Error if it cannot be written
   */
  async write(kind: string, name: string, bytes: Uint8Array): Promise<string> {
    const parts = safePath(name);
    const last = parts.pop() ?? "";
    await mkdir(this.path, { recursive: true });
    let folder = this.path;
    for (const part of [kind, ...parts]) folder = await folderIn(folder, part);
    const wanted = join(folder, last);
    for (let from = this.#next.get(wanted) ?? 1; ; from++) {
      const number = await freeNumber(wanted, from);
      if (number > MOST_NAMESAKES) throw new Error(`there are too many files called ${wanted}`);
      if (this.#next.size >= MOST_NUMBERED) this.#next.clear();
      this.#next.set(wanted, number + 1);
      const path = numbered(wanted, number);
      const file = await open(path, "wx").catch(unlessItExists);
      if (file === undefined) continue;
      try {
        await file.writeFile(bytes);
      } finally {
        await file.close();
      }
      return path;
    }
  }
}

/** Makes a folder if it is not there; where a file has its name, it gets another. */
async function folderIn(path: string, name: string): Promise<string> {
  let wanted = join(path, name);
  for (let tries = 1; tries <= MOST_FOLDERS; tries++, wanted += "_") {
    await mkdir(wanted).catch(unlessItExists);
    if ((await stat(wanted)).isDirectory()) return wanted;
  }
  throw new Error(`there are files called ${join(path, name)}`);
}

/** A number that no file of a name has: the first one from `from` on, if those below it are taken. */
async function freeNumber(wanted: string, from: number): Promise<number> {
  let [taken, free] = [from - 1, from];
  while (free <= MOST_NAMESAKES && (await exists(numbered(wanted, free)))) [taken, free] = [free, 2 * free];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await exists(numbered(wanted, middle))) taken = middle;
    else free = middle;
  }
  return free;
}

function numbered(wanted: string, number: number): string {
  const { dir, name, ext } = parse(wanted);
  return number === 1 ? wanted : join(dir, `${name}-${number}${ext}`);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(unlessItLacks)) !== undefined;
}

function unlessItExists(error: unknown): undefined {
  if (!hasCode(error, "EEXIST")) throw error;
}

function unlessItLacks(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
