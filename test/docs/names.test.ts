import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectPath } from "../support/project-path.js";
import { page, pages } from "./pages.js";

/** What pages name without linking to it exists: files, folders, scripts. What has to be named is named. */

const manifest: Readonly<Record<"scripts" | "exports", Readonly<Record<string, unknown>>>> = JSON.parse(
  readFileSync(projectPath("package.json"), "utf8"),
);

/** Folders of the project in which files are named. */
const FOLDERS = [".ci", "bin", "build", "dissectors", "docs", "samples", "src", "test"];

/** Files and folders, and what the package exports. */
const files = [
  ...FOLDERS.flatMap((folder) => [folder, ...below(folder)]),
  ...Object.keys(manifest.exports).map((name) => name.replace(/^\./, "moul-dissect")),
];

function below(folder: string): string[] {
  const entries = readdirSync(projectPath(folder), { recursive: true, encoding: "utf8" });
  return entries.map((entry) => `${folder}/${entry.replaceAll("\\", "/")}`);
}

/** Pieces of code within sentences and tables. */
function codeIn(text: string): string[] {
  const outsideBlocks = text.replace(/^ *```.*\n(?:.*\n)*? *```$/gm, "");
  return [...outsideBlocks.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
}

/** The paths that a page names: those with a folder, and files of TypeScript. */
function pathsIn(text: string): string[] {
  return codeIn(text)
    .filter((code) => /^(?!\d)[\w.*-]+(?:\/[\w.*-]+)*\/?$/.test(code) && (code.includes("/") || code.endsWith(".ts")))
    .map((code) => code.replace(/\/$/, ""));
}

/** True for a path or its end; `*` and NAME stand for any name, and `.ts` may be missing. */
function exists(path: string): boolean {
  const end = path.replaceAll(".", "\\.").replace(/\*|\bNAME\b/g, "[^/]+");
  const pattern = new RegExp(`(?:^|/)${end}(?:\\.ts)?$`);
  return files.some((file) => pattern.test(file));
}

describe.each(pages)("$path", ({ text }) => {
  it("names files and folders that exist", () => {
    expect(pathsIn(text).filter((path) => !exists(path))).toEqual([]);
  });

  it("takes this package from no registry, where somebody else may have put another one", () => {
    expect(text).not.toMatch(/\bnp(?:m|x) (?:(?:install|i|exec|-\S+) )*moul-dissect(?![-.\w]*\.tgz)/);
  });

  it("names scripts that exist", () => {
    const named = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
  });
});

it("pages name many files", () => {
  expect(pages.flatMap(({ text }) => pathsIn(text)).length).toBeGreaterThan(50);
});

it("the page about the command line names every environment variable that the program reads", () => {
  const sources = below("src/cli").filter((path) => path.endsWith(".ts"));
  const read = sources.flatMap((path) => [
    ...readFileSync(projectPath(path), "utf8").matchAll(/\benv(?:\.|\[")([A-Z_]+)/g),
  ]);
  const names = new Set(read.map(([, name = ""]) => name));
  // Where programs are is the matter of the system.
  names.delete("PATH");
  const [, table = ""] = /## Environment\n\n(.*?)\n\n/s.exec(page("docs/command-line.md").text) ?? [];
  expect([...names].filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  expect(names.size).toBeGreaterThan(4);
});
