import type { Limits } from "../limits.js";

/** The longest captured length that is accepted in a file or interface with the given snap length (0: none). */
export function longestPacket(snapLength: number, limits: Limits): number {
  return Math.min(Math.max(snapLength, limits.packetLength), limits.declaredPacketLength);
}
