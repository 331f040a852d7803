import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { PcapngWriter } from "../../src/capture/pcapng-writer.js";
import { main } from "../../src/cli/program.js";
import { pcapFile, rawPcapFile } from "../support/captures.js";
import { jsonLines, run, uncheckedRun } from "../support/command-line.js";
import { decrypted, decryptedSample, payloads, samplePayloads } from "../support/decrypted.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { loneDatagrams } from "../support/lone-datagrams.js";
import { RAW } from "../support/network.js";
import { ipPacket, TcpTalk } from "../support/packets.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { OTHER_FORMS, SESSIONS, sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

const DIRTSAND = "dirtsand-session.pcap";
const KEYS = ["--keys", sample("keys/dirtsand/dirtsand.ini")];

/** A line of JSON. */
type Line = Readonly<Record<string, unknown>>;

/** The messages of a capture, without stream and frame numbers: conversations without payload are gone. */
async function messages(path: string, ...args: readonly string[]): Promise<readonly Line[]> {
  // What the first version says is in the messages themselves; the second one also names the capture.
  const { stdout } = await uncheckedRun([path, "--json", "--json-version", "1", ...args]);
  return jsonLines(stdout).map(({ frames: _frames, stream: _stream, ...message }) => message);
}

/** The messages of each direction: where bytes are missing, another direction's message may be noticed first. */
function byDirection(all: readonly Line[]): ReadonlyMap<string, readonly object[]> {
  const directions = new Map<string, object[]>();
  for (const { number: _number, time: _time, summary: _summary, ...message } of all) {
    const key = `${message["source"]} > ${message["destination"]}`;
    // How many show it depends on how much had come when it was found.
    const text = JSON.stringify(message).replaceAll(/\d+ messages in a row make|a message makes/g, "messages make");
    directions.set(key, [...(directions.get(key) ?? []), JSON.parse(text)]);
  }
  return directions;
}

describe.each(SESSIONS)("decrypt %s", (name) => {
  it("writes a capture with the same messages, which can be read without keys", async () => {
    const { out, code, stdout } = await decryptedSample(name);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const before = await messages(sample(name));
    expect(await messages(out)).toEqual(before);
    expect(before.length).toBeGreaterThan(40);
  });

  it("writes a packet for each one with payload, at its time", async () => {
    const { out } = await decryptedSample(name);
    const { seen } = await samplePayloads(name);
    expect(seen.length).toBeGreaterThan(0);
    expect((await payloads(out, "network")).seen).toEqual(seen);
  });
});

