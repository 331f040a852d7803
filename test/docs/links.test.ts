import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { posix, sep } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../src/cli/setup/whole-program.js";
import { projectPath } from "../support/project-path.js";
import { type Page, page, pages } from "./pages.js";

/** Every page links to what exists, and the pages say what they are expected to say about all of something. */

const linking = [...pages, page("CHANGELOG.md"), ...["dissectors", "samples", "test"].flatMap(pagesIn)];

function pagesIn(folder: string): Page[] {
  const names = readdirSync(projectPath(folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".md")).map((name) => page(posix.join(folder, ...name.split(sep))));
}

const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(projectPath("package.json"), "utf8"));

/** The files of the project that a page links to, each with the place in it. */
function linksOf({ path, text }: Page): { readonly target: string; readonly anchor: string }[] {
  const outsideBlocks = text.replace(/^ *```.*\n(?:.*\n)*? *```$/gm, "").replace(/`[^`\n]*`/g, "code");
  return [...outsideBlocks.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^https?:/.test(link)) return [];
    const [file = "", anchor = ""] = link.split("#");
    return [{ target: file === "" ? path : posix.join(posix.dirname(path), file), anchor }];
  });
}

/** The names that code hosts give to the headings of a page. */
function anchorsOf({ text }: Page): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    return heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  });
}

/** True if npm puts a file of the project into the package. */
function isShipped(path: string): boolean {
  return [...manifest.files, "package.json"].some((entry) => path === entry || path.startsWith(`${entry}/`));
}

describe.each(linking)("$path", (linked) => {
  it("links to files and headings that exist", () => {
    const broken = linksOf(linked).filter(({ target, anchor }) => {
      if (!existsSync(projectPath(target))) return true;
      return anchor !== "" && !anchorsOf(page(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe("the README", () => {
  const readme = page("README.md");

  it("links only to what is in the package", () => {
    expect(linksOf(readme).length).toBeGreaterThan(15);
    expect(linksOf(readme).filter(({ target }) => !isShipped(target))).toEqual([]);
  });

  it("links to every page beside it", () => {
    const linked = linksOf(readme).map(({ target }) => target);
    expect(pages.map(({ path }) => path).filter((path) => path !== "README.md" && !linked.includes(path))).toEqual([]);
  });

  it("names every command", async () => {
    const surroundings = { stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
    const { commands } = await commandLine(
      surroundings,
      () => {},
      () => {},
    );
    const [, table = ""] = /## Commands\n\n(.*?)\n\n/s.exec(readme.text) ?? [];
    const missing = commands.map((command) => command.name()).filter((name) => !new RegExp(`\`${name}\\b`).test(table));
    expect(missing).toEqual([]);
  });
});

describe("the page about the architecture", () => {
  const { text } = page("docs/ARCHITECTURE.md");

  it("names every room", () => {
    const rooms = readdirSync(projectPath("src")).filter((name) => statSync(projectPath(`src/${name}`)).isDirectory());
    expect(rooms.filter((room) => !text.includes(`\`${room}\``))).toEqual([]);
  });
});
