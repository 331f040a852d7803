import type { Packet } from "../../src/capture/packet.js";

/** What happens to packets on their way into a capture. */

/** A generator of pseudo-random numbers from 0 to 1: mulberry32. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The number of bytes before a packet's TCP payload: Ethernet, IPv4 and TCP headers. */
function payloadStart({ data }: Packet): number {
  return 14 + 20 + ((data[14 + 20 + 12] ?? 0) >> 4) * 4;
}

/** True if a packet may be disturbed: the key exchange is kept, as nothing could be decrypted without it. */
function isExpendable(packet: Packet): boolean {
  return packet.data.length - payloadStart(packet) > 70;
}

export type Disturbance = (packets: readonly Packet[], chance: () => number) => Packet[];

const lost: Disturbance = (packets, chance) => packets.filter((packet) => !isExpendable(packet) || chance() > 0.08);

/** Part of the payload is missing from the capture, as with a snap length. */
const cut: Disturbance = (packets, chance) =>
  packets.map((packet) => {
    if (!isExpendable(packet) || chance() > 0.06) return packet;
    const start = payloadStart(packet);
    return { ...packet, data: packet.data.subarray(0, start + Math.floor(chance() * (packet.data.length - start))) };
  });

const repeated: Disturbance = (packets, chance) =>
  packets.flatMap((packet) => (chance() > 0.08 ? [packet] : [packet, packet]));

/** Some packets are moved up to eight places later. */
const reordered: Disturbance = (packets, chance) =>
  packets
    .map((packet, index) => ({
      packet,
      place: isExpendable(packet) && chance() < 0.08 ? index + 0.5 + Math.floor(chance() * 8) : index,
    }))
    .sort((one, other) => one.place - other.place)
    .map(({ packet }) => packet);

export const DISTURBANCES: readonly (readonly [what: string, disturb: Disturbance, loses: boolean])[] = [
  ["lost", lost, true],
  ["cut", cut, true],
  ["repeated and reordered", (packets, chance) => reordered(repeated(packets, chance), chance), false],
  [
    "lost, cut, repeated and reordered",
    (packets, chance) => reordered(repeated(cut(lost(packets, chance), chance), chance), chance),
    true,
  ],
];
