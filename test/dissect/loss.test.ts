import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { dissectPackets, packetsOf } from "../support/sample-packets.js";

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
      const whole = await dissectPackets(packets, keys);
      const chance = random(seed);
      // The key exchange stays: without it there is nothing to decrypt. Later packets with data are lost now and then.
      const kept = packets.filter((packet) => {
        const length = packet.data.length - payloadStart(packet);
        return length <= 70 || chance() > 0.08;
      });
      const found = await dissectPackets(kept, keys);

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
      expect(found.some(({ notes }) => notes.includes("found behind a gap"))).toBe(true);
    },
  );
});
