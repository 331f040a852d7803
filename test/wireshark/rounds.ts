import type { Packet } from "../../src/capture/packet.js";
import { pcapFile } from "../support/captures.js";

/** Several rounds in one capture: what takes the time is that tshark starts. */

/** Where the IPv4 addresses are. */
const ADDRESSES = [14 + 12, 14 + 16];
/** How much later than the one before a round is. */
const ROUND_SECONDS = 86_400;

/** The packets of a round, between hosts of its own, so that the rounds share no conversation. */
export function apart(packets: readonly Packet[], place: number): Packet[] {
  return packets.map((packet) => {
    const data = packet.data.slice();
    for (const address of ADDRESSES) {
      const isGroup = (data[address] ?? 0) >= 224;
      if (!isGroup && address + 4 <= data.length) data[address + 1] = place % 256;
    }
    return { ...packet, data, seconds: packet.seconds + place * ROUND_SECONDS };
  });
}

/** A capture of packets, one after the other. */
export function captureOf(packets: readonly Packet[]): Uint8Array {
  return pcapFile(
    packets.map(({ data, seconds, nanoseconds, originalLength }) => ({
      data,
      time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
      originalLength: Math.max(originalLength, data.length),
    })),
  );
}
