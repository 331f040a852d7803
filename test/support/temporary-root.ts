import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run of the tests a folder for temporary files, which is removed with all that skipped tests, and programs that
 * were ended, have left there. Workers inherit the environment.
 */
export default function setUp(): () => void {
  const root = mkdtempSync(join(tmpdir(), "moul-dissect-tests-"));
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = root;
  return () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