describe("decrypt", () => {
  it.each(OTHER_FORMS)("writes the same messages of the same session in another form of capture: %s", async (name) => {
    const said = async (sample: string) =>
      (await messages((await decryptedSample(sample)).out)).map(({ message, direction, fields }) => {
        return { message, direction, fields };
      });
    expect(await said(name)).toEqual(await said("nagus-session.pcap"));
  });

  describe.each(DISTURBANCES)("a recording with packets that are %s", (what, disturb) => {
    it.each([
      [DIRTSAND, KEYS],
      ["nagus-session.pcap", ["--keys", sample("nagus-session.keys")]],
    ])("keeps the same messages: %s", async (session, keys) => {
      const name = `${what.replaceAll(/\W+/g, "-")}-${session}`;
      const path = file(`${name}.pcapng`, pcapngFile(disturb(await packetsOf(session), new Random(1))));
      const { out, code } = await decrypted(name, path, ...keys);
      expect(code).toBe(0);
      const [after, before] = [await messages(out), await messages(path, ...keys)];
      expect(byDirection(after)).toEqual(byDirection(before));
    });
  });

  it.each([
    "dirtsand-plain.pcap",
    "nagus-plain.pcap",
    DIRTSAND,
    "bz107e-udp.pcap",
    "bz107e-relay.pcap",
    "bz0221-glclient.pcap",
  ])("keeps the same messages of a recording that begins in the middle: %s", async (name) => {
    const packets = await packetsOf(name);
    for (const first of [29, 299]) {
      const path = file(`${name}-${first}.pcapng`, pcapngFile(packets.slice(first)));
      const { out } = await decrypted(`${name}-${first}`, path, ...KEYS);
      expect(await messages(out)).toEqual(await messages(path, ...KEYS));
    }
  });

  it("leaves bytes as they are if the key is missing, and says so", async () => {
    const path = join(folder, "no-key.pcap");
    copyFileSync(sample(DIRTSAND), path);
    const { out, code, stderr } = await decrypted("no-key", path);
    expect(code).toBe(0);
    expect(stderr).toMatch(/\(moul\.auth\) (is|are) encrypted, and no key .* with --keys; .* written as .* captured\n/);
    expect(await messages(out)).toEqual(await messages(path));
    expect(await messages(out, ...KEYS)).toEqual(await messages(path, ...KEYS));
  });

  it("leaves out what no dissector recognises, and says so", async () => {
    const { stderr } = await decrypted("strange", sample("example-dissector/parley.pcap"));
    expect(stderr).toMatch(
      /: \d+ conversations? \(streams? [\d, ]+: \d+ bytes\) (?:is|are) left out: .* not recognised\n/,
    );
    expect(stderr).toContain("there is nothing to write");
  });

  it("also writes datagrams from before the protocol was known", async () => {
    const packets = await loneDatagrams();
    const one = (data: Uint8Array, index: number) => ({ data, time: BigInt(index) * 10_000_000n });
    // Another conversation takes place between them, whose packets do not wait for long.
    const other = new TcpTalk(["192.0.2.7", 4000], ["192.0.2.8", 31_000], [1, 1]);
    const greeting = [...other.handshake(), other.send(0, "BZFLAG\r\n\r\n")];
    const all = [...packets.slice(0, 3), ...greeting, ...packets.slice(3)];
    const path = file("lone.pcap", pcapFile(all.map(one), { linkType: RAW }));
    const { out, stderr } = await decrypted("lone", path);
    expect((await messages(out)).length).toBe((await messages(path)).length);
    expect(await messages(out)).toEqual(await messages(path));
    expect((await payloads(out, "network")).seen).toEqual((await payloads(path, "network")).seen);
    expect((await payloads(out, "network")).seen).toHaveLength(packets.length + 1);
    expect(stderr).toBe("");
  });

  it("says how many of those it could not keep, and what is in no conversation", async () => {
    const packets = await loneDatagrams();
    const ping = ipPacket(1, "192.0.2.1", "192.0.2.2", new Uint8Array(8));
    const path = file("many.pcap", rawPcapFile([...packets, ping, ping]));
    const { out, stderr } = await decrypted("many", path, "--limit", "openingBytes=150");
    const missing = packets.length - (await payloads(out, "network")).seen.length;
    expect(missing).toBeGreaterThan(0);
    expect(stderr).toContain(
      `: ${missing} datagrams are left out: no more could be kept before the protocol was recognised`,
    );
    expect(stderr).toContain("--limit openingBytes=N");
    expect(stderr).toContain(": 2 packets outside any conversation are left out: ICMP (2)\n");
  });

  it("names the most frequent of many kinds of packets in no conversation", async () => {
    const kinds = Array.from({ length: 15 }, (_, index) => 200 + index);
    const packets = [...kinds, 207].map((protocol) => ipPacket(protocol, "192.0.2.1", "192.0.2.2", new Uint8Array(8)));
    const { stderr } = await decrypted("kinds", file("kinds.pcap", rawPcapFile(packets)));
    expect(stderr).toMatch(
      /: 16 packets outside any conversation are left out: \D*207 \(2\), (\D*2\d\d \(1\), ){11}3 more kinds\n/,
    );
    const { stderr: nothing } = await run([join(folder, "kinds.pcap")]);
    expect(nothing).toMatch(/ in 16 packets \(\D*207: 2(, \D*2\d\d: 1){2}, 12 more kinds\)/);
  });

  it.each([469, 300, 108, 700])("keeps the times of what follows a gap: packet %i is lost", async (lost) => {
    const packets = await packetsOf("dirtsand-plain.pcap");
    const path = file(`lost-${lost}.pcapng`, pcapngFile(packets.filter((_, index) => index !== lost)));
    const { out, stderr } = await decrypted(`lost-${lost}-plain`, path);
    expect(stderr).not.toContain("later time");
    const timed = async (capture: string) =>
      (await run([capture, ..."-e stream -e direction -e message -e time".split(" ")])).stdout;
    const original = await timed(path);
    expect(original).toContain("gap");
    expect((await timed(out)).split("\n").sort()).toEqual(original.split("\n").sort());
  });

  it("says how many packets have a different time, if others do not wait for what follows a gap", async () => {
    const packets = await packetsOf("dirtsand-plain.pcap");
    const path = file("late.pcapng", pcapngFile(packets.filter((_, index) => index !== 469)));
    const { stderr } = await decrypted("late-plain", path, "--limit", "orderBytes=1");
    expect(stderr).toMatch(/: \d+ packets come after later ones/);
    const scrubbed = await run(["scrub", path, "-o", join(folder, "late-scrubbed.pcapng"), "--force"]);
    expect(scrubbed.stderr).toMatch(
      /: \d+ packets have a later time than their own: .*, or the data after missing bytes, or/,
    );
  });

  it("says the same of packets that are captured after later ones, as by a recorder on two processors", async () => {
    const packets = await packetsOf("dirtsand-plain.pcap");
    const path = file(
      "out-of-order.pcap",
      pcapngFile(packets.map((packet, index) => (index === 469 ? { ...packet, nanoseconds: 0 } : packet))),
    );
    const { stderr } = await decrypted("out-of-order-plain", path);
    expect(stderr).toMatch(/: 1 packet has a later time than its own: the capture has packets out of order, or/);
  });

  it("writes into a pipe, but not to a terminal, and not over an existing file", async () => {
    const { out } = await decrypted("pipe", sample(DIRTSAND));
    const piped = await run(["decrypt", sample(DIRTSAND)]);
    expect(piped.stdout).toBe(readFileSync(out).toString("utf8"));
    const again = await run(["decrypt", sample(DIRTSAND), "-o", out]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("--force overwrites it");
    const terminal = new FakeTerminal();
    const io = { stdout: terminal, stderr: terminal, env: {} };
    expect(await main(["decrypt", sample(DIRTSAND)], io)).toBe(1);
  });

  it("leaves no file if there is nothing to read", async () => {
    const out = join(folder, "nothing.pcapng");
    const { code, stderr } = await run(["decrypt", join(folder, "missing.pcap"), "-o", out]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no such file");
    expect(() => readFileSync(out)).toThrow();
  });
});

function pcapngFile(packets: readonly Packet[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PcapngWriter((bytes) => void parts.push(bytes.slice()));
  writer.section("test");
  writer.interface({ linkType: packets[0]?.linkType ?? 0 });
  for (const packet of packets) writer.packet(packet);
  writer.flush();
  return Buffer.concat(parts);
}
