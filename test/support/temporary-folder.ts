import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, or of a `describe`, which is gone when they are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "moul-dissect-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
