import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, or of a `describe`, which is removed afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "moul-dissect-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Returns a function that writes files into a folder, readable by nobody else, as key files should be, and returns
 * their paths.
 */
export function filesIn(folder: string): (name: string, content: string | Uint8Array) => string {
  return (name, content) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
}
