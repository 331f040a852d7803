import { mkdir, open } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { safePath } from "./safe-path.js";

/** Most files of one name: more are a sign of something else. */
const MOST_NAMESAKES = 10_000;

/** A folder into which objects are written, none over another file. */
export class ObjectFolder {
  constructor(readonly path: string) {}

  /**
   * Writes a file; one that exists keeps its name, and the new one gets a number.
   *
   * @param kind the folder below this one
   * @returns its path
   * @throws Error if it cannot be written
   */
  async write(kind: string, name: string, bytes: Uint8Array): Promise<string> {
    const wanted = join(this.path, kind, ...safePath(name));
    await mkdir(dirname(wanted), { recursive: true });
    const { dir, name: stem, ext } = parse(wanted);
    for (let number = 1; number <= MOST_NAMESAKES; number++) {
      const path = number === 1 ? wanted : join(dir, `${stem}-${number}${ext}`);
      const file = await open(path, "wx").catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return undefined;
        throw error;
      });
      if (file === undefined) continue;
      try {
        await file.writeFile(bytes);
      } finally {
        await file.close();
      }
      return path;
    }
    throw new Error(`there are too many files called ${wanted}`);
  }
}
