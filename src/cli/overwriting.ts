import { stat } from "node:fs/promises";

/** The one of some files that is the same as `output`, by whatever name: it would be lost. */
export async function overwritten(output: string, files: readonly string[]): Promise<string | undefined> {
  const target = await identity(output);
  if (target === undefined) return undefined;
  for (const file of files) if ((await identity(file)) === target) return file;
  return undefined;
}

/** What tells a file from all others; undefined if there is none, or if it is none that has a content of its own. */
async function identity(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isFile() ? `${stats.dev} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
