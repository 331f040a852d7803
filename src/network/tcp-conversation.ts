import type { Packet } from "../capture/packet.js";
import type { Limits } from "../limits.js";
import type { Direction, GapReason, NetworkListener, Origin } from "./conversation.js";
import type { Doubts } from "./doubts.js";
import { type HeldTotal, Reassembler, type StreamSink } from "./reassembly.js";
import type { RecentBytes } from "./recent-bytes.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import { type Beginning, otherSide, type Side, TrackedConversation } from "./tracked-conversation.js";

/** What all TCP conversations of a run share. */
export interface TcpContext {
  readonly listener: NetworkListener;
  readonly limits: Limits;
  readonly held: HeldTotal;
  /** Where the last bytes are kept, if the listener is to be notified of bytes that come again and differ. */
  readonly recent: RecentBytes | undefined;
  /** Bytes that were acknowledged but have not been seen. */
  readonly doubts: Doubts;
  /** Called when a doubt is settled: the connection may have ended without a packet of its own. */
  readonly settled: (conversation: TcpConversation) => void;
}

/** Passes what one side sends to the listener, as the direction that the side has at that time. */
class SideSink implements StreamSink {
  readonly #listener: NetworkListener;
  readonly #conversation: TrackedConversation;
  readonly #side: Side;

  constructor(listener: NetworkListener, conversation: TrackedConversation, side: Side) {
    this.#listener = listener;
    this.#conversation = conversation;
    this.#side = side;
  }

  bytes(bytes: Uint8Array, origin: Origin): void {
    this.#listener.bytes(this.#conversation, this.#conversation.directionFrom(this.#side), bytes, origin);
  }

  gap(length: number, reason: GapReason, origin: Origin): void {
    this.#listener.gap(this.#conversation, this.#conversation.directionFrom(this.#side), length, reason, origin);
  }

  held(length: number, origin: Origin): void {
    this.#listener.held?.(this.#conversation, this.#conversation.directionFrom(this.#side), length, origin);
  }

  conflict(differing: number, origin: Origin): void {
    this.#listener.conflict?.(this.#conversation, this.#conversation.directionFrom(this.#side), differing, origin);
  }

  finished(): void {
    this.#listener.finished(this.#conversation, this.#conversation.directionFrom(this.#side));
  }
}

/** A TCP connection: works out what each segment means for it. */
export class TcpConversation extends TrackedConversation {
  readonly #streams: readonly [Reassembler, Reassembler];
  /** The sides that have sent a SYN: bit 0 and bit 1. */
  #synSeen = 0;
  readonly #context: TcpContext;
  /** The stream that was started by an acknowledgment alone. */
  #inferred: Reassembler | undefined;
  #reset = false;
  /**
   * The stream of a side that has sent an RST, possibly captured before bytes that precede it, and the number of the
   * RST.
   */
  #early: Reassembler | undefined;
  #earlyReset = 0;
  #resetFrom: Side | undefined;
  /** The side that has sent the first FIN. */
  #finFrom: Side | undefined;

