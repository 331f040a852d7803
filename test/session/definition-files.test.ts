import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Dissector, dissectors } from "../../src/index.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { readDefinitionFiles } from "../../src/session/files/definition-files.js";
import { readKeyFiles } from "../../src/session/files/key-files.js";
import { encryptedFile } from "../dissectors/moul/keys/encryption.js";
import { modesCount } from "../support/platform.js";
import { toyDissector } from "../support/toy.js";

const AGE = "STATEDESC Age { VERSION 1 VAR INT number[1] }\n";
const OTHER = "STATEDESC Age { VERSION 1 VAR INT number[2] }\n";
const DROID_HEX = "31415926535897932384626433832795";
const DROID = [0x31415926n, 0x53589793n, 0x23846264n, 0x33832795n];

let root = "";
const at = (...names: string[]) => join(root, ...names);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "definitions-"));
  await mkdir(at("mixed", "deeper.sdl", "deepest"), { recursive: true });
  await mkdir(at("nothing"));
  await mkdir(at("ordered", "Age"), { recursive: true });
  const files: [string, string | Uint8Array][] = [
    ["plain.sdl", AGE],
    ["no-descriptors.txt", "hello\n"],
    ["wrong.sdl", "STATEDESC Age { VERSION 1 VAR FOO x[1] }\n"],
    ["partly.sdl", `STATEDESC Age { VERSION 1 VAR FOO x[1] }\n${OTHER}`],
    ["droid.sdl", encryptedFile("notthedroids", AGE, DROID)],
    [join("mixed", "b.SDL"), OTHER],
    [join("mixed", "a.sdl"), encryptedFile("whatdoyousee", AGE)],
    [join("mixed", "page.sdl"), "not what its name says\n"],
    [join("mixed", "python.pak"), encryptedFile("notthedroids", "no definitions", DROID)],
    [join("mixed", "deeper.sdl", "c.sdl"), "STATEDESC Deeper { VERSION 1 }"],
    [join("mixed", "deeper.sdl", "deepest", "d.sdl"), "STATEDESC Deepest { VERSION 1 }"],
    [join("nothing", "readme.sdl"), "hello\n"],
    [join("ordered", "Age", "z.sdl"), AGE],
    [join("ordered", "Age2.sdl"), OTHER],
    ["dirtsand.ini", `Key.Droid = ${DROID_HEX}\n`],
  ];
  await Promise.all(files.map(([name, content]) => writeFile(at(name), content)));
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** The result of reading paths; the remarks omit the folder of the files. */
async function read(paths: readonly string[], keyFiles: Parameters<typeof givenFiles>[0] = []) {
  const { keys } = await readKeyFiles(givenFiles(keyFiles), dissectors);
  const { definitions, remarks, complete } = await readDefinitionFiles(
    givenFiles(paths.map((path) => at(path))),
    dissectors,
    keys,
  );
  const files = [...definitions.values()].flat().length;
  return { files, complete, remarks: remarks.map((remark) => remark.replaceAll(join(root, "/"), "")) };
}

describe("definition files", () => {
  it("are read by name", async () => {
    expect(await read(["plain.sdl"])).toEqual({ files: 1, complete: true, remarks: [] });
    expect(await read([])).toEqual({ files: 0, complete: true, remarks: [] });
  });

  it("are read from a folder and its subfolders, in the order of their names, whatever else is in there", async () => {
    expect(await read(["mixed"])).toEqual({
      files: 3,
      complete: true,
      remarks: [
        `${join("mixed", "b.SDL")}: Age version 1 was declared before, and differently; this declaration counts`,
      ],
    });
  });

  it("are read in the same order on every system", async () => {
    const remark = `${join("ordered", "Age2.sdl")}: Age version 1 was declared before, and differently; this declaration counts`;
    expect((await read(["ordered"])).remarks).toEqual([remark]);
  });

  it("are recognised in a folder by the extension that a dissector gives", async () => {
    const seen: string[] = [];
    const stranger: Dissector = {
      ...toyDissector(),
      definitionEnding: ".TXT",
      readDefinitions(path) {
        seen.push(basename(path));
        return { recognised: true, remarks: [] };
      },
    };
    await readDefinitionFiles(givenFiles([root]), [stranger], new Map());
    expect(seen).toEqual(["no-descriptors.txt"]);
  });

  it("that were named and cannot be used make the result incomplete", async () => {
    expect(await read(["no-descriptors.txt", "plain.sdl"])).toEqual({
      files: 1,
      complete: false,
      remarks: ["no-descriptors.txt: not a definition file of a known kind"],
    });
    expect(await read(["missing.sdl"])).toEqual({
      files: 0,
      complete: false,
      remarks: ["missing.sdl: the definition file cannot be read (there is no such file)"],
    });
    expect(await read(["nothing"])).toEqual({
      files: 0,
      complete: false,
      remarks: ["nothing: this folder contains no usable definition files"],
    });
  });

  it("with mistakes are used as far as possible", async () => {
    expect(await read(["partly.sdl"])).toEqual({
      files: 1,
      complete: true,
      remarks: ["partly.sdl, line 1: FOO is not a variable type", "partly.sdl, line 1: Age version 1 is left out"],
    });
  });

  it("without anything that can be used are refused", async () => {
    expect(await read(["wrong.sdl"])).toEqual({
      files: 0,
      complete: false,
      remarks: [
        "wrong.sdl, line 1: FOO is not a variable type",
        "wrong.sdl, line 1: Age version 1 is left out",
        "wrong.sdl: no usable state descriptor in this file",
      ],
    });
  });

  it("are decrypted with keys from the key files", async () => {
    const missing =
      "encrypted (notthedroids), and no key turns it into a .sdl file; give its key with --sdl-key or --keys";
    expect(await read(["droid.sdl"])).toEqual({ files: 0, complete: false, remarks: [`droid.sdl: ${missing}`] });
    expect(await read(["droid.sdl"], [at("dirtsand.ini")])).toEqual({ files: 1, complete: true, remarks: [] });
    const key = { name: "--sdl-key", bytes: Buffer.from(`Key.Droid = ${DROID_HEX}`) };
    expect(await read(["droid.sdl"], [key])).toEqual({ files: 1, complete: true, remarks: [] });
  });

  it.runIf(modesCount)("without read permission cause a remark", async () => {
    await writeFile(at("secret.sdl"), AGE);
    await chmod(at("secret.sdl"), 0);
    expect((await read(["secret.sdl"])).remarks).toEqual([
      "secret.sdl: the definition file cannot be read (permission denied)",
    ]);
  });
});
