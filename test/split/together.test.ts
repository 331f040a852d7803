import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { RAW } from "../support/network.js";
import { type Ends, ipFragments, ipv4Packet, text, udpBytes, udpPacket } from "../support/packets.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { packetsOf } from "./whole-numbers.js";

function ends(source: string, sourcePort: number, destination: string, destinationPort: number): Ends {
  return { source, sourcePort, destination, destinationPort };
}

/** Splits packets into as many parts as possible; returns the frames of the whole that each part has. */
async function splitUp(packets: readonly Uint8Array[], ...options: readonly string[]): Promise<number[][]> {
  const folder = temporaryFolder();
  const whole = join(folder, "whole.pcap");
  writeFileSync(
    whole,
    pcapFile(
      packets.map((data, at) => ({ data, time: BigInt(at) * 1000n })),
      { linkType: RAW },
    ),
  );
  const parts = join(folder, "parts");
  const args = options.length > 0 ? options : ["--by", "size", "--size", "1"];
  const { code } = await uncheckedRun(["split", whole, "-o", parts, ...args]);
  expect(code).toBe(0);
  const known = await packetsOf(whole);
  const names = readdirSync(parts).sort();
  return Promise.all(
    names.map(async (name) => (await packetsOf(join(parts, name))).map((packet) => known.indexOf(packet) + 1)),
  );
}

const ONE = ends("10.0.0.1", 4000, "10.0.0.2", 5000);
const BACK = ends("10.0.0.2", 5000, "10.0.0.1", 4000);
const OTHER = ends("10.0.0.1", 4001, "10.0.0.2", 5000);
const STRANGER = ends("10.0.0.3", 4000, "10.0.0.4", 5000);
const WORDS = text("forty bytes of text, for five fragments.");

/** The fragments of a datagram; the third one has no ports. */
function fragments(of: Ends): Uint8Array[] {
  return ipFragments(17, of.source, of.destination, udpBytes(of, WORDS), [16, 16]);
}

test("both directions of a conversation are in one part, in order, and others in others", async () => {
  const packets = [udpPacket(ONE, WORDS), udpPacket(STRANGER, WORDS), udpPacket(BACK, WORDS), udpPacket(OTHER, WORDS)];
  expect(await splitUp(packets)).toEqual([[1, 3], [2], [4]]);
});

test("fragments are with what they are part of, whichever comes first", async () => {
  const [first = WORDS, second = WORDS, third = WORDS] = fragments(ONE);
  const packets = [third, udpPacket(STRANGER, WORDS), second, udpPacket(BACK, WORDS), first, udpPacket(OTHER, WORDS)];
  expect(await splitUp(packets)).toEqual([[1, 3, 4, 5], [2], [6]]);
});

test("fragments of a tunnel are with what is in it", async () => {
  const tunnelled = ipFragments(4, "192.0.2.1", "192.0.2.2", udpPacket(ONE, WORDS), [24, 24]);
  const packets = [udpPacket(STRANGER, WORDS), ...tunnelled, udpPacket(BACK, WORDS)];
  expect(await splitUp(packets)).toEqual([[1], packets.slice(1).map((_, at) => at + 2)]);
});

test("packets of no conversation are in a part of their own", async () => {
  const ping = ipv4Packet(1, "10.0.0.1", "10.0.0.2", WORDS);
  expect(await splitUp([ping, udpPacket(ONE, WORDS)])).toEqual([[2], [1]]);
  expect(await splitUp([ping, udpPacket(ONE, WORDS)], "--by", "conversation")).toEqual([[1, 2]]);
});

test("by size, a part has as many conversations as fit", async () => {
  const packets = [ONE, OTHER, STRANGER].map((one) => udpPacket(one, WORDS));
  const length = packets[0]?.length ?? 0;
  expect(await splitUp(packets, "--by", "size", "--size", String(2 * length))).toEqual([[1, 2], [3]]);
  expect(await splitUp(packets, "--by", "size", "--size", String(2 * length - 1))).toEqual([[1], [2], [3]]);
});
