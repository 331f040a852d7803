import type { Packet } from "../../src/capture/packet.js";
import type { Random } from "./random.js";

/** What happens to packets on their way into a capture. */

/** The number of bytes before a packet's TCP payload: Ethernet, IPv4 and TCP headers. */
function payloadStart({ data }: Packet): number {
  return 14 + 20 + ((data[14 + 20 + 12] ?? 0) >> 4) * 4;
}

/** True if a packet may be disturbed: the key exchange is kept, as nothing could be decrypted without it. */
function isExpendable(packet: Packet): boolean {
  return packet.data.length - payloadStart(packet) > 70;
}

type Disturbance = (packets: readonly Packet[], random: Random) => Packet[];

const lost: Disturbance = (packets, random) =>
  packets.filter((packet) => !isExpendable(packet) || random.fraction() > 0.08);

/** Part of the payload is missing from the capture, as with a snap length. */
const cut: Disturbance = (packets, random) =>
  packets.map((packet) => {
    if (!isExpendable(packet) || random.fraction() > 0.06) return packet;
    const start = payloadStart(packet);
    return { ...packet, data: packet.data.subarray(0, start + random.below(packet.data.length - start)) };
  });

const repeated: Disturbance = (packets, random) =>
  packets.flatMap((packet) => (random.fraction() > 0.08 ? [packet] : [packet, packet]));

/** Some packets are moved up to eight places later. */
const reordered: Disturbance = (packets, random) =>
  packets
    .map((packet, index) => ({
      packet,
      place: isExpendable(packet) && random.fraction() < 0.08 ? index + 0.5 + random.below(8) : index,
    }))
    .sort((one, other) => one.place - other.place)
    .map(({ packet }) => packet);

export const DISTURBANCES: readonly (readonly [what: string, disturb: Disturbance, loses: boolean])[] = [
  ["lost", lost, true],
  ["cut", cut, true],
  ["repeated and reordered", (packets, random) => reordered(repeated(packets, random), random), false],
  [
    "lost, cut, repeated and reordered",
    (packets, random) => reordered(repeated(cut(lost(packets, random), random), random), random),
    true,
  ],
];

/** Any packet with payload may be missing, those of the key exchange too. */
export const lostAnywhere: Disturbance = (packets, random) =>
  packets.filter((packet) => packet.data.length <= payloadStart(packet) || random.fraction() > 0.04);

/** Up to three of the first packets with payload of each side of each connection are missing. */
export const lostBeginnings: Disturbance = (packets, random) => {
  const left = new Map<string, number>();
  return packets.filter((packet) => {
    if (packet.data.length <= payloadStart(packet)) return true;
    const ports = Buffer.from(packet.data.subarray(14 + 20, 14 + 24)).toString("hex");
    const missing = left.get(ports) ?? random.below(4);
    left.set(ports, Math.max(0, missing - 1));
    return missing === 0;
  });
};
