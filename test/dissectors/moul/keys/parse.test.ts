import { describe, expect, it } from "vitest";
import { remarkText } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { concat } from "../../../support/packets.js";
import { whole } from "./key-files.js";
import { bytesOf, fixtureKeys, sampleKeys } from "./samples.js";

function remarks(bytes: Uint8Array): string[] {
  return parseKeyFile("some.file", bytes).remarks.map(remarkText);
}

describe("parseKeyFile", () => {
  it("recognises a format by its content, whatever the name", () => {
    const formats = whole.map((bytes) => parseKeyFile("some.file", bytes).format);
    expect(formats).toEqual([
      ...["dirtsand", "client-ini", "nagus", "client-ini"],
      ...["moss", "moss", "moss", "moss", "moss", "moulars", "key-log", "openuru"],
    ]);
  });

  it("says which lines are not read, if a file has those of several formats", () => {
    const [dirtsand = new Uint8Array(0), , nagus = new Uint8Array(0)] = whole;
    const both = concat(nagus, dirtsand);
    expect(parseKeyFile("some.file", both).servers).toEqual(parseKeyFile("some.file", dirtsand).servers);
    expect(remarks(both)).toEqual([
      "some.file: lines of NAGUS's configuration are not read beside those of DIRTSAND's configuration: give them in a file of their own",
    ]);
    expect(whole.flatMap(remarks).filter((text) => text.includes("beside"))).toEqual([]);
  });

  it.each([
    ["DIRTSAND's configuration", sampleKeys("dirtsand/dirtsand.ini")],
    ["a client's server.ini", sampleKeys("dirtsand/server.ini")],
    ["NAGUS's configuration", sampleKeys("nagus/nagus_config.ini")],
    ["PEM", fixtureKeys("moss/openssl-g41.pem")],
  ])("says once that lines of %s are not read beside a key log", (name, other) => {
    const beside = `some.file: lines of ${name} are not read beside those of a key log: give them in a file of their own`;
    const log = bytesOf("MOUL_RC4 12 00112233445566\n");
    for (const both of [concat(log, other), concat(other, bytesOf("\n"), log)]) {
      expect(parseKeyFile("some.file", both).sessions).toHaveLength(1);
      expect(remarks(both)).toEqual([beside]);
    }
    expect(remarks(concat(log, bytesOf("MOUL_RC5 12 34\n"), other))).toEqual([
      "some.file, line 2: the line is not understood: a line begins with MOUL_RC4 or MOUL_DH_B",
      beside,
    ]);
  });

  it("says what a file without keys is", () => {
    expect(remarks(new Uint8Array(0))).toEqual(["some.file: the file is empty"]);
    expect(remarks(bytesOf("Shorah\n"))).toEqual(["some.file: not a key file of a known format"]);
    expect(remarks(Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0))).toEqual([
      "some.file: not a key file of a known format",
    ]);
    expect(remarks(bytesOf("0000000000"))).toEqual(["some.file: not a key file of a known format"]);
    expect(remarks(bytesOf("whatdoyousee\u0010\0\0\0..."))).toEqual([
      "some.file: an encrypted client file (whatdoyousee): decrypt it first",
    ]);
    expect(remarks(new Uint8Array(16 * 1024 * 1024 + 1))).toEqual([
      "some.file: larger than a key file can be (16777216 bytes)",
    ]);
    expect(parseKeyFile("a\\b/c.ini", new Uint8Array(0)).remarks[0]?.file).toBe("c.ini");
  });
});