  constructor(beginning: Beginning, context: TcpContext) {
    super("tcp", beginning);
    const { listener, limits, held, recent } = context;
    this.#context = context;
    this.#streams = [
      new Reassembler(new SideSink(listener, this, 0), limits, held, recent),
      new Reassembler(new SideSink(listener, this, 1), limits, held, recent),
    ];
  }

  /** Whether an RST has ended the connection. */
  get #isReset(): boolean {
    return this.#reset || this.#early?.ahead(this.#earlyReset) === 0;
  }

  override get endedBy(): Direction | undefined {
    const side = this.#isReset ? this.#resetFrom : this.#finFrom;
    return side === undefined ? undefined : this.directionFrom(side);
  }

  /** Why the connection is over, if it is. */
  get over(): "fin" | "rst" | undefined {
    // What was sent before a reset may still be on its way into the capture.
    if (this.#isReset) return this.#streams.some(({ waits }) => waits) ? undefined : "rst";
    return this.#streams[0].finished && this.#streams[1].finished ? "fin" : undefined;
  }

  /**
   * Whether a segment cannot belong to this connection, but begins another one between the same ports: with a SYN that
   * has a number of its own, or repeats one that was answered with an RST, or, where the SYN was not captured, with data
   * that does not fit once this connection is over.
   */
  isReplacedBy(side: Side, segment: TcpSegment): boolean {
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    const acknowledges = (segment.flags & TcpFlag.ack) !== 0;
    if ((segment.flags & TcpFlag.syn) !== 0) {
      if (own.started) {
        // A client may send a SYN that was refused once more, as Windows does.
        if (own.base === ((segment.sequence + 1) | 0))
          return !acknowledges && this.#isReset && !this.open && own.untouched;
        // A server with SYN cookies may answer a repeated SYN with another number.
        return !(acknowledges && this.open && own.untouched);
      }
      if (acknowledges) return peer.started && !peer.covers(segment.acknowledgment);
      return !(this.open && (this.#synSeen & (1 << otherSide(side))) !== 0);
    }
    if (this.open || !own.started || payloadLength(segment) === 0) return false;
    const ahead = own.ahead(segment.sequence);
    if (ahead <= 0) return !own.covers(segment.sequence);
    if (!this.#isReset || ahead > this.#context.limits.resetWindow) return true;
    // Segments in flight when the connection was reset acknowledge no more than the other side had sent.
    return acknowledges && peer.started && peer.beyondAll(segment.acknowledgment) > 0;
  }

  /**
   * Whether an RST cannot belong to this connection: it is forged, or belongs to an earlier connection on the same
   * ports. Receivers require its number to be the next one (RFC 5961, section 3.2); one further ahead is possible only
   * while the capture lags behind.
   */
  isForeignReset(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    if (own.started) {
      const distance = own.beyondAll(sequence);
      // Nothing but a SYN has come from either side: the RST may answer to what is left of an earlier connection.
      if (own.untouched && !peer.started) return distance !== 0;
      return distance < 0 || distance > this.#context.limits.resetWindow;
    }
    // An RST that answers a SYN has no number of its own, but acknowledges that SYN (RFC 9293, section 3.5.2).
    return (
      peer.started &&
      (flags & TcpFlag.ack) !== 0 &&
      Math.abs(peer.ahead(acknowledgment)) > this.#context.limits.resetWindow
    );
  }

  /**
   * Takes a segment sent by a side.
   * @param data the bytes that the segment's offsets refer to.
   * @param origin called only for a segment with data or a FIN.
   */
  receive(side: Side, segment: TcpSegment, data: Uint8Array, packet: Packet, origin: (packet: Packet) => Origin): void {
    const { flags } = segment;
    const isFin = (flags & TcpFlag.fin) !== 0;
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    let sequence = segment.sequence;
    if ((flags & TcpFlag.syn) !== 0) {
      this.#synSeen |= 1 << side;
      sequence = (sequence + 1) | 0;
      own.start(sequence);
      // The SYN that this one answers may not have been captured.
      if ((flags & TcpFlag.ack) !== 0 && !peer.started) peer.start(segment.acknowledgment);
    } else if ((flags & (TcpFlag.ack | TcpFlag.rst)) === TcpFlag.ack && !peer.started && this.#synSeen === 1 << side) {
      // The answer to this side's SYN was not captured: the number that this segment acknowledges is where the other
      // side begins.
      peer.start(segment.acknowledgment);
      this.#inferred = peer;
    }
    // First what the sender has received, then what it replies.
    if ((flags & TcpFlag.ack) !== 0 && this.#isMeaningful(own, peer, segment)) {
      peer.acknowledge(segment.acknowledgment);
      this.#doubt(peer, packet);
    }
    if ((flags & TcpFlag.rst) !== 0) {
      // The text that an RST may carry is for people, not part of the stream (RFC 9293, section 3.5.3).
      if (!this.#isReset) this.#resetFrom = side;
      this.#reset ||= !own.started || own.beyondAll(sequence) === 0;
      this.#early = own;
      this.#earlyReset = sequence;
      if (this.#isReset && this.over === undefined)
        this.#context.doubts.add(packet, () => this.#settle(() => this.flush()));
    } else if (isFin || payloadLength(segment) > 0) {
      // A FIN that is behind belongs to an earlier connection on the same ports, unless it is behind by one: its own
      // number may have been given up.
      const isOld = own.started && own.ahead((sequence + payloadLength(segment)) | 0) < -1;
      if (isFin && !isOld) this.#finFrom ??= side;
      const bytes = data.subarray(segment.payloadStart, segment.payloadEnd);
      own.segment(sequence, bytes, segment.missing, isFin, origin(packet));
    }
  }

  /** Whether the acknowledgment of a segment, sent by the side of `own`, says what was received of `peer`. */
  #isMeaningful(own: Reassembler, peer: Reassembler, segment: TcpSegment): boolean {
    if (!peer.untouched) return true;
    // A side that the capture has nothing of is not reported as lost piece by piece.
    if (this.#inferred === peer) return false;
    if (own.started || !peer.started) return true;
    // A side that has forgotten to close an earlier connection answers a SYN with the number that it expects there, and
    // nothing else (RFC 9293, section 3.5.1).
    const isBare = payloadLength(segment) === 0 && (segment.flags & TcpFlag.fin) === 0;
    return !isBare || peer.ahead(segment.acknowledgment) === 0;
  }

  /** Allows time for bytes that were acknowledged but not seen to arrive. */
  #doubt(stream: Reassembler, packet: Packet): void {
    const sequence = stream.acknowledgedUnseen;
    if (sequence === undefined || stream.isDoubted) return;
    stream.isDoubted = true;
    this.#context.doubts.add(packet, (now) => {
      stream.isDoubted = false;
      this.#settle(() => stream.believe(sequence));
      // More may have been acknowledged in the meantime.
      if (this.open) this.#doubt(stream, now);
    });
  }

  #settle(settle: () => void): void {
    if (!this.open) return;
    settle();
    this.#context.settled(this);
  }

  /** Whether a segment that comes after the end brings bytes that have not been handed over. */
  isLate(side: Side, segment: TcpSegment): boolean {
    const length = payloadLength(segment);
    return length > 0 && this.#streams[side].ahead(segment.sequence) + length > 0;
  }

  /** Hands over what is waiting: nothing more will come. */
  flush(): void {
    for (const stream of this.#streams) stream.flush(this.last);
    // Nor will bytes that precede a reset, even where only the reset shows that they are missing.
    if (this.over === undefined && (this.#early?.ahead(this.#earlyReset) ?? -1) > 0) this.#reset = true;
  }
}

function payloadLength(segment: TcpSegment): number {
  return segment.payloadEnd - segment.payloadStart + segment.missing;
}
