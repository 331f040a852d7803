import {
  type Conversation,
  type Direction,
  type EndReason,
  type GapReason,
  inDirection,
  type Origin,
  opposite,
} from "../network/conversation.js";
import { TcpFlag } from "../network/tcp/tcp.js";
import { LONGEST_SEGMENT, type Route, type Segment, SYN_OPTIONS, tcpPacket, udpPacket } from "./made-packet.js";

const NOTHING = new Uint8Array(0);

const { fin, syn, rst, push, ack } = TcpFlag;

/** When something was captured. */
export type CaptureTime = Pick<Origin, "seconds" | "nanoseconds">;

/** What a segment carries: bytes, or a number of bytes that were not captured. */
interface SegmentContent {
  readonly payload?: Uint8Array;
  readonly missing?: number;
  readonly comment?: PacketComment | undefined;
}

/** The capture that conversations are written to. */
export interface PacketSink {
  /** The addresses of packets of a conversation. */
  routes(conversation: Conversation): Readonly<Record<Direction, Route>>;
  /** Notes that a packet with payload comes: it may come too late for its time. */
  brings(time: CaptureTime): void;
  /**
   * Writes a packet, of which `missing` bytes were not captured.
   *
   * @param comment what is in it; asked for only when the next packet comes, or the capture is flushed
   */
  write(time: CaptureTime, data: Uint8Array, missing: number, comment?: PacketComment): void;
}

/** Returns a comment on a packet; undefined if there is none. */
export type PacketComment = () => string | undefined;

/** What is known once the first packet of a conversation is written. */
interface Opened {
  readonly routes: Readonly<Record<Direction, Route>>;
  /** Sequence number of the next byte of each direction, unsigned. */
  readonly next: Record<Direction, number>;
}

/** Writes one conversation with new packets: TCP with a handshake, sequence and acknowledgment numbers, or UDP. */
export class ConversationCapture {
  #opened: Opened | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly sink: PacketSink,
  ) {}

  /** Writes the next bytes of a TCP direction. @param comment on the last packet of them */
  payload(direction: Direction, time: CaptureTime, bytes: Uint8Array, comment?: PacketComment): void {
    const opened = this.#open();
    for (let at = 0; at < bytes.length; at += LONGEST_SEGMENT) {
      this.sink.brings(time);
      const payload = bytes.subarray(at, at + LONGEST_SEGMENT);
      const isLast = at + LONGEST_SEGMENT >= bytes.length;
      this.#segment(opened, direction, time, push | ack, { payload, comment: isLast ? comment : undefined });
    }
  }

  /**
   * Writes missing bytes of a TCP direction. The other end acknowledges lost bytes, as it did in the original: that is
   * what shows they were sent. Cut bytes become a packet without them.
   */
  gap(direction: Direction, time: CaptureTime, length: number, reason: GapReason = "lost"): void {
    const opened = this.#open();
    if (reason === "lost") {
      opened.next[direction] = (opened.next[direction] + length) >>> 0;
      this.#segment(opened, opposite(direction), time, ack);
      return;
    }
    for (let at = 0; at < length; at += LONGEST_SEGMENT) {
      this.#segment(opened, direction, time, push | ack, { missing: Math.min(LONGEST_SEGMENT, length - at) });
    }
  }

  /** Writes one UDP datagram, of which `missing` bytes were not captured. */
  datagram(direction: Direction, time: CaptureTime, bytes: Uint8Array, missing: number, comment?: PacketComment): void {
    this.#opened ??= this.#newOpened();
    this.sink.brings(time);
    this.sink.write(time, udpPacket(inDirection(this.#opened.routes, direction), bytes, missing), missing, comment);
  }

  /** Ends the conversation with the FINs of both ends, with a reset, or without any end. */
  close(time: CaptureTime, reason: EndReason): void {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined || this.conversation.transport === "udp") return;
    if (reason === "rst") this.#segment(opened, "c2s", time, rst | ack);
    if (reason !== "fin") return;
    this.#segment(opened, "c2s", time, fin | ack);
    this.#segment(opened, "s2c", time, fin | ack);
    this.#segment(opened, "c2s", time, ack);
  }

  /** Begins the connection with its handshake, at the time of its first packet if that is not past. */
  #open(): Opened {
    const known = this.#opened;
    if (known !== undefined) return known;
    const opened = this.#newOpened();
    this.#opened = opened;
    const { clientIsKnown, first } = this.conversation;
    // Where the beginning was not captured, it must stay visible that the first bytes may be the middle of something.
    if (clientIsKnown) {
      this.#segment(opened, "c2s", first, syn);
      this.#segment(opened, "s2c", first, syn | ack);
      this.#segment(opened, "c2s", first, ack);
    }
    return opened;
  }

  #newOpened(): Opened {
    const { stream } = this.conversation;
    return {
      routes: this.sink.routes(this.conversation),
      next: { c2s: firstSequence(2 * stream), s2c: firstSequence(2 * stream + 1) },
    };
  }

  #segment(
    { routes, next }: Opened,
    direction: Direction,
    time: CaptureTime,
    flags: number,
    { payload = NOTHING, missing = 0, comment }: SegmentContent = {},
  ): void {
    const isSyn = (flags & syn) !== 0;
    const segment: Segment = {
      flags,
      sequence: next[direction],
      acknowledgment: (flags & ack) === 0 ? 0 : next[opposite(direction)],
      ...(isSyn && { options: SYN_OPTIONS }),
    };
    this.sink.write(time, tcpPacket(routes[direction], segment, payload, missing), missing, comment);
    const counted = payload.length + missing + (isSyn || (flags & fin) !== 0 ? 1 : 0);
    next[direction] = (next[direction] + counted) >>> 0;
  }
}

/** An initial sequence number that differs for each direction of each conversation, as those of real ends do. */
function firstSequence(index: number): number {
  return Math.imul(index + 1, 0x9e3779b1) >>> 0;
}
