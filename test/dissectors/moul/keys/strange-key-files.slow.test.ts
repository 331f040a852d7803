import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remarkText } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { whole } from "./key-files.js";
import { bytesOf } from "./samples.js";

describe("parseKeyFile", () => {
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
