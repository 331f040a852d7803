/** What the network room keeps at most. All are set in one place so that memory stays flat however large a capture is. */
export interface NetworkLimits {
  /** Bytes of segments that wait for a missing one, per TCP direction, with `heldOverhead` for each segment. */
  readonly heldBytes: number;
  /** Segments that wait for a missing one, per TCP direction. */
  readonly heldSegments: number;
  /** Bytes of waiting segments over all conversations, with `heldOverhead` for each segment. */
  readonly heldBytesInAll: number;
  /** What a waiting segment costs beside its bytes. */
  readonly heldOverhead: number;
  /** Conversations that are remembered, of TCP and of UDP each; the one that was silent longest has to go. */
  readonly conversations: number;
  /** Seconds without a packet after which a conversation is closed and forgotten. */
  readonly idleSeconds: number;
  /**
   * How far from where a connection is a RST can lie and still be taken for one of it; and how far behind the end of a
   * reset connection a segment, to be taken for one that was under way.
   */
  readonly resetWindow: number;
  /** Bytes that were handed over last, of all conversations together, with which those are compared that come again. */
  readonly recentBytes: number;
  /** Packets and seconds that bytes have to come after they have been acknowledged; whatever is over first. */
  readonly doubtPackets: number;
  readonly doubtSeconds: number;
  /** IP packets of which not all fragments have come. */
  readonly fragmentedPackets: number;
  /** Bytes of fragments of such packets. */
  readonly fragmentBytes: number;
  /** Seconds after its first fragment when a packet is given up. */
  readonly fragmentSeconds: number;
  /** VLANs and tunnels, and combinations of them, that are told apart. */
  readonly paths: number;
  /** Tunnels in tunnels that are followed. */
  readonly tunnels: number;
}

export const networkLimits: NetworkLimits = Object.freeze({
  // A sender cannot be further ahead than the receiver's window, and Linux lets that grow to 6 MiB unless it is tuned.
  // Whoever is further ahead has been acknowledged by packets that the capture does not have.
  heldBytes: 8 * 1024 * 1024,
  // The same window in full Ethernet segments; it also bounds the work of putting a segment into its place.
  heldSegments: 4096,
  // Eight directions with a full window at once: more points to a damaged or hostile capture.
  heldBytesInAll: 64 * 1024 * 1024,
  // Measured on Node 20: an array buffer, its view, the entry and its origin.
  heldOverhead: 320,
  // A few hundred bytes each here, but the rooms behind keep more per conversation; a game server's day of players is
  // well below it, and what a port scan pushes out is the rest of that scan.
  conversations: 16_384,
  // What translators of addresses have to wait at least before they forget a connection (RFC 5382, section 5).
  idleSeconds: 2 * 3600 + 4 * 60,
  // The window above, doubled.
  resetWindow: 16 * 1024 * 1024,
  // What 1 Gbit/s bring in 8 ms: forged or garbled segments come right before or behind the true ones.
  recentBytes: 1024 * 1024,
  // Recorders mix up packets within milliseconds; who looks at a live capture should not wait longer for what is behind
  // a loss. A thousand full segments are less than may be held.
  doubtPackets: 1024,
  doubtSeconds: 1,
  // Each can be up to 64 KiB long, but few are: Linux keeps 4 MiB of them (net.ipv4.ipfrag_high_thresh).
  fragmentedPackets: 4096,
  fragmentBytes: 16 * 1024 * 1024,
  // Linux waits so long (net.ipv4.ipfrag_time); RFC 8200 allows 60.
  fragmentSeconds: 30,
  // There are 4094 VLANs in each of 4094 others, but no recorder sees many of them; a path costs some 200 bytes.
  paths: 65_536,
  // Overlays in overlays in the tunnels of a provider are three.
  tunnels: 8,
});
