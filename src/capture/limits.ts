/** What a capture file may claim before it is taken to be damaged. Lengths are in bytes. */
export interface CaptureLimits {
  /** Longest packet that is believed where the file declares no larger snap length. */
  readonly packetLength: number;
  /** Longest packet that is believed whatever snap length the file declares. */
  readonly declaredPacketLength: number;
  /** Longest pcapng block that is held in memory; blocks that are only skipped may be longer. */
  readonly blockLength: number;
  /** Longest pcapng block of key material that is held; longer ones are skipped. */
  readonly secretsLength: number;
}

export const captureLimits: CaptureLimits = Object.freeze({
  // libpcap's MAXIMUM_SNAPLEN, and what Wireshark accepts for network packets.
  packetLength: 262_144,
  // A snap length of 2^31 - 1 is common and means "everything", so it cannot be the limit itself. No IP packet, not
  // even an IPv6 jumbogram as network cards merge them, comes near this.
  declaredPacketLength: 16 * 1024 * 1024,
  // The longest packet and its options.
  blockLength: 17 * 1024 * 1024,
  // The lines of a key log for some thousand connections; a TLS key log of a day of browsing is not longer.
  secretsLength: 1024 * 1024,
});

/** The longest captured length that is believed in a file or interface with the given snap length (0: none). */
export function longestPacket(snapLength: number, limits: CaptureLimits): number {
  return Math.min(Math.max(snapLength, limits.packetLength), limits.declaredPacketLength);
}
