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
  /** How far behind the end of a reset connection a segment can lie and still be taken for one that was under way. */
  readonly resetWindow: number;
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
  // The window above, doubled.
  resetWindow: 16 * 1024 * 1024,
});
