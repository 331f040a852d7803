import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Builds the program into a folder of its own, so that a test does not depend on who has built last; gives the path of
 * what a user runs.
 */
export function buildProgram(folder: string): string {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const build = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
  // Types are not what is tested with it.
  spawnSync(process.execPath, [compiler, ...build], { stdio: "ignore" });
  const program = join(folder, "dist/bin/moul-dissect.js");
  if (!existsSync(program)) throw new Error("the program could not be built");
  return program;
}
