import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  check,
  columns,
  decode,
  decrypt,
  dissect,
  embedKeys,
  encode,
  scrub,
  sessionKeys,
  statistics,
  statsJson,
  streamLine,
  streams,
  summaryLine,
  treeText,
  UsageError,
  vocabulary,
} from "../../src/index.js";
import { rawPcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { ipPacket } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const CAPTURE = sample("nagus-session.pcap");
const folder = temporaryFolder();

/** What the command line prints. */
async function printed(...args: readonly string[]): Promise<string> {
  return (await uncheckedRun(args)).stdout;
}

/** What the command line writes to a file. */
async function written(args: readonly string[], output = "-o"): Promise<Buffer> {
  const path = join(folder, "written");
  const { code, stderr } = await uncheckedRun([...args, "--force", output, path]);
  if (code !== 0) throw new Error(stderr);
  return readFileSync(path);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A pcapng capture after its first block, which names the program that wrote it. */
function nameless(bytes: Buffer): string {
  return bytes.subarray(bytes.readUInt32LE(4)).toString("hex");
}

describe("the library does what the command line does:", () => {
  it("summary lines, trees and columns", async () => {
    const messages = await all(dissect(CAPTURE));
    const lines = messages.map((message) => `${summaryLine(message)}\n`).join("");
    expect(lines).toBe(await printed(CAPTURE, "--format", "summary"));
    const trees = messages.map((message) => treeText(message)).join("");
    expect(trees).toBe(await printed(CAPTURE, "--format", "tree"));
    expect(messages.map((message) => treeText(message, { hex: true })).join("")).toBe(
      await printed(CAPTURE, "--format", "tree", "--hex"),
    );
    const paths = ["number", "message", "result", "answers"];
    const row = columns(paths);
    const table = messages.map((message) => `${row(message).join("\t")}\n`).join("");
    expect(table).toBe(await printed(CAPTURE, ...paths.flatMap((path) => ["-e", path])));
  });

  it("what is known about a message, as in its JSON", async () => {
    const [lines, messages] = [(await printed(CAPTURE, "--json")).trimEnd().split("\n"), await all(dissect(CAPTURE))];
    expect(messages.length).toBe(lines.length);
    let known = 0;
    messages.forEach(({ answers, error, player, age }, index) => {
      const json = JSON.parse(lines[index] ?? "");
      expect({ answers, error, age }).toEqual({ answers: json.answers, error: json.error, age: json.age });
      expect(player).toEqual(json.player && { ...json.player, id: String(json.player.id) });
      known += [answers, error, player, age].filter((fact) => fact !== undefined).length;
    });
    expect(known).toBeGreaterThan(500);
    expect(messages.filter(({ asks }) => asks).length).toBeGreaterThan(50);
  });

  it("streams", async () => {
    const { streams: found } = await streams(CAPTURE, { hashes: true });
    expect(found.map(streamLine).join("")).toBe(await printed("streams", CAPTURE, "--json"));
    const [plain] = (await streams(CAPTURE)).streams;
    expect(plain?.c2s.sha256).toBe("");
  });

  it("streams, and what is said of packets in none of them", async () => {
    const ping = ipPacket(1, "192.0.2.1", "192.0.2.2", new Uint8Array(8));
    const datagram = ipPacket(17, "192.0.2.1", "192.0.2.2", Uint8Array.of(0, 1, 0, 2, 0, 9, 0, 0, 7));
    for (const packets of [[], [ping, ping], [datagram, ping]]) {
      const path = join(folder, "pings.pcap");
      writeFileSync(path, rawPcapFile(packets));
      const { remarks } = (await streams(path)).end;
      expect(remarks).toHaveLength(1);
      expect(remarks.map((text) => `moul-dissect: ${text}\n`).join("")).toBe(
        (await uncheckedRun(["streams", path])).stderr,
      );
    }
  });

  it.each([undefined, "moul.auth"])("statistics, with the filter %s", async (filter) => {
    const { report } = await statistics(CAPTURE, filter === undefined ? {} : { filter });
    const args = filter === undefined ? [] : ["-Y", filter];
    expect(statsJson(report)).toBe(await printed("stats", CAPTURE, "--json", ...args));
  });

  it("decode, and encode back", async () => {
    const bytes = Buffer.from("010000000000000000000000000000000300416263", "hex");
    const value = await decode("plLocation", bytes.subarray(0, 6));
    expect(JSON.stringify(value)).toBe((await printed("decode", "plLocation", "010000000000", "--json")).trimEnd());
    expect(value.status).toBe("ok");
    expect(Buffer.from(encode("plLocation", { sequenceNumber: 1, flags: 0 })).toString("hex")).toBe("010000000000");
    await expect(decode("plLocaton", bytes)).rejects.toThrow(UsageError);
  });

  it("session keys, alone and put into a capture", async () => {
    const { text, count } = await sessionKeys(CAPTURE);
    expect(text).toBe(await printed("keys", CAPTURE));
    expect(count).toBeGreaterThan(1);
    const embedded = Buffer.concat(await all(embedKeys(CAPTURE)));
    expect(nameless(embedded)).toBe(nameless(await written(["keys", CAPTURE], "--embed")));
    const statuses = new Set((await all(dissect(embedded, { keys: [] }))).map(({ status }) => status));
    expect(statuses).not.toContain("encrypted");
  });

  it("puts no keys into a capture that nobody wants any more", async () => {
    const bytes = readFileSync(sample("nagus-session.pcapng"));
    let chunks = 0;
    const source = {
      name: "session.pcapng",
      open: async function* () {
        for (let at = 0; at < bytes.length; at += 1000, chunks++) yield bytes.subarray(at, at + 1000);
      },
    };
    const { signal, stop } = { signal: new AbortController(), stop: new Error("enough") };
    const keys = [sample("nagus-session.keys")];
    const aborted = embedKeys(source, { keys, signal: signal.signal });
    await expect(
      (async () => {
        for await (const _ of aborted) signal.abort(stop);
      })(),
    ).rejects.toBe(stop);
    await expect(aborted.end).rejects.toBe(stop);
    const left = embedKeys(source, { keys });
    for await (const _ of left) break;
    await left.end;
    const inOneReading = bytes.length / 1000;
    expect(chunks).toBeLessThan(2 * inOneReading + 20);
  });

  it("decrypt and scrub", async () => {
    const plain = Buffer.concat(await all(decrypt(CAPTURE)));
    expect(nameless(plain)).toBe(nameless(await written(["decrypt", CAPTURE])));
    const scrubbed = Buffer.concat(await all(scrub(CAPTURE, { seed: "x", keep: ["chat"] })));
    expect(nameless(scrubbed)).toBe(nameless(await written(["scrub", CAPTURE, "--seed", "x", "--keep", "chat"])));
    const names = (await all(dissect(scrubbed))).length;
    expect(names).toBe((await all(dissect(plain))).length);
  });

  it("check", async () => {
    const lines = (await printed(CAPTURE, "--json")).split("\n");
    const same = await check(CAPTURE, { lines });
    expect(same.differences).toEqual([]);
    expect(same.compared.found).toBe(same.compared.expected);
    expect((await check(CAPTURE, { captures: sample("nagus-session.pcapng") })).differences).toEqual([]);
    const { end } = await check(CAPTURE, { captures: "nowhere.pcap" });
    expect(end.remarks).toEqual(["nowhere.pcap: there is no such file"]);
    const { differences } = await check(CAPTURE, { lines: lines.toSpliced(10, 1) });
    expect(differences.map(({ kind }) => kind)).toEqual(["added"]);
    await expect(check(CAPTURE, { lines: ["{}"] })).rejects.toThrow("line 1: ");
    await expect(check(CAPTURE, { lines }, { ignore: ["message"] })).rejects.toThrow(UsageError);
  });

  it("vocabulary", async () => {
    const names = vocabulary();
    const byName = new Map(names.map((name) => [name.name, name]));
    expect(byName.get("status")).toMatchObject({ kind: "message", values: expect.arrayContaining(["ok"]) });
    expect(byName.get("moul.game")?.kind).toBe("protocol");
    expect(byName.get("plNotifyMsg")).toMatchObject({ kind: "class" });
    expect(byName.get("adding")?.doc).toBe("True to add the players, false to remove them.");
    expect(byName.get("result")?.values).toContain("kNetSuccess");
    expect(byName.size).toBe(names.length);
  });

  it("but refuses to read twice what can be read once, and kinds that do not exist", async () => {
    for (const rewritten of [scrub, embedKeys]) {
      const run = rewritten(createReadStream(CAPTURE));
      await expect(all(run)).rejects.toThrow("reads it twice, which capture does not allow");
      await expect(run.end).rejects.toThrow(UsageError);
    }
    if (process.platform !== "win32") {
      // Its second reader would wait forever.
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      for (const rewritten of [scrub, embedKeys]) {
        await expect(all(rewritten(pipe))).rejects.toThrow(`reads it twice, which ${pipe} does not allow`);
      }
    }
    await expect(all(scrub(CAPTURE, { keep: ["chats"] }))).rejects.toThrow("chats is not a kind of private data");
  });
});
