import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { licencesOf } from "../../build/licences.js";
import { projectPath } from "../support/project-path.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** Bundles that are passed on without the packages in them, and some of these. */
const BUNDLES = [
  ["dist/web/moul-dissect.html", ["preact", "@preact/signals", "comlink", "uplot", "pako", "pcap-parser"]],
  ["dist/browser/LICENSES.txt", ["buffer", "events", "pako", "pcap-parser"]],
  ["dist/LICENSES.txt", ["commander", "lz4-browser", "pako", "pcap-parser"]],
] as const;

describe("the licences of what is bundled", () => {
  const folder = temporaryFolder();
  const write = filesIn(folder);
  const inPackage = (name: string, manifest: object, files: Readonly<Record<string, string>>) => {
    const at = `node_modules/${name}`;
    write(`${at}/package.json`, JSON.stringify({ name, version: "1.2.3", ...manifest }));
    for (const [file, text] of Object.entries(files)) write(`${at}/${file}`, text);
    return join(folder, at, "lib", "index.js");
  };

  it("are in the words of each package, in order", () => {
    const modules = [
      inPackage("@some/one", { license: "ISC" }, { "license.md": "May be used.\r\nAs it is.\r\n" }),
      inPackage("another", { license: "MIT" }, { LICENSE: "Permission is granted." }),
      join(folder, "src", "own.ts"),
    ];
    expect(licencesOf([...modules, ...modules])).toBe(
      [
        ["@some/one 1.2.3", "---------------", "", "May be used.\nAs it is.", "", ""],
        ["another 1.2.3", "-------------", "", "Permission is granted.", ""],
      ]
        .flat()
        .join("\n"),
    );
  });

  it("are those that packages name, if they have no text", () => {
    const module = inPackage("brief", { license: "MIT", author: { name: "Its author" } }, {});
    expect(licencesOf([module])).toContain("\nLicense: MIT\nAuthor: Its author\n");
  });

  it("must not be unknown", () => {
    expect(() => licencesOf([inPackage("unknown", {}, {})])).toThrow(/"unknown".* licence/);
  });

  it("are those of a package within another one, where a module is from there", () => {
    inPackage("outer", { license: "MIT" }, {});
    const inner = inPackage("outer/node_modules/inner", { name: "inner", license: "ISC" }, {});
    expect(licencesOf([inner])).toBe("inner 1.2.3\n-----------\n\nLicense: ISC\n");
  });
});

describe.each(BUNDLES)("%s (skipped unless it is built)", (file, packages) => {
  const path = projectPath(file);

  it.skipIf(!existsSync(path)).each(packages)("has the licence of %s", (name) => {
    const { version }: { version: string } = JSON.parse(
      readFileSync(projectPath(`node_modules/${name}/package.json`), "utf8"),
    );
    const text = `\n${readFileSync(path, "utf8")}`;
    const at = text.lastIndexOf(`\n${name} ${version}\n`);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(text.slice(at, at + 1000)).toMatch(/permission is hereby granted|apache license|copyright/i);
  });
});
