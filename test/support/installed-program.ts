import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
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
  built ??= build();
  cpSync(join(built, "dist"), folder, { recursive: true });
  return join(folder, "bin", "moul-dissect.js");
}

/** The folder in which the files of the program are built, once in a process. */
let built: string | undefined;
process.once("exit", () => {
  if (built !== undefined) rmSync(built, { recursive: true, force: true });
});

function build(): string {
  const folder = mkdtempSync(join(tmpdir(), "moul-dissect-built-"));
  const bundler = join(dirname(createRequire(import.meta.url).resolve("rolldown/package.json")), "bin", "cli.mjs");
  const args = [bundler, "-c", "build/program.ts", "--dir", join(folder, "dist")];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: projectPath(""), encoding: "utf8" });
  if (status !== 0) throw new Error(`the program could not be built: ${stderr}`);
  return folder;
}
