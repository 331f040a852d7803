import { PcapngWriter } from "../capture/pcapng-writer.js";
import {
  type Conversation,
  type Direction,
  type Endpoint,
  type EndReason,
  type GapReason,
  type Origin,
  opposite,
} from "../network/conversation.js";
import { LinkType } from "../network/link/link-type.js";
import { TcpFlag } from "../network/tcp/tcp.js";
import { LONGEST_SEGMENT, type Route, type Segment, SYN_OPTIONS, tcpPacket, udpPacket } from "./made-packet.js";

/** Number of VLANs that have a number of their own (IEEE 802.1Q). */
const MOST_VLANS = 4094;

const NOTHING = new Uint8Array(0);

const { fin, syn, rst, push, ack } = TcpFlag;

/** When something was captured. */
type CaptureTime = Pick<Origin, "seconds" | "nanoseconds">;

export interface PlaintextCaptureOptions {
  /** The program that writes the capture. */
  readonly application: string;
  /** A comment on the capture as a whole. */
  readonly comment?: string;
  /** Replaces an end of a conversation; without it, ends stay as they are. An address has to keep its version. */
  readonly endpoint?: (endpoint: Endpoint) => Endpoint;
}

/** What a segment carries: bytes, or a number of bytes that were not captured. */
interface SegmentContent {
  readonly payload?: Uint8Array;
  readonly missing?: number;
}

/** A conversation being written. */
interface Open {
  readonly routes: Readonly<Record<Direction, Route>>;
  /** Sequence number of the next byte of each direction, unsigned. */
  readonly next: Record<Direction, number>;
}

/**
 * Writes the payload of conversations as a capture with new packets: Ethernet, IP, and TCP with a handshake, sequence
 * and acknowledgment numbers, or UDP. Times never go back: what comes late gets the time of the packet before it.
 */
export class PlaintextCapture {
  readonly #writer: PcapngWriter;
  readonly #endpoint: (endpoint: Endpoint) => Endpoint;
  readonly #open = new Map<Conversation, Open>();
  readonly #vlans = new Map<string, number>([["", 0]]);
  #seconds = Number.NEGATIVE_INFINITY;
  #nanoseconds = 0;
  #packets = 0;
  #delayed = 0;

  /** @param write receives the file's bytes in order; they are valid only during the call. */
  constructor(write: (bytes: Uint8Array) => void, options: PlaintextCaptureOptions) {
    this.#endpoint = options.endpoint ?? ((endpoint) => endpoint);
    this.#writer = new PcapngWriter(write);
    this.#writer.section(options.application, options.comment);
    this.#writer.interface({ linkType: LinkType.ethernet, name: "plaintext" });
  }

  /** Number of packets written so far. */
  get packets(): number {
    return this.#packets;
  }

  /** Number of packets with payload that got a later time than their own: that of the packet before them. */
  get delayed(): number {
    return this.#delayed;
  }

  /** Passes on the gathered bytes; has to be called at the end. */
  flush(): void {
    this.#writer.flush();
  }

