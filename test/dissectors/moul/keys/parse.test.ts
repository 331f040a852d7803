import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remarkText } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { bytesOf, fixtureKeys, sampleKeys } from "./samples.js";

const whole: readonly Uint8Array[] = [
  sampleKeys("dirtsand/dirtsand.ini"),
  sampleKeys("dirtsand/server.ini"),
  sampleKeys("nagus/nagus_config.ini"),
  sampleKeys("nagus/server.ini"),
  fixtureKeys("moss/auth_key.der"),
  fixtureKeys("moss/openssl-g41.der"),
  fixtureKeys("moss/openssl-g41.pem"),
  fixtureKeys("moss/openssl-g41-encrypted.der"),
  fixtureKeys("moss/rsa-pkcs8.der"),
  bytesOf(`[crypt_keys]\nauth.n = "${"8".repeat(86)}=="\nauth.k = "${"9".repeat(86)}=="\n`),
  bytesOf("MOUL_RC4 12 00112233445566\nMOUL_DH_B 12 34\n"),
  bytesOf(
    `static const unsigned kDhGValue = 41;\nbyte kDhNData[] = {${"0x7f,".repeat(64)}};\nbyte kDhXData[] = {${"1,".repeat(64)}};`,
  ),
];

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

  it("remarks on half a file, or still finds keys in it", () => {
    for (const bytes of whole) {
      for (let length = 0; length < bytes.length; length++) {
        const {
          servers,
          clients,
          sessions,
          privateValues,
          remarks: found,
        } = parseKeyFile("f", bytes.subarray(0, length));
        expect(servers.length + clients.length + sessions.length + privateValues.length + found.length).toBeGreaterThan(
          0,
        );
      }
    }
  });

  it("never throws on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        parseKeyFile("f", bytes);
        parseKeyFile("f", Uint8Array.of(0x30, ...bytes));
        parseKeyFile("f", Uint8Array.of(0x30, 0x82, 0x01, 0x00, 0x02, 0x41, ...bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it("never throws on key files with changed bytes", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...whole), changes, (original, edits) => {
        const bytes = new Uint8Array(original);
        for (const [position, byte] of edits) bytes[position % bytes.length] = byte;
        parseKeyFile("f", bytes);
      }),
      { numRuns: 1000 },
    );
  });

  it("never throws on lines made of a format's own keywords", () => {
    const words = [
      "Key.",
      "Server.",
      "Auth",
      ".N",
      "=",
      " ",
      '"',
      "#",
      "[server.",
      "[crypt_keys",
      "]",
      "key_n",
      "MOUL_RC4",
      "00",
      "//",
      "/*",
    ];
    const pieces = [
      ...words,
      "kDhNData",
      "[]",
      "{",
      "}",
      "0x1,",
      "\n",
      "@@ ",
      "-----BEGIN X-----",
      "-----END X-----",
      "\0",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        parseKeyFile("f", bytesOf(parts.join("")));
      }),
      { numRuns: 2000 },
    );
  });

  it("never puts a secret into a remark or a source", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...whole), changes, (original, edits) => {
        const bytes = new Uint8Array(original);
        for (const [position, byte] of edits) bytes[position % bytes.length] = byte;
        const { servers, clients, sessions, privateValues, remarks: found } = parseKeyFile("f", bytes);
        const sources = [servers, clients, sessions, privateValues].flat().map(({ source }) => source);
        // Every word is one of the tool's own: nothing is as long as even a quarter of a value, in hex or base64.
        for (const text of [...sources, ...found.map(remarkText)]) expect(text).not.toMatch(/[A-Za-z0-9+/]{16}/);
      }),
      { numRuns: 500 },
    );
  });

  it("comes to an end of large strange files: any work that grows with the square of the size would take minutes", () => {
    const large = [
      "/*",
      "kDhNData[",
      "kDhNData[]={",
      "\n",
      " ",
      "#",
      "Key.",
      "k",
      "MOUL_RC4 ",
      "-----BEGIN A-----\n",
      "[server.auth]",
      "=",
    ];
    const starts = [
      "kDhNData\n",
      "MOUL_RC4\n",
      `Key.Droid = ${"31".repeat(16)}\n`,
      "Key.Auth.N =",
      "Key.Droid =",
      "Server.Auth.N ",
    ];
    const size = 20_000;
    for (const start of starts) {
      // Unlike most, these two ends of lines are not ends for this reader.
      for (const end of ["", "\u2028x", "\u2029"]) {
        for (const piece of large) parseKeyFile("f", bytesOf(`${start}${piece.repeat(size / piece.length)}${end}`));
      }
    }
  });
});
