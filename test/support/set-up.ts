import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildTested } from "../../build/tested.js";

const PREFIX = "moul-dissect-";

/**
 * Builds the sources for a run of the tests, and gives it a folder for temporary files, which is removed with all that
 * skipped tests, and programs that were ended, have left there. Workers inherit the environment.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  // Vitest calls this for each project as well; sockets in folders within folders have paths that are too long.
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const root = mkdtempSync(join(tmpdir(), PREFIX));
  // Some tests start a program as another user.
  chmodSync(root, 0o711);
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = root;
  await buildTested();
  project.onTestsRerun(buildTested);
  return () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
