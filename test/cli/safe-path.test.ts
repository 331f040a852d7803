import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ObjectFolder } from "../../src/cli/objects/object-folder.js";
import { safePath } from "../../src/cli/objects/safe-path.js";
import { anyText } from "../support/any-text.js";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

const HOSTILE = [
  "../../etc/passwd",
  "..\\..\\x",
  "C:\\Windows\\x",
  "/etc/x",
  "a/../../b",
  "NUL",
  "con.txt",
  ".ssh/id",
  "",
  "...",
  "a\u0000b",
  "x\u202egpj.exe",
  "漢".repeat(200),
  `${"a".repeat(99)}𝒜`,
];

describe("captured names", () => {
  it.each(HOSTILE)("%j stays below the folder", (name) => {
    const parts = safePath(name);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(part).toMatch(/^(?!\.)[\p{L}\p{N} ._()+'-]+$/u);
  });

  it.each(["NUL", "con.txt", "con .txt", "COM1", "COM¹", "lpt³.txt"])("%j is no device of Windows", (name) => {
    expect(safePath(name)).toEqual([`_${name}`]);
  });

  it("are no longer than file systems allow, with a number", () => {
    for (const name of ["漢".repeat(200), "𝒜".repeat(200), "a".repeat(300)]) {
      const [part = ""] = safePath(name);
      expect(Buffer.byteLength(part)).toBeGreaterThan(90);
      expect(Buffer.byteLength(part)).toBeLessThan(240);
      expect(part).not.toMatch(/\p{Cs}/u);
    }
  });

  it("never lead out of the folder, whatever they are", () => {
    fc.assert(
      fc.property(anyText(), (name) => {
        const path = relative("/base", join("/base", ...safePath(name)));
        expect(path).not.toBe("");
        expect(path.startsWith("..") || isAbsolute(path)).toBe(false);
      }),
    );
  });
});

describe("objects", () => {
  const folder = () => mkdtempSync(join(tmpdir(), "moul-dissect-objects-"));

  it("are written over nothing", async () => {
    const path = folder();
    const objects = new ObjectFolder(path);
    const first = await objects.write("files", "a/b.txt", Uint8Array.of(1));
    const second = await objects.write("files", "a/b.txt", Uint8Array.of(2));
    expect([first, second].map((one) => relative(path, one))).toEqual([
      join("files", "a", "b.txt"),
      join("files", "a", "b-2.txt"),
    ]);
    expect(readFileSync(first)).toEqual(Buffer.of(1));
  });

  it("of names that no file system could hold are written", async () => {
    const path = folder();
    const objects = new ObjectFolder(path);
    for (let time = 1; time <= 2; time++) await objects.write("files", "漢".repeat(200), Uint8Array.of(time));
    expect(readdirSync(join(path, "files"))).toHaveLength(2);
  });

  it("are written where a file has the name of their folder", async () => {
    const path = folder();
    const objects = new ObjectFolder(path);
    const written: string[] = [];
    for (const name of ["a", "a/b", "a/c", "a"]) written.push(await objects.write("files", name, new Uint8Array(1)));
    expect(written.map((one) => relative(join(path, "files"), one))).toEqual([
      "a",
      join("a_", "b"),
      join("a_", "c"),
      "a-2",
    ]);
  });

  it.skipIf(process.platform === "win32")("are written to a folder that lies elsewhere", async () => {
    const [path, elsewhere] = [folder(), folder()];
    symlinkSync(elsewhere, join(path, "files"));
    await new ObjectFolder(path).write("files", "a", new Uint8Array(1));
    expect(readdirSync(elsewhere)).toEqual(["a"]);
  });

  it("of one name are numbered without trying all numbers again", async () => {
    const path = folder();
    const objects = new ObjectFolder(path);
    const count = 1000;
    for (let number = 1; number <= count; number++) await objects.write("files", "a.txt", new Uint8Array(0));
    const names = Array.from({ length: count - 1 }, (_, index) => `a-${index + 2}.txt`);
    expect(new Set(readdirSync(join(path, "files")))).toEqual(new Set(["a.txt", ...names]));
    // Nor does one that knows nothing of them.
    const next = await new ObjectFolder(path).write("files", "a.txt", new Uint8Array(0));
    expect(relative(path, next)).toBe(join("files", `a-${count + 1}.txt`));
  });

  it("are unpacked and held against the list of files", async () => {
    const path = folder();
    const { stdout } = await run(["objects", sample("dirtsand-session.pcap"), "-o", path, "--json"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ state }) => state === "whole, as listed, unpacked")).toHaveLength(2);
    for (const { file } of lines) if (file !== null) expect(existsSync(file)).toBe(true);
    expect(readdirSync(join(path, "voices")).sort()).toEqual(["Alice of D'ni 467.spx", "Böb 463.spx"]);
  });
});
