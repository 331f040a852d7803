import { describe, expect, it } from "vitest";
import { keyLogLine } from "../../../../dissectors/moul/keys/formats/key-log.js";
import { type KeyMaterial, mergeKeyMaterial, noKeyMaterial } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { SessionKeyRecovery } from "../../../../dissectors/moul/keys/recover.js";
import { bytesOf, type KeyExchange, keyExchanges, type Shard, sampleKeys, shards } from "./samples.js";

const serverFiles: Readonly<Record<Shard, string>> = {
  dirtsand: "dirtsand/dirtsand.ini",
  nagus: "nagus/nagus_config.ini",
};

const cases = shards.flatMap((shard) =>
  keyExchanges(shard).map((exchange, index) => ({ shard, exchange, name: `${shard} ${index} (${exchange.server})` })),
);

function candidatesOf(material: KeyMaterial, { server, y, seed }: KeyExchange): { key: string; source: string }[] {
  const found = [...new SessionKeyRecovery(material).candidates(server, y, seed)];
  return found.map(({ key, source }) => ({ key: Buffer.from(key).toString("hex"), source }));
}

function serverMaterial(shard: Shard): KeyMaterial {
  return parseKeyFile(serverFiles[shard], sampleKeys(serverFiles[shard]));
}

function clientMaterial(shard: Shard): KeyMaterial {
  return parseKeyFile("server.ini", sampleKeys(`${shard}/server.ini`));
}

function keyLog(text: string): KeyMaterial {
  const parsed = parseKeyFile("session.keys", bytesOf(text));
  expect(parsed.remarks).toEqual([]);
  return parsed;
}

describe("session keys of the recorded connections", () => {
  it("covers both shards and a y of 63 bytes", () => {
    expect(cases).toHaveLength(17);
    expect(cases.map(({ exchange }) => exchange.y.length)).toContain(63);
  });

  it.each(cases)("$name: from the server's key file alone", ({ shard, exchange }) => {
    const source = `server private value of ${exchange.server}, ${serverFiles[shard].split("/")[1]}`;
    expect(candidatesOf(serverMaterial(shard), exchange)).toEqual([{ key: exchange.key, source }]);
  });

  it.each(cases)("$name: from server.ini and the client's private value alone", ({ shard, exchange }) => {
    const log = keyLog(`MOUL_DH_B ${exchange.yDigits} ${exchange.bDigits}\n`);
    const source = `client private value, session.keys line 1, with public values of ${exchange.server}, server.ini`;
    expect(candidatesOf(mergeKeyMaterial([clientMaterial(shard), log]), exchange)).toEqual([
      { key: exchange.key, source },
    ]);
  });

  it.each(cases)("$name: from a key log alone, y as a number or in wire order", ({ exchange }) => {
    const wire = Buffer.from(exchange.y).toString("hex");
    const number = exchange.yDigits.replace(/^0+/, "").toUpperCase();
    for (const y of [exchange.yDigits, number, `0000${number}`, wire, wire.padEnd(128, "0")]) {
      const found = candidatesOf(keyLog(`# a comment\nMOUL_RC4 ${y} ${exchange.key}`), exchange);
      expect(found).toEqual([{ key: exchange.key, source: "session key, session.keys line 2" }]);
    }
  });

  it.each(cases)("$name: writes a key log line that reads back", ({ exchange }) => {
    const line = keyLogLine(exchange.y, Buffer.from(exchange.key, "hex"));
    expect(line).toBe(`MOUL_RC4 ${exchange.yDigits} ${exchange.key}`);
    expect(candidatesOf(keyLog(line), exchange)).toMatchObject([{ key: exchange.key }]);
  });
});

describe("SessionKeyRecovery", () => {
  const exchange = keyExchanges("dirtsand").find(({ server }) => server === "auth");
  if (exchange === undefined) throw new Error("no auth connection in the truth log");
  const { server, y, seed, key, yDigits, bDigits } = exchange;

  it("gives the key from a key log first, then the one from a server's private value", () => {
    const log = keyLog(`MOUL_RC4 ${yDigits} 00112233445566\nMOUL_RC4 ${yDigits} ${"ff".repeat(7)}`);
    const found = candidatesOf(mergeKeyMaterial([serverMaterial("dirtsand"), log]), exchange);
    expect(found.map((candidate) => candidate.key)).toEqual(["00112233445566", "ff".repeat(7), key]);
  });

  it("gives the same key only once", () => {
    const log = keyLog(`MOUL_RC4 ${yDigits} ${key}\nMOUL_DH_B ${yDigits} ${bDigits}`);
    const all = mergeKeyMaterial([serverMaterial("dirtsand"), clientMaterial("dirtsand"), log]);
    expect(candidatesOf(all, exchange)).toHaveLength(1);
  });

  it("decrypts a connection with the client's private value if only the server's own key file has x", () => {
    const { servers } = serverMaterial("dirtsand");
    // A wrong y makes the server's private value useless, so that only x = g^a and b can give the key.
    const other = Uint8Array.of(...y.subarray(0, 63), 1);
    const log = keyLog(`MOUL_DH_B ${Buffer.from(other).reverse().toString("hex")} ${bDigits}`);
    const found = candidatesOf(
      { ...noKeyMaterial, servers, privateValues: log.privateValues },
      { ...exchange, y: other },
    );
    expect(found.map((candidate) => candidate.key)).toContain(key);
    expect(found.map((candidate) => candidate.source)).toContain(
      "client private value, session.keys line 1, with server private value of auth, dirtsand.ini",
    );
  });

  it("computes nothing before it is asked", () => {
    const [serverKey] = serverMaterial("dirtsand").servers.filter((candidate) => candidate.server === server);
    if (serverKey === undefined) throw new Error("no key for auth");
    let uses = 0;
    const counting = {
      ...serverKey,
      get a() {
        uses++;
        return serverKey.a;
      },
    };
    const log = keyLog(`MOUL_RC4 ${yDigits} ${key}`);
    const material = { ...noKeyMaterial, sessions: log.sessions, servers: [counting] };
    const generator = new SessionKeyRecovery(material).candidates(server, y, seed);
    expect(generator.next().done).toBe(false);
    expect(uses).toBe(0);
    expect(generator.next().done).toBe(true);
    expect(uses).toBeGreaterThan(0);
  });

  it("has no key for other connections, other servers and unencrypted connections", () => {
    const recovery = new SessionKeyRecovery(
      mergeKeyMaterial([serverMaterial("dirtsand"), keyLog(`MOUL_RC4 12 ${key}`)]),
    );
    expect([...recovery.candidates("csr", y, seed)]).toEqual([]);
    expect([...recovery.candidates("auth", new Uint8Array(0), new Uint8Array(0))]).toEqual([]);
    expect([...recovery.candidates("auth", y, new Uint8Array(0))]).toEqual([]);
  });

  it("needs no seed if a key log gives the key", () => {
    const recovery = new SessionKeyRecovery(keyLog(`MOUL_RC4 ${yDigits} ${key}`));
    expect([...recovery.candidates("auth", y, new Uint8Array(0))]).toHaveLength(1);
  });
});
