import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { projectPath } from "./project-path.js";

/**
 * Builds the program into a folder of its own, so that a test does not depend on the last build; returns the path of
 * the file that a user runs.
 */
export function buildProgram(folder: string): string {
  mkdirSync(folder, { recursive: true });
  copyFileSync(projectPath("package.json"), join(folder, "package.json"));
  symlinkSync(projectPath("node_modules"), join(folder, "node_modules"), "junction");
  return buildInto(join(folder, "dist"));
}

/** Writes the files of the program into a folder; returns the path of the file that a user runs. */
export function buildInto(folder: string): string {
  const bundler = join(dirname(createRequire(import.meta.url).resolve("rolldown/package.json")), "bin", "cli.mjs");
  spawnSync(process.execPath, [bundler, "-c", "--dir", folder], { cwd: projectPath(""), stdio: "ignore" });
  const program = join(folder, "bin", "moul-dissect.js");
  if (!existsSync(program)) throw new Error("the program could not be built");
  return program;
}
