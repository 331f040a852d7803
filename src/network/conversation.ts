import type { CaptureFile, Packet } from "../capture/packet.js";
import type { IpAddress } from "./address.js";

/** Which way bytes travel: client to server, or server to client. */
export const directions = ["c2s", "s2c"] as const;
/** From client to server, or from server to client. */
export type Direction = (typeof directions)[number];

/** The opposite of the given direction. */
export function opposite(direction: Direction): Direction {
  return direction === "c2s" ? "s2c" : "c2s";
}

/**
 * Returns what a pair has for a direction: the same as `pair[direction]`, which V8 looks up by name each time (2 % of
 * the time that `stats` takes).
 */
export function inDirection<T>(pair: { readonly [direction in Direction]: T }, direction: Direction): T {
  return direction === "c2s" ? pair.c2s : pair.s2c;
}

/** The end of a conversation that sends in the given direction. */
export function senderOf({ client, server }: Pick<Conversation, "client" | "server">, direction: Direction): Endpoint {
  return direction === "c2s" ? client : server;
}

/** How conversations are carried. */
export type Transport = "tcp" | "udp";

/** Why bytes are missing: they were not captured, or the snap length cut them off. */
export type GapReason = "lost" | "cut";

/** One end of a conversation. */
export interface Endpoint {
  /** IPv4 dotted, or IPv6 in the short form of RFC 5952. */
  readonly address: string;
  readonly port: number;
}

/**
 * A TCP connection or a pair of UDP endpoints. The client is the side that sent the first SYN; where no SYN was
 * captured, it is the side that sent the first packet, until a dissector knows better.
 */
export interface Conversation {
  /** Number of the conversation, from 0 in the order of first packets; TCP and UDP share one count. */
  readonly stream: number;
  readonly transport: Transport;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** True if a SYN (or SYN-ACK) showed which side is the client. */
  readonly clientIsKnown: boolean;
  /**
   * The VLANs and tunnels that it goes through, from the outside in: "VLAN 100"; empty if there are none. Where the two
   * directions differ: "VLAN 100 >; VLAN 200 <", client to server first.
   */
  readonly path: string;
  /** Packets of each direction so far, including those without data. */
  readonly packets: { readonly [direction in Direction]: number };
  /** Payload bytes of each direction so far: as captured, in order and without repeated ones. */
  readonly payloadBytes: { readonly [direction in Direction]: number };
  /** Payload bytes of each direction so far that are missing in the capture. */
  readonly missingBytes: { readonly [direction in Direction]: number };
  /**
   * TCP payload bytes so far that are in no stream: their receiver cannot have accepted them, as its acknowledgments or
   * the end of the connection show.
   */
  readonly unaccepted: { readonly [direction in Direction]: number };
  /** The first packet, and the last one so far. */
  readonly first: Origin;
  readonly last: Origin;
}

/** What may show which side of a conversation is the client: what is said, or a rule of the user's. */
export type RoleEvidence = "content" | "declared";

/** Tells the network room which side of a conversation is the client. */
export interface Roles {
  /**
   * Says that what is called the server is the client (Zeek: flipped roles). Allowed only before any byte of the
   * conversation was taken as a message. A SYN outweighs content, and a rule of the user's outweighs both; if the roles
   * change, the conversation's listener is told at once.
   */
  flip(evidence: RoleEvidence): void;
}

/**
 * Where bytes come from: the packet that brought them; for a gap, the packet that shows it. Unlike a packet, an origin
 * is never reused, so it may be kept.
 */
export interface Origin {
  readonly frame: number;
  readonly seconds: number;
  readonly nanoseconds: number;
  /** The capture that has the packet. */
  readonly capture?: CaptureFile | undefined;
  /**
   * The number of a later frame that this one answers, if the capture has the two in the wrong order: then what it brings
   * comes after what that one brings.
   */
  readonly after?: number;
  /** The wrong checksums of the packet, if checksums are verified and any is wrong. */
  readonly checksums?: readonly ChecksumNote[];
}

