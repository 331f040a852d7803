import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { PcapngWriter, pcapFile } from "../support/captures.js";
import { run, sampleKeys, uncheckedRun } from "../support/command-line.js";
import { keyFiles, MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { concat, text } from "../support/packets.js";
import { isPosix } from "../support/platform.js";
import { readLog } from "../support/recording.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

const DIRTSAND = sample("dirtsand-session.pcap");
const DIRTSAND_KEYS = ["--keys", sampleKeys("dirtsand/dirtsand.ini")];

/** A capture with nothing beside it that could decrypt it. */
function alone(name: string): string {
  const path = join(folder, name);
  copyFileSync(sample(name), path);
  return path;
}

async function json(path: string, ...args: readonly string[]): Promise<string> {
  return withoutCapture((await uncheckedRun([path, "--json", ...args])).stdout);
}

/** Lines of JSON without the name of the capture, which differs. */
function withoutCapture(lines: string): string {
  return lines.replaceAll(/"capture":\{[^}]*\},/g, "");
}

const lines = (log: string) => log.split("\n").filter((line) => line.startsWith("MOUL_RC4 "));

describe("keys", () => {
  it.each([
    ["dirtsand-session.pcap", "dirtsand/dirtsand.ini"],
    ["nagus-session.any.pcap", "nagus/nagus_config.ini"],
    ["nagus-session.pcapng", "nagus/nagus_config.ini"],
  ])("prints a key log that decrypts %s as the shard's configuration does", async (name, keys) => {
    const path = alone(name);
    const { code, stdout, stderr } = await run(["keys", path, "--keys", sampleKeys(keys)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^# session keys of \S+\n# stream 0: moul\.gatekeeper, \S+ > \S+, frame 1, 2026-11-20T\S+Z\n/,
    );
    expect(stdout).not.toContain(folder);
    const log = file(`${name}.log`, stdout);
    expect(await json(path, "--keys", log)).toBe(await json(path, "--keys", sampleKeys(keys)));
  });

  it("works with what the client knows, too", async () => {
    const talk = ping(new MoulTalk("auth").opens());
    const capture = file("client.pcap", pcapFile(rawPackets(talk), { linkType: RAW }));
    const client = ["--keys", file("client.log", talk.keyLog.b), "--keys", file("server.ini", keyFiles.serverIni())];
    const { stdout } = await run(["keys", capture, ...client]);
    const [, y = "", key = ""] = lines(stdout)[0]?.split(" ") ?? [];
    expect(`MOUL_RC4 ${y.replace(/^0+/, "")} ${key}\n`).toBe(talk.keyLog.rc4);
    expect(lines(stdout)).toHaveLength(1);
  });

  it("says which connections have no key, and why", async () => {
    const talks = [
      ping(new MoulTalk("auth").opens()),
      ping(new MoulTalk("game").opens()),
      new MoulTalk("gatekeeper").opens(),
      ping(new MoulTalk("auth", { encryption: "none" }).opens()),
      ping(new MoulTalk("file").opens()),
    ];
    const packets = talks.flatMap((talk, index) => rawPackets(talk, index + 1));
    const capture = file("several.pcap", pcapFile(packets, { linkType: RAW }));
    const ini = file("dirtsand.ini", keyFiles.dirtsand({ game: "another value" }));
    const { code, stdout, stderr } = await run(["keys", capture, "--keys", ini]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# session keys of several\.pcap\n# stream 0: moul\.auth, [^\n]+\nMOUL_RC4 [^\n]+\n$/);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^moul-dissect: stream 1 \(moul\.game\) is encrypted, and the key .* does not fit/),
      "moul-dissect: 1 conversation ended before a message could confirm a key",
      "",
    ]);
  });

  it("prints the key of a connection whose messages wait for those of another one until it has ended", async () => {
    const lossy = rawPackets(ping(ping(new MoulTalk("auth").opens())));
    const other = rawPackets(ping(new MoulTalk("game").opens()), 50_001);
    // The client's first ping is lost; its second one is held up until the end.
    const [lost, end] = [lossy.length - 7, lossy.length - 3];
    const packets = [...lossy.slice(0, lost), ...lossy.slice(lost + 1, end), ...other, ...lossy.slice(end)];
    const capture = file("waiting.pcap", pcapFile(packets, { linkType: RAW }));
    const keys = ["--keys", file("waiting.ini", keyFiles.dirtsand())];
    const { stdout, stderr } = await run(["keys", capture, ...keys]);
    expect(stderr).toBe("");
    expect(lines(stdout)).toHaveLength(2);
  });

  it("prints nothing where there are no keys, and says so", async () => {
    const { code, stdout, stderr } = await run(["keys", alone("dirtsand-session.pcap")]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("streams 0, 1 (moul.gatekeeper) are encrypted, and no key of the gatekeeper server");
    expect(stderr).toContain("no session key was found");
  });

  it.runIf(isPosix)("cannot be tricked into extra lines by the name of a file", async () => {
    const name = "a\nMOUL_RC4 1 11223344556677\u202e.pcap";
    const { stdout } = await run(["keys", file(name, readFileSync(DIRTSAND)), ...DIRTSAND_KEYS]);
    expect(stdout.split("\n")[0]).toBe("# session keys of a\\nMOUL_RC4 1 11223344556677\\u202e.pcap");
  });

  it.each([
    [
      "fails",
      'throw new TypeError("0123456789")',
      /^$/,
      /dissector of odd failed to return its session key \(TypeError\)/,
    ],
    ["gives more than one line", 'return "ODD 1 2\\n\\u001b[2J"', /\nODD 1 2\\n\\u001b\[2J\n$/, /^$/],
  ])("does not trust a dissector that %s", async (what, body, printed, said) => {
    const module = `export default {
      name: "odd", types: new Map(), protocols: ["odd"], recognise: () => "yes",
      open: () => ({
        protocol: "odd", encryptionState: { encryption: "rc4", key: "recovered", keySource: "" },
        next: () => ({ step: "wait" }), keyLogLine() { ${body}; },
      }),
    };`;
    const path = file(`odd-${what.length}.mjs`, module);
    const { code, stdout, stderr } = await run(["keys", DIRTSAND, "--dissector", path, "-d", "tcp.port==14617,odd"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(printed);
    expect(stderr).toMatch(said);
    expect(stderr).not.toContain("0123456789");
  });

  it("is the only command that shows keys", async () => {
    const { stdout } = await run(["keys", DIRTSAND]);
    const secrets = lines(stdout).map((line) => line.split(" ")[2] ?? "");
    expect(secrets).toHaveLength(8);
    const out = join(folder, "plain.pcapng");
    await run(["decrypt", DIRTSAND, "-o", out]);
    const shown = [
      readFileSync(out).toString("latin1"),
      readFileSync(out).toString("hex"),
      ...(await Promise.all(
        [
          [DIRTSAND],
          [DIRTSAND, "--format", "json-tree"],
          [DIRTSAND, "--hex"],
          ["streams", DIRTSAND, "--json"],
          ["stats", DIRTSAND],
          ["follow", DIRTSAND, "--stream", "4", "--as", "hex"],
        ].map(async (args) => {
          const { code, stdout: said, stderr } = await run(args);
          expect(code).toBe(0);
          return said + stderr;
        }),
      )),
    ].join("\n");
    expect(shown.length).toBeGreaterThan(1_000_000);
    const spaced = (secret: string) => secret.replace(/..(?=.)/g, "$& ");
    expect(secrets.filter((secret) => shown.includes(secret) || shown.includes(spaced(secret)))).toEqual([]);
  });
});

function rawPackets(talk: MoulTalk, port = 50_000) {
  return packetsOf(talk, { client: ["192.0.2.1", port] }).map((data, index) => ({ data, time: BigInt(index) * 1000n }));
}

/** The place at which the key log was inserted into a capture, followed by the first packet's number. */
async function embedded(bytes: Uint8Array) {
  const { log } = await readLog([bytes]);
  expect(log.problems).toEqual([]);
  return { packets: log.packets, logs: log.secretsSeen.map(([, , secrets]) => secrets) };
}

describe("keys --embed", () => {
  it.each([
    ["dirtsand-session.pcap", "dirtsand/dirtsand.ini"],
    ["nagus-session.any.pcap", "nagus/nagus_config.ini"],
    ["nagus-session.pcapng", "nagus/nagus_config.ini"],
  ])("writes a capture that can be read without a key file: %s", async (name, keys) => {
    const out = join(folder, `${name}.shared.pcapng`);
    const { code, stdout, stderr } = await run(["keys", alone(name), "--keys", sampleKeys(keys), "--embed", out]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await json(out)).toBe(await json(sample(name), "--keys", sampleKeys(keys)));
    const before = await embedded(readFileSync(sample(name)));
    const after = await embedded(readFileSync(out));
    expect(after.packets).toEqual(before.packets);
    const { stdout: log } = await run(["keys", alone(name), "--keys", sampleKeys(keys)]);
    expect(after.logs).toEqual([...before.logs, log]);
  });

  it("keeps everything of a pcapng file: only the key log is new", async () => {
    for (const little of [true, false]) {
      const write = new PcapngWriter(little);
      const talk = rawPackets(ping(new MoulTalk("auth").opens()));
      const start = write.section();
      const rest = concat(
        write.interface({ linkType: 1, snapLength: 96, resolution: 6, offset: 7n }),
        write.block(4, new Uint8Array(8)),
        write.interface({ linkType: RAW, resolution: 9 }),
        ...talk.map(({ data }, index) => write.enhanced({ data, originalLength: data.length + 9 }, BigInt(index), 1)),
        write.secrets(text("CLIENT_RANDOM 00 11\n"), 0x544c534b),
        write.section(),
        write.interface({ linkType: RAW }),
        write.simple({ data: text("odd"), originalLength: 5 }),
      );
      const ini = ["--keys", file("odd.ini", keyFiles.dirtsand())];
      const capture = file("odd.pcapng.gz", gzipSync(concat(start, rest)));
      const out = join(folder, "odd.shared.pcapng");
      const { stdout: log } = await run(["keys", capture, ...ini]);
      expect((await run(["keys", capture, ...ini, "--embed", out, "--force"])).code).toBe(0);
      expect(lines(log)).toHaveLength(1);
      const shared = new Uint8Array(readFileSync(out));
      expect(shared.subarray(0, start.length)).toEqual(start);
      expect(shared.subarray(shared.length - rest.length)).toEqual(rest);
      const { logs } = await embedded(shared);
      expect(logs[0]).toBe(log);
    }
  });

  it("updates the length of a section where it is given", async () => {
    const write = new PcapngWriter();
    const start = write.section();
    const rest = concat(
      write.interface({ linkType: RAW }),
      ...rawPackets(ping(new MoulTalk("auth").opens())).map((packet) => write.enhanced(packet, packet.time)),
    );
    new DataView(start.buffer).setBigInt64(16, BigInt(rest.length), true);
    const out = join(folder, "section.shared.pcapng");
    const keys = ["--keys", file("section.ini", keyFiles.dirtsand())];
    await run(["keys", file("section.pcapng", concat(start, rest)), ...keys, "--embed", out]);
    const shared = readFileSync(out);
    expect(shared.readBigInt64LE(16)).toBe(BigInt(shared.length - start.length));
    expect(shared.length).toBeGreaterThan(start.length + rest.length);
  });

  it.each([
    ["nanoseconds", { nanoseconds: true }],
    ["a small snap length", { snapLength: 40 }],
    ["big-endian numbers", { little: false, nanoseconds: true }],
    ["the old order of lengths", { version: [2, 2] as const, swapped: true }],
  ])("keeps the information of a pcap file with %s", async (_what, fields) => {
    const records = [
      { data: text("one packet"), time: 1_795_150_492_987_654_321n },
      { data: text("another"), originalLength: 1514, time: 1_795_150_493_000_000_000n },
    ];
    const bytes = pcapFile(records, { linkType: 276, ...fields });
    const out = join(folder, "other.shared.pcapng");
    const { code, stderr } = await run(["keys", file("other.pcap", bytes), "--embed", out, "--force"]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("no session key was found") });
    const after = await embedded(readFileSync(out));
    expect(after).toEqual(await embedded(bytes));
    expect(after.logs).toEqual([]);
  });

  it("accepts packets as long as the user allows", async () => {
    const talk = rawPackets(ping(new MoulTalk("auth").opens()));
    const capture = file("long.pcap", pcapFile([{ data: new Uint8Array(300_000) }, ...talk], { linkType: RAW }));
    const keys = ["--keys", file("long.ini", keyFiles.dirtsand()), "--limit", "packetLength=400000"];
    const out = join(folder, "long.shared.pcapng");
    expect(await run(["keys", capture, ...keys, "--embed", out])).toMatchObject({ code: 0, stderr: "" });
    const { stdout } = await run([out, "--json", "--limit", "packetLength=400000"]);
    expect(stdout).not.toBe("");
    expect(withoutCapture(stdout)).toBe(await json(capture, ...keys));
  });

  it("keeps the readable part of a damaged capture, and says once what is wrong", async () => {
    const whole = readFileSync(DIRTSAND);
    const path = file("cut.pcap", whole.subarray(0, whole.length - 10));
    const out = join(folder, "cut.shared.pcapng");
    const { code, stderr } = await run(["keys", path, ...DIRTSAND_KEYS, "--embed", out]);
    expect(code).toBe(2);
    expect(stderr.match(/the file ends inside/g)).toHaveLength(1);
    const { packets } = await embedded(readFileSync(out));
    expect(packets).toEqual((await readLog([readFileSync(path)])).log.packets);
  });

  it("refuses what it cannot do", async () => {
    const out = join(folder, "refused.pcapng");
    const stdin = Readable.from([readFileSync(DIRTSAND)]);
    const device = [["/dev/null"], /--embed reads the capture twice, which \/dev\/null does not allow/] as const;
    const devices = isPosix ? [device] : [];
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [["-"], /--embed reads the capture twice, which standard input does not allow/],
      ...devices,
      [[DIRTSAND, DIRTSAND], /--embed rewrites one capture at a time/],
      [[DIRTSAND, "-o", "log"], /cannot be used with option/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await run(["keys", ...args, "--embed", out], {}, stdin);
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
    }
    const own = alone("dirtsand-session.pcap");
    expect((await run(["keys", own, ...DIRTSAND_KEYS, "--embed", own, "--force"])).stderr).toContain(
      "this is the input",
    );
    expect((await run(["keys", join(folder, "none.pcap"), "--embed", out])).code).toBe(2);
    expect(() => readFileSync(out)).toThrow();
  });

  it("overwrites nothing unless asked to", async () => {
    const out = file("there.pcapng", "mine");
    const { code, stderr } = await run(["keys", DIRTSAND, "--embed", out]);
    expect(code).toBe(1);
    expect(stderr).toContain("--force overwrites it");
    expect(readFileSync(out, "utf8")).toBe("mine");
  });
});