  /** Writes the next bytes of a TCP direction. */
  payload(conversation: Conversation, direction: Direction, time: CaptureTime, bytes: Uint8Array): void {
    const open = this.#opened(conversation);
    for (let at = 0; at < bytes.length; at += LONGEST_SEGMENT) {
      if (this.#isPast(time)) this.#delayed++;
      this.#segment(open, direction, time, push | ack, { payload: bytes.subarray(at, at + LONGEST_SEGMENT) });
    }
  }

  /**
   * Writes missing bytes of a TCP direction. The other end acknowledges lost bytes, as it did in the original: that is
   * what shows they were sent. Cut bytes become a packet without them.
   */
  gap(
    conversation: Conversation,
    direction: Direction,
    time: CaptureTime,
    length: number,
    reason: GapReason = "lost",
  ): void {
    const open = this.#opened(conversation);
    if (reason === "lost") {
      open.next[direction] = (open.next[direction] + length) >>> 0;
      this.#segment(open, opposite(direction), time, ack);
      return;
    }
    for (let at = 0; at < length; at += LONGEST_SEGMENT) {
      this.#segment(open, direction, time, push | ack, { missing: Math.min(LONGEST_SEGMENT, length - at) });
    }
  }

  /** Writes one UDP datagram, of which `missing` bytes were not captured. */
  datagram(
    conversation: Conversation,
    direction: Direction,
    time: CaptureTime,
    bytes: Uint8Array,
    missing: number,
  ): void {
    const open = this.#open.get(conversation) ?? this.#remember(conversation);
    if (this.#isPast(time)) this.#delayed++;
    this.#write(time, udpPacket(open.routes[direction], bytes, missing), missing);
  }

  /** Ends a conversation with the FINs of both ends, with a reset, or without any end. */
  close(conversation: Conversation, time: CaptureTime, reason: EndReason): void {
    const open = this.#open.get(conversation);
    this.#open.delete(conversation);
    if (open === undefined || conversation.transport === "udp") return;
    if (reason === "rst") this.#segment(open, "c2s", time, rst | ack);
    if (reason !== "fin") return;
    this.#segment(open, "c2s", time, fin | ack);
    this.#segment(open, "s2c", time, fin | ack);
    this.#segment(open, "c2s", time, ack);
  }

  /**
   * Returns the open conversation; begins a new one with its handshake, at the time of its first packet if that is not
   * past.
   */
  #opened(conversation: Conversation): Open {
    const known = this.#open.get(conversation);
    if (known !== undefined) return known;
    const open = this.#remember(conversation);
    // Where the beginning was not captured, it must stay visible that the first bytes may be the middle of something.
    if (conversation.clientIsKnown) {
      const { first } = conversation;
      this.#segment(open, "c2s", first, syn);
      this.#segment(open, "s2c", first, syn | ack);
      this.#segment(open, "c2s", first, ack);
    }
    return open;
  }

  #remember(conversation: Conversation): Open {
    const { stream, path } = conversation;
    const [client, server] = [this.#endpoint(conversation.client), this.#endpoint(conversation.server)];
    const vlan = this.#vlanOf(path);
    const open: Open = {
      routes: {
        c2s: { source: client, destination: server, sourceHost: 1, vlan },
        s2c: { source: server, destination: client, sourceHost: 2, vlan },
      },
      next: { c2s: firstSequence(2 * stream), s2c: firstSequence(2 * stream + 1) },
    };
    this.#open.set(conversation, open);
    return open;
  }

  /** Returns the VLAN for a path: VLANs keep conversations of the same ends in different tunnels apart. */
  #vlanOf(path: string): number {
    let vlan = this.#vlans.get(path);
    if (vlan === undefined) {
      vlan = ((this.#vlans.size - 1) % MOST_VLANS) + 1;
      this.#vlans.set(path, vlan);
    }
    return vlan;
  }

  #segment(
    { routes, next }: Open,
    direction: Direction,
    time: CaptureTime,
    flags: number,
    { payload = NOTHING, missing = 0 }: SegmentContent = {},
  ): void {
    const isSyn = (flags & syn) !== 0;
    const segment: Segment = {
      flags,
      sequence: next[direction],
      acknowledgment: (flags & ack) === 0 ? 0 : next[opposite(direction)],
      ...(isSyn && { options: SYN_OPTIONS }),
    };
    this.#write(time, tcpPacket(routes[direction], segment, payload, missing), missing);
    const counted = payload.length + missing + (isSyn || (flags & fin) !== 0 ? 1 : 0);
    next[direction] = (next[direction] + counted) >>> 0;
  }

  /** True for a time before that of the last packet. */
  #isPast({ seconds, nanoseconds }: CaptureTime): boolean {
    return seconds < this.#seconds || (seconds === this.#seconds && nanoseconds < this.#nanoseconds);
  }

  #write(time: CaptureTime, data: Uint8Array, missing: number): void {
    if (!this.#isPast(time)) {
      this.#seconds = time.seconds;
      this.#nanoseconds = time.nanoseconds;
    }
    this.#packets++;
    this.#writer.packet({
      seconds: this.#seconds,
      nanoseconds: this.#nanoseconds,
      data,
      originalLength: data.length + missing,
    });
  }
}

/** An initial sequence number that differs for each direction of each conversation, as those of real ends do. */
function firstSequence(index: number): number {
  return Math.imul(index + 1, 0x9e3779b1) >>> 0;
}
