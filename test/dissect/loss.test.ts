import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { dissectPackets, type Found, packetsOf } from "../support/sample-packets.js";

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

/** Whether a packet may be disturbed: the key exchange stays, without it there is nothing to decrypt. */
function isExpendable(packet: Packet): boolean {
  return packet.data.length - payloadStart(packet) > 70;
}

type Disturbance = (packets: readonly Packet[], chance: () => number) => Packet[];

const lost: Disturbance = (packets, chance) => packets.filter((packet) => !isExpendable(packet) || chance() > 0.08);

/** Part of the payload is not in the capture, as with a snap length. */
const cut: Disturbance = (packets, chance) =>
  packets.map((packet) => {
    if (!isExpendable(packet) || chance() > 0.06) return packet;
    const start = payloadStart(packet);
    return { ...packet, data: packet.data.subarray(0, start + Math.floor(chance() * (packet.data.length - start))) };
  });

const repeated: Disturbance = (packets, chance) =>
  packets.flatMap((packet) => (chance() > 0.08 ? [packet] : [packet, packet]));

/** Some packets come up to eight places later. */
const reordered: Disturbance = (packets, chance) =>
  packets
    .map((packet, index) => ({
      packet,
      place: isExpendable(packet) && chance() < 0.08 ? index + 0.5 + Math.floor(chance() * 8) : index,
    }))
    .sort((one, other) => one.place - other.place)
    .map(({ packet }) => packet);

const DISTURBANCES: readonly (readonly [what: string, disturb: Disturbance, loses: boolean])[] = [
  ["lost", lost, true],
  ["cut", cut, true],
  ["repeated and reordered", (packets, chance) => reordered(repeated(packets, chance), chance), false],
  [
    "lost, cut, repeated and reordered",
    (packets, chance) => reordered(repeated(cut(lost(packets, chance), chance), chance), chance),
    true,
  ],
];

const keyOf = ({ stream, offset, name, bytes }: Found) => `${stream} ${offset} ${name} ${bytes}`;

describe.each(SESSIONS)("%s", (capture, keys) => {
  describe.each(DISTURBANCES)("with packets that are %s", (_what, disturb, loses) => {
    it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
      "(seed %i) loses only the messages beside a loss",
      async (seed) => {
        const packets = await packetsOf(capture);
        const whole = await dissectPackets(packets, keys);
        const found = await dissectPackets(disturb(packets, random(seed)), keys);

        const gaps = found.filter(({ name }) => name === "gap");
        const have = new Set(found.map(keyOf));
        const missing = whole.filter((message) => {
          const { stream, offset, end } = message;
          const beside = gaps.some((gap) => gap.stream === stream && gap.offset <= end && gap.end >= offset);
          return !beside && !have.has(keyOf(message));
        });
        expect(missing.map(keyOf)).toEqual([]);

        // Nothing is made up: what is whole was there, and the first message behind a gap says that it was searched for.
        const real = new Set(whole.map(keyOf));
        const invented = found.filter(
          (message) => message.bytes !== "" && message.status !== "truncated" && !real.has(keyOf(message)),
        );
        expect(invented.map(keyOf)).toEqual([]);
        expect(gaps.length > 0).toBe(loses);
        expect(found.some(({ notes }) => notes.includes("found behind a gap"))).toBe(loses);
      },
    );
  });
});
