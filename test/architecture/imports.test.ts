import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ownEntries } from "../../own-entries.js";

const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** What dissectors may import: the same as the package offers to dissectors from outside. */
const PUBLIC = [
  "src/schema/index.ts",
  "src/schema/big-endian.ts",
  "src/schema/little-endian.ts",
  "src/session/dissector.ts",
];

/** Where field trees are stored: everything else reads them through `FieldTree`. */
const STORE = "src/schema/nodes.ts";

/**
 * Single files that belong to no room: the limits that bound every room on the data's path, the meanings of file errors,
 * and the paths of files whose names are not UTF-8.
 */
const LIMITS = "src/limits.ts";
const FILE_ERROR = "src/file-error.ts";
const SYSTEM_PATH = "src/system-path.ts";

/** What the files of a room may import besides each other: rooms, or single files. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  [LIMITS]: [],
  [FILE_ERROR]: [],
  [SYSTEM_PATH]: [],
  "src/capture": [LIMITS, FILE_ERROR, SYSTEM_PATH],
  "src/network": [LIMITS, "src/capture"],
  "src/schema": [LIMITS],
  "src/session": [LIMITS, FILE_ERROR, SYSTEM_PATH, "src/network", "src/schema"],
  "src/dissect": [LIMITS, "src/network", "src/schema", "src/session"],
  "src/export": [LIMITS, "src/capture", "src/network", "src/schema", "src/session"],
  "src/scrub": ["src/network", "src/schema", "src/session", "src/dissect", "src/export"],
  "src/filter": ["src/network", "src/schema", "src/dissect"],
  "src/stats": [LIMITS, "src/network", "src/schema", "src/dissect"],
  "src/check": ["src/schema", "src/dissect", "src/filter"],
  "src/output": ["src/network", "src/schema", "src/session", "src/dissect", "src/filter", "src/stats", "src/check"],
  // Connects the rooms.
  src: [
    LIMITS,
    "src/capture",
    "src/network",
    "src/schema",
    "src/session",
    "src/dissect",
    "src/filter",
    "src/output",
    "dissectors/moul",
    "dissectors/bzflag",
  ],
  "src/cli": ["src"],
  bin: ["src/cli"],
  "dissectors/moul": PUBLIC,
  "dissectors/bzflag": PUBLIC,
};

function roomOf(file: string): string {
  if ([LIMITS, FILE_ERROR, SYSTEM_PATH].includes(file)) return file;
  const [top = "", second = "", third] = file.split("/");
  return top === "bin" || (top === "src" && third === undefined) ? top : `${top}/${second}`;
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.flatMap((specifier) => {
    const own =
      ownEntries[specifier] ?? (specifier.startsWith(".") ? resolve(root, dirname(file), specifier) : undefined);
    return own === undefined ? [] : [relative(root, own).split(sep).join("/").replace(/\.js$/, ".ts")];
  });
}

/** The imports of a file that its room does not allow. */
function forbidden(file: string): string[] {
  const room = roomOf(file);
  const allowed = ALLOWED[room] ?? [];
  return importsOf(file).filter(
    (target) => roomOf(target) !== room && !allowed.some((place) => target === place || target.startsWith(`${place}/`)),
  );
}

describe("imports between rooms", () => {
  const files = [...sources("src"), ...sources("bin"), ...sources("dissectors")];

  it("cover every room", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => ALLOWED[roomOf(file)] === undefined)).toEqual([]);
  });

  it("form no cycle, whatever a room may import", () => {
    const rooms = Object.keys(ALLOWED);
    const importedBy = (room: string) =>
      rooms.filter((other) => other !== room && (ALLOWED[room] ?? []).some((place) => other.startsWith(place)));
    const settled: string[] = [];
    for (;;) {
      const next = rooms.find(
        (room) => !settled.includes(room) && importedBy(room).every((one) => settled.includes(one)),
      );
      if (next === undefined) break;
      settled.push(next);
    }
    expect(settled.toSorted()).toEqual(rooms.toSorted());
  });

  it("are those of a stranger in dissectors: by the package's name, not by paths into its sources", () => {
    const byPath = sources("dissectors").filter((file) =>
      /(?:from|import)\s*\(?\s*"(?:\.\.\/)+src\//.test(readFileSync(join(root, file), "utf8")),
    );
    expect(byPath).toEqual([]);
  });

  it("leave writing field trees to the schema language", () => {
    const users = files.filter((file) => importsOf(file).includes(STORE)).map(roomOf);
    expect(new Set(users)).toEqual(new Set(["src/schema"]));
  });

  it("follow the data, never the other way", () => {
    expect(files.flatMap((file) => forbidden(file).map((target) => `${file} imports ${target}`))).toEqual([]);
  });
});