/** Makes a new object for each packet that brings something: listeners may keep it, while the packet is reused. */
export function originOf({ frame, seconds, nanoseconds, capture }: Packet): Origin {
  return { frame, seconds, nanoseconds, capture };
}

/** Time from one packet to another; negative if the capture has the later one first. */
export function secondsBetween(from: Time, to: Time): number {
  return to.seconds - from.seconds + (to.nanoseconds - from.nanoseconds) / 1e9;
}

type Time = Pick<Origin, "seconds" | "nanoseconds">;

/** A checksum that does not match what it covers. */
export interface ChecksumNote {
  readonly layer: "IPv4" | "TCP" | "UDP";
  readonly found: number;
  readonly expected: number;
  /**
   * True if the packet was recorded on the sending machine before its network card put the checksum in: the field is
   * zero, or has only the sum of the pseudo-header.
   */
  readonly isOffloaded: boolean;
}

/** Why a conversation ends: its own FINs, an RST, its port pair is reused, it was idle, or the capture ends. */
export const endReasons = ["fin", "rst", "reused", "idle", "capture-end"] as const;
/** Why a conversation ended. */
export type EndReason = (typeof endReasons)[number];

/** The ends that a packet names; they are valid only during the call that passes them on. */
export interface CarriedEnds {
  readonly source: IpAddress;
  readonly destination: IpAddress;
  /** 0 for a fragment, which may have none. */
  readonly sourcePort: number;
  readonly destinationPort: number;
}

/** Receives what the network room makes of packets. All calls are synchronous. */
export interface NetworkListener {
  /**
   * A packet carries a segment, a datagram or a fragment. One that completes what was sent in fragments is reported as a
   * fragment first, and then as what it completes.
   */
  readonly carries?: ((what: Transport | "fragment", ends: CarriedEnds, packet: Packet) => void) | undefined;
  /** The first packet of all, whatever it is. */
  began?(origin: Origin): void;
  /** The first packet of a new conversation; returns who listens to it. */
  opened(conversation: Conversation, origin: Origin, roles: Roles): ConversationListener;
  /** A checksum is wrong. Reported only where checksums are verified, before what the packet brings. */
  checksum?(note: ChecksumNote, origin: Origin): void;
  /** What a packet brings comes next, after what has become certain with its time. */
  arrives?(): void;
  /** No more packets come, and what is left of a conversation will now be reported. */
  ending?(): void;
  /** No more packets come; all conversations have been closed. */
  ended?(): void;
}

/** Receives what comes of one conversation. All calls are synchronous; `bytes` are valid only during the call. */
export interface ConversationListener {
  /** The next bytes of a TCP direction in order, without repeated ones. */
  bytes(direction: Direction, bytes: Uint8Array, origin: Origin): void;
  /** `length` bytes of a TCP direction are missing for good (lost, or cut by the snap length) at this place. */
  gap(direction: Direction, length: number, reason: GapReason, origin: Origin): void;
  /** One UDP datagram; `missing` bytes of it were cut by the snap length. */
  datagram(direction: Direction, bytes: Uint8Array, missing: number, origin: Origin): void;
  /** A packet has brought bytes that are reported later, with this origin: some before them have not come yet. */
  outOfOrder(direction: Direction, length: number, origin: Origin): void;
  /**
   * Bytes of a TCP direction have come again, and `differing` of them differ. The first ones count. Reported only where
   * that is looked for.
   */
  conflict(direction: Direction, differing: number, origin: Origin): void;
  /** One direction has said that it is done (FIN). */
  finished(direction: Direction): void;
  /** Client and server have changed roles: what was reported as of one direction is of the other. */
  flipped(): void;
  /**
   * Nothing more comes. `by` is the direction that finished first (FIN) or reset the connection (RST); undefined if none
   * did.
   */
  closed(reason: EndReason, by?: Direction): void;
}
