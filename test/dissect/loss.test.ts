import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { readCapture } from "../../src/capture/reader.js";
import { openCapture } from "../../src/capture/source.js";
import { Dissection } from "../../src/dissect/dissection.js";
import type { Message } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { Network } from "../../src/network/network.js";
import { hex } from "../../src/schema/leaf.js";
import { readKeyFiles } from "../../src/session/key-files.js";
import { Tracker } from "../../src/session/tracker.js";

function samplePath(name: string): string {
  return fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));
}

/** A message, with where it stands in its stream. */
interface Found {
  readonly stream: string;
  readonly offset: number;
  readonly end: number;
  readonly name: string;
  readonly status: string;
  readonly bytes: string;
  readonly marked: boolean;
}

async function packetsOf(capture: string): Promise<Packet[]> {
  const packets: Packet[] = [];
  const listener = {
    packet: (packet: Packet) => void packets.push({ ...packet, data: packet.data.slice() }),
    problem: () => {},
  };
  await readCapture(openCapture(samplePath(capture)), capture, listener);
  return packets;
}

async function dissect(packets: readonly Packet[], keys: string): Promise<Found[]> {
  const ring = await readKeyFiles([samplePath(keys)], dissectors);
  const found: Found[] = [];
  const listener = (message: Message) => {
    const { conversation, direction, offset, length, name, status, nodes, notes } = message;
    found.push({
      stream: `${conversation.client.port} ${direction}`,
      offset,
      end: offset + length,
      name,
      status,
      bytes: nodes === undefined ? "" : hex(nodes.bytes(0)),
      marked: notes.some(({ text }) => text.startsWith("found behind a gap")),
    });
  };
  const network = new Network(new Tracker(dissectors, ring.keys, new Dissection(listener)));
  for (const packet of packets) network.packet(packet);
  network.end();
  return found;
}

/** A generator of pseudo-random numbers from 0 to 1: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes of a packet in front of its TCP payload: Ethernet, IPv4 and TCP headers. */
function payloadStart({ data }: Packet): number {
  return 14 + 20 + ((data[14 + 20 + 12] ?? 0) >> 4) * 4;
}

const SESSIONS = [
  ["dirtsand-session.pcap", "keys/dirtsand/dirtsand.ini"],
  ["nagus-session.pcap", "keys/nagus/nagus_config.ini"],
] as const;

describe.each(SESSIONS)("%s", (capture, keys) => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
    "with packets lost (seed %i) loses only the messages beside a loss",
    async (seed) => {
      const packets = await packetsOf(capture);
      const whole = await dissect(packets, keys);
      const chance = random(seed);
      // The key exchange stays: without it there is nothing to decrypt. Later packets with data are lost now and then.
      const kept = packets.filter((packet) => {
        const length = packet.data.length - payloadStart(packet);
        return length <= 70 || chance() > 0.08;
      });
      const found = await dissect(kept, keys);

      const gaps = found.filter(({ name }) => name === "gap");
      const have = new Set(
        found.map((message) => `${message.stream} ${message.offset} ${message.name} ${message.bytes}`),
      );
      const missing = whole.filter(({ stream, offset, end, name, bytes }) => {
        const beside = gaps.some((gap) => gap.stream === stream && gap.offset <= end && gap.end >= offset);
        return !beside && !have.has(`${stream} ${offset} ${name} ${bytes}`);
      });
      expect(missing.map(({ stream, offset, name }) => `${stream} ${offset} ${name}`)).toEqual([]);

      // Nothing is made up: what is whole was there, and the first message behind a gap says that it was searched for.
      const real = new Set(
        whole.map((message) => `${message.stream} ${message.offset} ${message.name} ${message.bytes}`),
      );
      const invented = found.filter(
        ({ stream, offset, name, status, bytes }) =>
          bytes !== "" && status !== "truncated" && !real.has(`${stream} ${offset} ${name} ${bytes}`),
      );
      expect(invented.map(({ stream, offset, name }) => `${stream} ${offset} ${name}`)).toEqual([]);
      expect(gaps.length).toBeGreaterThan(0);
      expect(found.some(({ marked }) => marked)).toBe(true);
    },
  );
});
