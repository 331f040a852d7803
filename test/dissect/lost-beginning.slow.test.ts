import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { dissectPackets, type Found, packetsOf } from "../support/sample-packets.js";

const SERVER_PORT = 14617;
const SYN = 0x02;
const SYN_ACK = 0x12;

/** The place of a sample's packet in its connection: Ethernet, IPv4 and TCP, without IP options. */
function partOf({ data }: Packet): { readonly connection: number; readonly part: string } {
  const bytes = Buffer.from(data);
  const [source, destination] = [bytes.readUInt16BE(34), bytes.readUInt16BE(36)];
  const isSynAck = (data[47] ?? 0) === SYN_ACK;
  const hasPayload = bytes.length > 14 + 20 + ((data[46] ?? 0) >> 4) * 4;
  const direction = destination === SERVER_PORT ? "c2s" : "s2c";
  return {
    connection: direction === "c2s" ? source : destination,
    part: isSynAck ? "SYN-ACK" : hasPayload ? direction : "",
  };
}

/** The packets without some parts of each connection: "c2s 0" is the client's first packet with a payload. */
function without(packets: readonly Packet[], ...lost: readonly string[]): Packet[] {
  const counts = new Map<string, number>();
  return packets.filter((packet) => {
    const { connection, part } = partOf(packet);
    const key = `${connection} ${part}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return !lost.includes(`${part} ${count}`);
  });
}

const keyOf = ({ stream, name, bytes }: Found) => `${stream} ${name} ${bytes}`;
const isMessage = ({ name }: Found) => !["gap", "skipped", "encrypted"].includes(name);

/** What is found in a sample without some packets, and what should be: all but the messages in those packets. */
async function compared(capture: string, lost: readonly string[]) {
  const packets = await packetsOf(capture);
  const whole = await dissectPackets(packets);
  const found = await dissectPackets(without(packets, ...lost));
  const gaps = found.filter(({ name }) => name === "gap");
  const isLost = ({ stream, offset, end }: Found) =>
    gaps.some((gap) => gap.stream === stream && gap.offset <= offset && gap.end >= end);
  return { found, expected: whole.filter((message) => !isLost(message)), gaps };
}

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("%s", (capture) => {
  it.each([
    ["the connect packets", ["c2s 0"]],
    ["the clients' encryption requests", ["c2s 1"]],
    ["the servers' answers", ["s2c 0"]],
    ["these answers and SYN-ACKs", ["SYN-ACK 0", "s2c 0"]],
  ])("without %s has all other messages", async (_, lost) => {
    const { found, expected, gaps } = await compared(capture, lost);
    expect(gaps.length).toBeGreaterThan(0);
    expect(found.filter(isMessage).map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
    expect(found.filter(({ name }) => name === "skipped" || name === "encrypted")).toEqual([]);
  });

  it("without SYNs and the servers' first answers has all other messages", async () => {
    const packets = await packetsOf(capture);
    const isAnswer = ({ stream, offset }: Found) => stream.endsWith("s2c") && offset === 0;
    const expected = (await dissectPackets(packets)).filter((message) => !isAnswer(message));
    const isSyn = ({ data }: Packet) => ((data[47] ?? 0) & SYN) !== 0;
    const found = await dissectPackets(without(packets, "s2c 0").filter((packet) => !isSyn(packet)));
    expect(found.filter(isMessage).map(keyOf).sort()).toEqual(expected.map(keyOf).sort());
    // The clients acknowledge what is not there.
    const gaps = found.filter(({ name }) => name === "gap");
    expect(new Set(gaps.map(({ stream }) => stream)).size).toBe(gaps.length);
    expect(found.length).toBe(expected.length + gaps.length);
  });

  it("with connect packets cut by the snap length has all that follows them", async () => {
    const packets = await packetsOf(capture);
    const connects = packets.filter((packet) => !without(packets, "c2s 0").includes(packet));
    const cut = packets.map((packet) =>
      connects.includes(packet) ? { ...packet, data: packet.data.subarray(0, 100) } : packet,
    );
    const isConnect = ({ name }: Found) => /^Cli2(Auth|File|Game|GateKeeper)_Connect$/.test(name);
    const expected = (await dissectPackets(packets)).filter((message) => !isConnect(message));
    const found = await dissectPackets(cut);
    expect(found.filter((message) => isMessage(message) && !isConnect(message)).map(keyOf)).toEqual(
      expected.map(keyOf),
    );
    expect(found.filter(isConnect).map(({ status }) => status)).toEqual(connects.map(() => "truncated"));
  });

  it("with only the servers' packets captured has all their messages", async () => {
    const packets = await packetsOf(capture);
    const isSaidByServer = ({ stream }: Found) => stream.endsWith("s2c");
    const expected = (await dissectPackets(packets)).filter(isSaidByServer).map(keyOf);
    const found = await dissectPackets(
      packets.filter(({ data }) => Buffer.from(data).readUInt16BE(34) === SERVER_PORT),
    );
    expect(found.filter(isSaidByServer).map(keyOf).sort()).toEqual(expected.sort());
  });
});

describe.each(["dirtsand-session", "nagus-session"])("%s.pcap, which is encrypted,", (session) => {
  it.each([
    ["the clients' encryption requests", ["c2s 1"]],
    ["the servers' answers", ["s2c 0"]],
    ["these answers and SYN-ACKs", ["SYN-ACK 0", "s2c 0"]],
  ])("is reported as encrypted without %s, with nothing skipped", async (_, lost) => {
    const packets = await packetsOf(`${session}.pcap`);
    const found = await dissectPackets(without(packets, ...lost));
    const fileServer = new Set(found.filter(({ name }) => name === "Cli2File_Connect").map(({ stream }) => stream));
    const names = new Set(found.filter(({ stream }) => !fileServer.has(stream)).map(({ name }) => name));
    expect(names.has("encrypted")).toBe(true);
    expect(names.has("skipped")).toBe(false);
    expect(found.filter(({ status }) => status === "malformed")).toEqual([]);
  });
});

describe.each([
  ["dirtsand-session.pcap", "keys/dirtsand/dirtsand.ini"],
  ["nagus-session.pcap", "keys/nagus/nagus_config.ini"],
])("%s, encrypted, without the first messages of both sides", (capture, keys) => {
  const FIRST = ["c2s 2", "s2c 1"];

  it("has the messages of whole packets that follow them", async () => {
    const packets = await packetsOf(capture);
    const whole = await dissectPackets(packets, keys);
    const found = await dissectPackets(without(packets, ...FIRST), keys);
    expect(found.filter(({ name }) => name === "encrypted")).toEqual([]);
    const messages = found.filter((message) => isMessage(message) && message.status !== "truncated").map(keyOf);
    const real = new Set(whole.map(keyOf));
    expect(messages.filter((message) => !real.has(message))).toEqual([]);
    expect(messages.length).toBeGreaterThan(whole.length * 0.85);
  });

  it("says so if nothing is left on which the key can be tried", async () => {
    const packets = without(await packetsOf(capture), ...FIRST);
    const exchange = new Set(packets.filter((packet) => !without(packets, "c2s 0", "c2s 1", "s2c 0").includes(packet)));
    const cut = packets.map((packet) =>
      exchange.has(packet) ? packet : { ...packet, data: packet.data.subarray(0, 14 + 20 + 32 + 5) },
    );
    const found = (await dissectPackets(cut, keys)).filter(({ name }) => name === "encrypted");
    expect(new Set(found.map(({ stream }) => stream)).size).toBeGreaterThan(10);
    for (const { notes } of found) expect(notes).toContain("the first messages of both sides are missing");
  });
});
