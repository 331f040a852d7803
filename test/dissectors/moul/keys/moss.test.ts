import { createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ServerKey } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { fromBigEndian, modularPower } from "../../../../src/dissector/diffie-hellman.js";
import { fixtureKeys } from "./samples.js";

function parseFixture(path: string, name = path): ReturnType<typeof parseKeyFile> {
  return parseKeyFile(name, fixtureKeys(`moss/${path}`));
}

function firstKey(path: string): ServerKey {
  const [key] = parseFixture(path).servers;
  if (key === undefined) throw new Error(`no key in ${path}`);
  return key;
}

function integer(value: bigint): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  return element(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const header =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}

/** A key as MOSS's make_cyan_dh writes it. */
function cyanKey(...values: readonly bigint[]): Uint8Array {
  return element(0x30, Buffer.concat(values.map(integer)));
}

describe("MOSS's key files", () => {
  it("reads OpenSSL's PKCS #8 as OpenSSL itself does", () => {
    const server = createPrivateKey({
      key: Buffer.from(fixtureKeys("moss/openssl-g41.der")),
      format: "der",
      type: "pkcs8",
    });
    const client = createPrivateKey({
      key: Buffer.from(fixtureKeys("moss/openssl-g41-client.der")),
      format: "der",
      type: "pkcs8",
    });
    const secret = diffieHellman({ privateKey: server, publicKey: createPublicKey(client) });
    const { n, a, g } = firstKey("openssl-g41.der");
    const { a: b } = firstKey("openssl-g41-client.der");
    expect(modularPower(modularPower(g, b, n), a, n)).toBe(fromBigEndian(secret));
  });

  it("reads the bare sequence, PKCS #8 and PEM", () => {
    const { n, a, g } = firstKey("openssl-g41.der");
    for (const path of ["auth_key.der", "openssl-g41.pem"]) {
      const parsed = parseFixture(path);
      expect(parsed.format).toBe("moss");
      expect(parsed.remarks).toEqual([]);
      expect(parsed.servers).toEqual([{ server: "auth", n, a, g, source: `server private value of auth, ${path}` }]);
    }
  });

  describe("of bare bytes, which make_cyan_dh writes beside the DER file", () => {
    const { n, a, g } = firstKey("cyan-auth.der");

    it("hold the private value, as Wireshark gets it", () => {
      const source = "server private value of auth, auth.wireshark";
      expect(parseFixture("cyan-auth.wireshark", "auth.wireshark")).toMatchObject({
        format: "moss",
        servers: [{ server: "auth", n, a, g, source }],
        clients: [],
        remarks: [],
      });
    });

    it("hold public values, as a client gets them", () => {
      const source = "public values of auth, cyan-auth.client";
      expect(parseFixture("cyan-auth.client")).toMatchObject({
        format: "moss",
        servers: [],
        clients: [{ server: "auth", n, x: modularPower(g, a, n), g, source }],
        remarks: [],
      });
    });

    it("are tried for every server if the name does not say whose they are", () => {
      const { servers, remarks } = parseFixture("cyan-auth.wireshark", "wire");
      expect(servers.map(({ server }) => server)).toEqual(["gatekeeper", "auth", "game", "csr"]);
      expect(remarks.map(({ text }) => text)).toEqual([
        "the key does not say which server it belongs to: it is tried for gatekeeper, auth, game, csr",
      ]);
    });

    it("differ from other bytes: they begin with a safe prime", () => {
      for (const path of ["cyan-auth.wireshark", "cyan-auth.client"]) {
        for (const place of [1, 31, 62]) {
          const bytes = Uint8Array.from(fixtureKeys(`moss/${path}`));
          bytes[place] = (bytes[place] ?? 0) ^ 8;
          expect(parseKeyFile(path, bytes).format).toBeUndefined();
        }
        expect(parseKeyFile(path, fixtureKeys(`moss/${path}`).subarray(0, 64)).format).toBeUndefined();
      }
    });
  });

  it("tries a key for the server that g or the file name indicate, else for every server", () => {
    const servers = (name: string): string[] =>
      parseFixture("openssl-g2.der", name).servers.map(({ server }) => server);
    expect(servers("game_key.der")).toEqual(["game"]);
    expect(servers("/games/etc/gatekeeper_key.der")).toEqual(["gatekeeper"]);
    expect(servers("gate_key.der")).toEqual(["gatekeeper"]);
    expect(servers("key.der")).toEqual(["gatekeeper", "auth", "game", "csr"]);
    expect(parseFixture("openssl-g2.der", "key.der").servers[0]?.source).toBe("server private value, key.der");
    const disagreeing = parseKeyFile("auth_key.der", cyanKey(2n ** 511n + 1n, 4n, 2n ** 500n));
    expect(disagreeing.servers.map(({ server }) => server)).toEqual(["gatekeeper", "auth"]);
    expect(disagreeing.remarks).toMatchObject([
      { severity: "note", text: "the key does not say which server it belongs to: it is tried for gatekeeper, auth" },
    ]);
  });

  const prime = 2n ** 511n + 1n;
  const damaged: readonly [string, string, Uint8Array][] = [
    [
      "a file that ends early",
      "the file is cut short, after 100 of 139 bytes",
      fixtureKeys("moss/auth_key.der").subarray(0, 100),
    ],
    ["an inner element that is too long", "the DER encoding is damaged", element(0x30, Buffer.of(2, 9, 1))],
    ["an RSA key", "the key is not a Diffie-Hellman private key", fixtureKeys("moss/rsa.der")],
    ["an RSA key in PKCS #8", "the key is not a Diffie-Hellman private key", fixtureKeys("moss/rsa-pkcs8.der")],
    [
      "a negative modulus",
      "the key is not a Diffie-Hellman private key",
      element(0x30, Buffer.of(2, 1, 0x81, 2, 1, 4, 2, 1, 5)),
    ],
    ["parameters", "the file holds Diffie-Hellman parameters without a private value", cyanKey(prime, 4n)],
    [
      "parameters with a length",
      "the file holds Diffie-Hellman parameters without a private value",
      cyanKey(prime, 4n, 160n),
    ],
    [
      "a modulus that is too long",
      "the modulus has 513 bits, and MOUL's have at most 512",
      cyanKey(2n ** 512n, 4n, prime),
    ],
    ["a private value that is too long", "the private value is longer than 64 bytes", cyanKey(prime, 4n, 2n ** 512n)],
    [
      "an encrypted key",
      "the key is protected by a password: decrypt it first",
      fixtureKeys("moss/openssl-g41-encrypted.der"),
    ],
    [
      "an encrypted key in PEM",
      "the key is protected by a password: decrypt it first",
      fixtureKeys("moss/openssl-g41-encrypted.pem"),
    ],
    ["parameters in PEM", "no private key in this file", fixtureKeys("moss/parameters-g41.pem")],
    [
      "half a PEM file",
      "the file is cut short: its END line is missing",
      fixtureKeys("moss/openssl-g41.pem").subarray(0, 150),
    ],
  ];

  it.each(damaged)("says what is wrong with %s", (_, text, bytes) => {
    const parsed = parseKeyFile("auth_key.der", bytes);
    expect(parsed.format).toBe("moss");
    expect(parsed.servers).toEqual([]);
    expect(parsed.remarks).toMatchObject([{ severity: "error", file: "auth_key.der", text }]);
  });

  it("finds the key among other PEM blocks", () => {
    const text = [fixtureKeys("moss/parameters-g41.pem"), fixtureKeys("moss/openssl-g41.pem")].map((bytes) =>
      Buffer.from(bytes),
    );
    expect(parseKeyFile("key.pem", Buffer.concat(text))).toMatchObject({ servers: [{ server: "auth" }], remarks: [] });
  });
});
