import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildInto } from "../support/installed-program.js";
import { projectPath } from "../support/project-path.js";

/** Packs the program as docs/spark.md does, but with the packages that are here; returns the path of the archive. */
export function packProgram(folder: string): string {
  const program = join(folder, "program");
  const own = join(program, "node_modules", "moul-dissect");
  mkdirSync(own, { recursive: true });
  copyFileSync(projectPath("package.json"), join(own, "package.json"));
  buildInto(join(own, "dist"));
  const pending = dependenciesIn(projectPath("package.json"));
  const copied = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (copied.has(name)) continue;
    copied.add(name);
    const target = join(program, "node_modules", name);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(projectPath(`node_modules/${name}`), target, { recursive: true });
    pending.push(...dependenciesIn(projectPath(`node_modules/${name}/package.json`)));
  }
  copyFileSync(process.execPath, join(program, "node"));
  const archive = join(folder, "program.tgz");
  // Packed fast, as it is unpacked a few times only.
  execFileSync("tar", ["cf", archive, "-I", "gzip -1", "-C", program, "."]);
  return archive;
}

function dependenciesIn(path: string): string[] {
  const { dependencies = {} }: { readonly dependencies?: object } = JSON.parse(readFileSync(path, "utf8"));
  return Object.keys(dependencies);
}
