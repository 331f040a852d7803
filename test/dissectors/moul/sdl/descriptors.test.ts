import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMoulKeys } from "../../../../dissectors/moul/keys/moul-keys.js";
import { descriptorsIn, readSdlFile } from "../../../../dissectors/moul/sdl/descriptors.js";
import { encryptedFile } from "../keys/encryption.js";
import { given } from "./given.js";

const DROID = [0x31415926n, 0x53589793n, 0x23846264n, 0x33832795n];
const droidFile = readMoulKeys("dirtsand.ini", Buffer.from("Key.Droid = 31415926535897932384626433832795\n"));
const AGE = "STATEDESC Age { VERSION 1 VAR INT number[1] }\n";

function read(bytes: Uint8Array | string, ...keys: Parameters<typeof readSdlFile>[2]) {
  const { recognised, remarks } = readSdlFile("folder/x.sdl", Buffer.from(bytes), keys);
  return { recognised, remarks };
}

describe("a definition file", () => {
  it.each([
    ["plain", Buffer.from(AGE)],
    ["with Windows line ends", Buffer.from(AGE.replaceAll(" ", "\r\n"))],
    ["with a byte order mark", Buffer.from(`\uFEFF${AGE}`)],
    ["in UTF-16", Buffer.from(`\uFEFF${AGE}`, "utf16le")],
    ["in UTF-16, most significant byte first", Buffer.from(`\uFEFF${AGE}`, "utf16le").swap16()],
    ["with comments in Latin-1", Buffer.from(`# caf\xe9\n${AGE}`, "latin1")],
    ["encrypted with the default key", encryptedFile("whatdoyousee", AGE)],
    ["encrypted with the older form", encryptedFile("BriceIsSmart", AGE)],
    ["encrypted as servers do", encryptedFile("notthedroids", AGE)],
  ])("is read %s", (_, bytes) => {
    expect(read(bytes)).toEqual({ recognised: true, remarks: [] });
    const descriptors = descriptorsIn([readSdlFile("x.sdl", bytes, [])]);
    expect(typeof descriptors.record("Age", 1)).toBe("object");
  });

  it("is decrypted with the key of a key file", () => {
    const file = encryptedFile("notthedroids", AGE, DROID);
    expect(read(file, droidFile)).toEqual({ recognised: true, remarks: [] });
    const why = "encrypted (notthedroids), and no key turns it into a .sdl file; give its key with --sdl-key or --keys";
    expect(read(file)).toEqual({ recognised: false, remarks: [`folder/x.sdl: ${why}`] });
  });

  it("is not recognised by name alone", () => {
    expect(read("#!/bin/sh\necho hello\n")).toEqual({ recognised: false, remarks: [] });
    expect(read("")).toEqual({ recognised: false, remarks: [] });
    expect(read(`\0${AGE}`)).toEqual({ recognised: false, remarks: [] });
    const python = encryptedFile("notthedroids", "print('STATE')");
    expect(read(python).recognised).toBe(false);
  });

  it("says so if nothing in it can be used", () => {
    expect(read("# STATEDESC to be written")).toEqual({
      recognised: false,
      remarks: ["folder/x.sdl: no usable state descriptor in this file"],
    });
  });

  it("is not read if it is larger than the limit", () => {
    expect(read(Buffer.alloc(17 * 1024 * 1024, 0x20)).recognised).toBe(false);
  });

  it("never makes the reader throw", () => {
    const pieces = [
      "STATEDESC",
      "VERSION",
      "VAR",
      "INT",
      "$Age",
      "{",
      "}",
      "[",
      "]",
      "(",
      ")",
      ";",
      "=",
      "1",
      "DEFAULT",
      '"',
      "#",
      "\n",
      " ",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((words) => `STATEDESC ${words.join(" ")}`);
    fc.assert(
      fc.property(
        fc.oneof(
          text.map((words) => Buffer.from(words)),
          fc.uint8Array({ maxLength: 200 }),
        ),
        (bytes) => {
          readSdlFile("x.sdl", bytes, [droidFile]);
          for (const magic of ["notthedroids", "whatdoyousee"]) {
            readSdlFile("x.sdl", Buffer.concat([Buffer.from(magic), bytes]), [droidFile]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("descriptors", () => {
  it("are found by version, and by name in any case", () => {
    const descriptors = given(AGE, "STATEDESC Age { VERSION 2 }");
    expect(descriptors.record("Age", 1)).toBe(descriptors.record("AGE", 1));
    expect(descriptors.record("Age", 2)).not.toBe(descriptors.record("Age", 1));
    expect(descriptors.record("Age", 3)).toBe(
      "SDL descriptor Age version 3 was not supplied; give its .sdl file with --sdl",
    );
  });

  it("count as last declared, with a remark if it makes a difference", () => {
    const other = "STATEDESC age { VERSION 1 VAR INT number[2] }";
    expect(read(AGE + AGE).remarks).toEqual([]);
    expect(read(AGE + other).remarks).toEqual([
      "folder/x.sdl: age version 1 was declared before, and differently; this declaration counts",
    ]);
    const before = readSdlFile("a.sdl", Buffer.from(AGE), []);
    expect(readSdlFile("b.sdl", Buffer.from(AGE), [], [before]).remarks).toEqual([]);
    expect(readSdlFile("b.sdl", Buffer.from(other), [], [before]).remarks).toEqual([
      "b.sdl: age version 1 was declared before, and differently; this declaration counts",
    ]);
  });

  it("are shared by all users of the same files", () => {
    const files = [readSdlFile("x.sdl", Buffer.from(AGE), [])];
    expect(descriptorsIn(files)).toBe(descriptorsIn(files));
  });

  it("are shared by runs that read the same files one after the other, whose types would add up", () => {
    const read = (text: string) => descriptorsIn([readSdlFile("x.sdl", Buffer.from(text), [])]);
    const first = read(AGE);
    expect(read(AGE)).toBe(first);
    expect(read(AGE.replace("[1]", "[2]"))).not.toBe(first);
  });
});
