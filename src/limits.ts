/** The default of a limit, its unit, and what it bounds and why. */
export interface LimitFact {
  readonly value: number;
  readonly unit: string;
  readonly doc: string;
  /** The highest value that makes sense; without it, any does. */
  readonly most?: number;
}

/**
 * All limits, which keep captures from exhausting memory, stack or time: by rooms, in the order in which data passes
 * through them. `--limit` changes any of them.
 */
export const limitFacts = {
  // capture
  packetLength: {
    value: 262_144,
    unit: "bytes",
    doc: "Longest packet that is accepted unless the file declares a larger snap length. The default is libpcap's MAXIMUM_SNAPLEN, which Wireshark also accepts for network packets.",
  },
  declaredPacketLength: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Longest packet that is accepted whatever snap length the file declares: 2^31 - 1 is common and means everything. No IP packet comes close to this, not even when network cards merge packets.",
  },
  blockLength: {
    value: 17 * 1024 * 1024,
    unit: "bytes",
    doc: "Longest pcapng block that is held in memory: the longest packet and its options. Blocks that are only skipped may be longer.",
  },
  secretsLength: {
    value: 1024 * 1024,
    unit: "bytes",
    doc: "Longest pcapng block of keys that is held in memory: a key log of a few thousand connections.",
  },
  interfaces: {
    value: 4096,
    unit: "interfaces",
    doc: "Interfaces of a pcapng section; packets of any further ones are not read. Real captures have a few.",
  },
  // network
  frames: {
    value: 8,
    unit: "frames",
    doc: "Nested Ethernet frames (pseudowires) that are followed. Real networks nest at most two.",
  },
  vlanTags: {
    value: 8,
    unit: "tags",
    doc: "VLAN tags of a packet that are followed, in all its frames and tunnels together. Networks put up to three on a frame; each tag may take one of the paths.",
  },
  paths: {
    value: 65_536,
    unit: "paths",
    doc: "VLANs, tunnels and combinations of them that are distinguished, for as long as the program runs. Real recorders see few; each costs up to 500 bytes.",
  },
  tunnels: {
    value: 8,
    unit: "tunnels",
    doc: "Nested tunnels that are followed. An overlay in an overlay in a provider's tunnel makes three.",
  },
  fragmentedPackets: {
    value: 4096,
    unit: "packets",
    doc: "IP packets of which some fragments have not arrived yet.",
  },
  fragmentBytes: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Bytes in fragments of such packets. Linux keeps 4 MiB (net.ipv4.ipfrag_high_thresh).",
  },
  fragmentSeconds: {
    value: 30,
    unit: "seconds",
    doc: "How long after its first fragment an incomplete packet is given up, as in Linux (net.ipv4.ipfrag_time); RFC 8200 allows 60.",
  },
  conversations: {
    value: 16_384,
    unit: "conversations",
    doc: "Conversations that are remembered, for TCP and for UDP each; the one that has been silent longest is dropped. A game server has far fewer players in a day.",
  },
  idleSeconds: {
    value: 2 * 3600 + 4 * 60,
    unit: "seconds",
    doc: "Time without a packet after which a conversation is closed: the minimum for NATs (RFC 5382, section 5).",
  },
  heldBytes: {
    value: 8 * 1024 * 1024,
    unit: "bytes",
    doc: "Segments waiting for a missing one, per TCP direction. A sender cannot be further ahead than the receiver's window, which Linux lets grow to 6 MiB.",
  },
  heldSegments: {
    value: 4096,
    unit: "segments",
    doc: "The same as a number of segments: that window in full Ethernet frames. It also bounds the work of putting a segment in its place.",
  },
  heldBytesInAll: {
    value: 64 * 1024 * 1024,
    unit: "bytes",
    doc: "Waiting segments of all conversations together: eight directions with a full window at once.",
  },
  heldOverhead: {
    value: 320,
    unit: "bytes",
    doc: "What a waiting segment is assumed to cost besides its bytes (measured on Node.js 20).",
  },
  resetWindow: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "How far an RST may be from the expected sequence number and still close the connection; also how far past the end of a reset connection a segment may be and still belong to it, and how far past everything seen an acknowledgment may be and still count. Twice the largest window.",
  },
  recentBytes: {
    value: 1024 * 1024,
    unit: "bytes",
    doc: "Most recently delivered bytes of all conversations, kept to compare retransmissions with; 1 Gbit/s delivers that many in 8 ms.",
  },
  recentStretches: {
    value: 16,
    unit: "stretches",
    doc: "Separate stretches of those bytes that are remembered for each TCP direction.",
  },
  doubtPackets: {
    value: 1024,
    unit: "packets",
    doc: "How many more packets may pass before acknowledged bytes count as lost: recorders mix up the order of packets within milliseconds.",
  },
  doubtSeconds: {
    value: 1,
    unit: "seconds",
    doc: "How long after being acknowledged bytes may still arrive; `doubtPackets` may end this earlier. A live view should not wait any longer for the bytes after a loss.",
  },
  resetSeconds: {
    value: 60,
    unit: "seconds",
    doc: "How long after an RST later segments may show that its receiver has ignored it. Clients and servers of MOUL exchange a ping every 30 seconds.",
  },
  resetConnections: {
    value: 1024,
    unit: "connections",
    doc: "How many connections may wait for that at once; the one that was reset first is closed. Each takes a few kilobytes if it is recognised.",
  },
  twinConversations: {
    value: 16,
    unit: "conversations",
    doc: "Conversations between the same addresses and ports, on other VLANs or tunnels; the oldest is closed. A packet on a path of its own is compared with all of them.",
  },
  packetKinds: {
    value: 1000,
    unit: "kinds",
    doc: "Kinds of other packets that are counted by name; the rest are counted together.",
  },
  // session
  openingBytes: {
    value: 64 * 1024,
    unit: "bytes",
    doc: "Bytes of a direction that are kept until the protocol of the conversation is recognised. If its beginning was not captured, that takes a whole message, and file servers send 32 KiB at a time. For UDP, the datagrams of both directions; the oldest are dropped first.",
  },
  openingBytesOfMany: {
    value: 4096,
    unit: "bytes",
    doc: "The same if there are many conversations at once, so that all of them together stay small.",
  },
  manyConversations: {
    value: 1000,
    unit: "conversations",
    doc: "How many conversations at once count as many: with openingBytes for both directions of each, they take 131 MB.",
  },
  keyFiles: {
    value: 1000,
    unit: "files",
    doc: "Key files per dissector: a capture can contain any number of them.",
  },
  keyBytes: {
    value: 4 * 1024 * 1024,
    unit: "bytes",
    doc: "Key files inside captures, all together: enough for the session keys of 27,000 connections. In memory they may take twenty times as much.",
  },
  cipherSkip: {
    value: 64 * 1024 * 1024,
    unit: "bytes",
    doc: "Missing bytes that the cipher of a direction is advanced over, all gaps together: more would mean a damaged capture.",
  },
  cipherSkipAnyhow: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Missing bytes that all ciphers together are advanced over, however little was captured; it takes 40 ms.",
  },
  cipherSkipForByte: {
    value: 512,
    unit: "bytes",
    doc: "How many more of them are allowed for each captured byte of conversations: a packet of 64 KiB may be cut to 128 bytes.",
  },
  names: {
    value: 100_000,
    unit: "names",
    doc: "Names of one kind, such as players, that are kept; the oldest is dropped first. A shard has a few thousand.",
  },
  nameLength: {
    value: 256,
    unit: "characters",
    doc: "Longest name that is kept; anything longer is not a name. A player's may have 40 (kMaxPlayerNameLength).",
  },
  // schema
  depth: {
    value: 64,
    unit: "levels",
    doc: "Nesting of structs in a message. Real messages have about 15 levels; the stack has room for several hundred.",
    most: 500,
  },
  nodes: {
    value: 1_000_000,
    unit: "nodes",
    doc: "Nodes of a message. The largest real messages (vault node references, SDL states) have about 10,000.",
  },
  inflated: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Inflated size of all compressed regions of a message together. The Uru client accepts buffers of up to 1 MiB.",
  },
  notes: {
    value: 1000,
    unit: "notes",
    doc: "Notes on a message; the last one says how many more there would be.",
  },
  // dissect
  messageBytes: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Longest message whose rest is waited for. The Uru client accepts buffers of up to 1 MiB, and texts of up to 2 MiB.",
  },
  undecidedBytes: {
    value: 1024 * 1024,
    unit: "bytes",
    doc: "Bytes that are kept while only the other direction can show what they are, or while earlier bytes of any direction are still held up, or searched for a message.",
  },
  waitingBytes: {
    value: 128 * 1024 * 1024,
    unit: "bytes",
    doc: "Bytes of all conversations that wait for the rest of their messages: eight messages of the greatest length.",
  },
  queuedBytes: {
    value: 16 * 1024 * 1024,
    unit: "bytes",
    doc: "Bytes of all conversations that wait for earlier bytes of any direction, which are held up, or searched for a message: sixteen directions with as many as one may have (`undecidedBytes`).",
  },
  turnSeconds: {
    value: 5,
    unit: "seconds",
    doc: "How long messages wait for earlier bytes of any direction, which are held up, or searched for a message, by the times of the packets. A live view should not wait any longer.",
  },
  searchBytes: {
    value: 256 * 1024,
    unit: "bytes",
    doc: "Bytes that are searched for the next message, such as after a gap, before the first half of them is given up.",
  },
  searchWork: {
    value: 64,
    unit: "bytes",
    doc: "Bytes that may be decoded for each byte searched: a message that seems to begin everywhere must not cost the square of its length.",
  },
  // export
  orderSeconds: {
    value: 10,
    unit: "seconds",
    doc: "How long packets wait for an earlier one whose plaintext is not known yet; a live view waits just as long.",
  },
  orderBytes: {
    value: 32 * 1024 * 1024,
    unit: "bytes",
    doc: "How many bytes those packets may take: a few seconds of a busy server.",
  },
  splitParts: {
    value: 10_000,
    unit: "parts",
    doc: "Parts that `split` makes of a capture: what comes then is all in the last one. More files in a folder are of no use to anybody.",
  },
  // state
  stateNodes: {
    value: 1_000_000,
    unit: "nodes",
    doc: "Nodes of a vault that are remembered. The vault of a large shard has some hundred thousand.",
  },
  transferBytes: {
    value: 256 * 1024 * 1024,
    unit: "bytes",
    doc: "Bytes of files whose transfer has begun and not ended, all together, with what each part takes besides: a client downloads one file after the other, the largest of them some 100 MB.",
  },
  // stats
  countedKeys: {
    value: 10_000,
    unit: "keys",
    doc: "Players, ages, messages and so on that are counted individually; the rest are counted together.",
  },
  timedRequests: {
    value: 1000,
    unit: "requests",
    doc: "Kinds of requests whose replies are timed individually. Each costs a few thousand numbers; MOUL has about 70.",
  },
  // cli
  sortedStreams: {
    value: 10_000,
    unit: "conversations",
    doc: "Conversations that the command `streams` sorts by number before printing them: they end in a different order.",
  },
  listedGaps: {
    value: 10_000,
    unit: "gaps",
    doc: "Gaps of a direction that the command `streams` lists: a capture with a snap length may have one in every packet.",
  },
} as const satisfies Readonly<Record<string, LimitFact>>;

/** Values of all limits. */
export type Limits = { readonly [name in keyof typeof limitFacts]: number };
/** The name of a limit, as `--limit` takes it. */
export type LimitName = keyof Limits;

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(limitFacts, name);
}

/** The names of all limits, in the order of the rooms. */
export const limitNames: readonly LimitName[] = Object.keys(limitFacts).filter(isLimitName);

/** The values that apply unless others are set. */
export const defaultLimits: Limits = Object.freeze(defaults());

/** How often something was given up because of a limit, for cases that no message can report. */
export class LimitCounts {
  readonly #counts = new Map<LimitName, number>();

  get counts(): ReadonlyMap<LimitName, number> {
    return this.#counts;
  }

  /** Counts that something was given up. */
  readonly reached = (limit: LimitName): void => {
    this.#counts.set(limit, (this.#counts.get(limit) ?? 0) + 1);
  };
}

function defaults(): Limits {
  const values: Partial<Record<LimitName, number>> = {};
  for (const name of limitNames) values[name] = limitFacts[name].value;
  if (!hasAll(values)) throw new Error("a limit has no value");
  return values;
}

function hasAll(values: Partial<Limits>): values is Limits {
  return limitNames.every((name) => values[name] !== undefined);
}
