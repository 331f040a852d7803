import type { Packet } from "../../capture/packet.js";
import type { Limits } from "../../limits.js";
import type { Origin } from "../conversation.js";
import type { Fit } from "../conversation-table.js";
import { type Beginning, otherSide, type Side } from "../tracked-conversation.js";
import { AcknowledgedUnseen } from "./acknowledged-unseen.js";
import type { GracePeriods } from "./grace-periods.js";
import { Reassembler } from "./stream/reassembly.js";
import type { RecentBytes } from "./stream/recent-bytes.js";
import type { QueuedTotal } from "./stream/stream-bytes.js";
import {
  payloadLength,
  payloadSequence,
  type SuspendedOrigin,
  type SuspendedSegment,
  SuspendedSegments,
} from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import { TcpDelivery } from "./tcp-delivery.js";
import { type Belonging, TcpMembership } from "./tcp-membership.js";
import { TcpReset } from "./tcp-reset.js";

/** The flags that decide what a segment means. */
const DECIDING = TcpFlag.syn | TcpFlag.fin | TcpFlag.rst | TcpFlag.ack;

/** What the streams of all TCP conversations of a run share. */
export interface TcpStreamsContext {
  readonly limits: Limits;
  readonly queued: QueuedTotal;
  /** Where the last bytes are kept, if the listener is to be notified of bytes that come again and differ. */
  readonly recent: RecentBytes | undefined;
  /** For bytes that were acknowledged but have not been seen: they may still come. */
  readonly unseen: GracePeriods;
  /** Called for segments that were taken, and turn out to belong to no connection. */
  readonly leftOut: (what: string, packets: number) => void;
}

/**
 * The streams of both sides of a TCP connection: works out what each segment means for them. The state that decides is
 * the receiver's: a SYN, FIN or RST that the other end's later segments contradict did not happen (RFC 9293, section
 * 3.10.7.4; RFC 5961).
 */
export abstract class TcpStreams extends TcpDelivery {
  protected readonly streams: readonly [Reassembler, Reassembler];
  protected readonly membership: TcpMembership;
  protected readonly unseen: AcknowledgedUnseen;
  /** The last RST, which may have been ignored. */
  reset: TcpReset | undefined;
  /** The stream that was started by an acknowledgment alone. */
  #inferred: Reassembler | undefined;
  /** The side that has sent the first FIN. */
  #finFrom: Side | undefined;
  readonly #limits: Limits;
  readonly #queued: QueuedTotal;

  constructor(beginning: Beginning, context: TcpStreamsContext) {
    super(beginning, context.leftOut);
    const { limits, queued, recent } = context;
    this.#limits = limits;
    this.#queued = queued;
    this.streams = [new Reassembler(0, this, limits, queued, recent), new Reassembler(1, this, limits, queued, recent)];
    this.unseen = new AcknowledgedUnseen(this, this.streams, context);
    this.membership = new TcpMembership(this, this.streams, limits.resetWindow);
  }

  /** Does what the end of a grace period makes necessary, if the connection is still open. */
  abstract settle(action: () => void): void;

  /** Whether an RST has ended the connection, unless it was ignored. */
  get isReset(): boolean {
    const reset = this.reset;
    return reset !== undefined && (reset.isInPlace || this.streams[reset.side].ahead(reset.sequence) === 0);
  }

  /** The side that has sent the first FIN which was not contradicted. */
  protected get finSide(): Side | undefined {
    if (this.#finFrom === undefined || this.streams[this.#finFrom].hasFin) return this.#finFrom;
    const other = otherSide(this.#finFrom);
    return this.streams[other].hasFin ? other : undefined;
  }

  override unacceptedFrom(side: Side): number {
    return this.streams[side].unaccepted + super.unacceptedFrom(side);
  }

  fit(side: Side, segment: TcpSegment): Fit {
    return this.membership.fit(side, segment);
  }

  belongs(side: Side, segment: TcpSegment): Belonging {
    return this.membership.belongs(side, segment);
  }

  isForeignReset(side: Side, segment: TcpSegment): boolean {
    return this.membership.isForeignReset(side, segment);
  }

  /** Keeps a SYN that may open the next connection. */
  attempt(syn: SuspendedSegment): void {
    this.drop(this.membership.attempts.keep(syn));
  }

  /** Takes out the SYNs that open the next connection, which the given segment belongs to. */
  takeAttempt(side: Side, segment: TcpSegment): readonly SuspendedSegment[] {
    return this.membership.attempts.takeFor(side, segment, this.#limits.resetWindow);
  }

  /** Counts the SYNs of an attempt to open another connection that has come to nothing. */
  protected drop(syns: readonly SuspendedSegment[]): void {
    for (const { side, segment } of syns) {
      this.countOnly(side);
      this.addLate(side, payloadLength(segment));
    }
  }

  /**
   * Takes a segment sent by a side: what arrives with it in the order of RFC 9293, section 3.10.7.4, whose steps the
   * methods name. Only the RST, its second step, comes after the acknowledgment: that of an RST counts, too, and says what
   * had been received.
   * @param data the bytes that the segment's offsets refer to.
   * @param origin called only for a segment with data or a FIN.
   */
  protected take(
    side: Side,
    segment: Readonly<TcpSegment>,
    data: Uint8Array,
    packet: Packet,
    origin: (packet: Packet) => SuspendedOrigin,
  ): void {
    if (this.#takeExpected(side, segment, data, packet, origin)) return;
    const { flags } = segment;
    if ((flags & TcpFlag.syn) !== 0 && !this.#takeSyn(side, segment)) return;
    if ((flags & TcpFlag.ack) !== 0) this.#takeAcknowledgment(side, segment, packet);
    if ((flags & TcpFlag.rst) !== 0) this.#takeReset(side, segment);
    else if ((flags & TcpFlag.fin) !== 0 || payloadLength(segment) > 0) {
      this.#takeText(side, segment, data, origin(packet));
      this.unseen.came(side, packet.frame);
    } else this.streams[side].showStart(payloadSequence(segment));
  }

  /**
   * Takes a segment that has what is expected, as nearly all do: the next bytes or none, and an acknowledgment of what
   * has come. Receivers call this header prediction (Jacobson, 1990); it does what considering everything would.
   * @returns false, with nothing taken, if it is another one.
   */
  #takeExpected(
    side: Side,
    segment: Readonly<TcpSegment>,
    data: Uint8Array,
    packet: Packet,
    origin: (packet: Packet) => Origin,
  ): boolean {
    const { flags, sequence, payloadStart, payloadEnd, missing } = segment;
    if ((flags & DECIDING) !== TcpFlag.ack || missing > 0) return false;
    if (this.reset !== undefined || this.membership.attempts.current !== undefined) return false;
    const own = this.streams[side];
    if (!own.isNext(sequence) || !this.unseen.isIdle(side)) return false;
    if (!this.streams[otherSide(side)].confirm(segment.acknowledgment, sequence)) return false;
    if (payloadEnd > payloadStart) own.goOn(data.subarray(payloadStart, payloadEnd), origin(packet));
    return true;
  }

  /**
   * RFC 9293, section 3.10.7.4, fourth: the SYN.
   * @returns false if the segment is to be dropped.
   */
  #takeSyn(side: Side, segment: Readonly<TcpSegment>): boolean {
    const own = this.streams[side];
    // A receiver drops a SYN in a connection that is open (RFC 5961, section 4.2).
    if (own.expects(segment.sequence)) {
      own.refuse(payloadLength(segment));
      return false;
    }
    this.membership.noteSyn(side, segment);
    if (this.membership.isSimultaneousOpen) this.forgetClient();
    own.start(payloadSequence(segment));
    this.streams[otherSide(side)].isSynExpected = true;
    return true;
  }

  /** RFC 9293, section 3.10.7.4, fifth: the acknowledgment. What the sender has received comes before what it replies. */
  #takeAcknowledgment(side: Side, segment: Readonly<TcpSegment>, packet: Packet): void {
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    this.#inferStart(side, segment);
    this.#refuteAttempt(side, segment);
    // First of all, a receiver drops a segment that has no place in the stream, with what it acknowledges.
    const isInPlace = !own.isSettled || own.fits(payloadSequence(segment));
    if (!isInPlace || !this.unseen.isMeaningful(side, segment, this.#inferred)) return;
    peer.acknowledge(segment.acknowledgment, segment.sequence, own);
    this.unseen.await(otherSide(side), packet);
  }

  /** Takes what a segment acknowledges for where the other side begins, if that one's SYN was not captured. */
  #inferStart(side: Side, { flags, acknowledgment }: Readonly<TcpSegment>): void {
    const peer = this.streams[otherSide(side)];
    if ((flags & TcpFlag.syn) !== 0) {
      // What is missing is the SYN that this one answers.
      if (!peer.started) peer.inferStart(acknowledgment);
      return;
    }
    // What is missing is the answer to this side's SYN.
    const isOpen = !peer.started || this.#inferred === peer;
    if ((flags & TcpFlag.rst) !== 0 || !isOpen || !this.membership.isOnlySynFrom(side)) return;
    peer.inferStart(acknowledgment);
    this.#inferred = peer;
  }

  /** Gives up an attempt to open another connection if a segment shows that its SYN-ACK belongs to this one. */
  #refuteAttempt(side: Side, segment: Readonly<TcpSegment>): void {
    const { current } = this.membership.attempts;
    if (current === undefined || !this.membership.refutesAttempt(current, side, segment)) return;
    this.streams[otherSide(side)].start(current.next);
    this.drop(this.membership.attempts.takeAll());
  }

  /**
   * RFC 9293, section 3.10.7.4, second: the RST. The text that it may carry is for people, not part of the stream
   * (section 3.5.3).
   */
  #takeReset(side: Side, segment: Readonly<TcpSegment>): void {
    if (this.isReset) return;
    const own = this.streams[side];
    const isNext = !own.started || own.beyondAll(payloadSequence(segment)) === 0;
    // With a SYN, its own number comes first: where that is acknowledged, the RST was not accepted.
    const afterwards = new SuspendedSegments(this.#limits, this.#queued);
    this.reset = new TcpReset(side, segment.sequence, isNext, payloadLength(segment), afterwards);
    // All of the other side may be captured after it, as where two captures follow each other.
    const isUnseen = this.streams[otherSide(side)].untouched && !this.membership.hasSynFrom(otherSide(side));
    if (isUnseen && (segment.flags & TcpFlag.ack) !== 0) this.reset.received = segment.acknowledgment;
  }

  /** RFC 9293, section 3.10.7.4, seventh and eighth: the segment text and the FIN. */
  #takeText(side: Side, segment: Readonly<TcpSegment>, data: Uint8Array, origin: SuspendedOrigin): void {
    const own = this.streams[side];
    const sequence = payloadSequence(segment);
    const isFin = (segment.flags & TcpFlag.fin) !== 0;
    // A FIN that is behind belongs to an earlier connection on the same ports, unless it is behind by one: its own
    // number may have been given up.
    const isOld = own.started && own.ahead((sequence + payloadLength(segment)) | 0) < -1;
    if (isFin && !isOld) this.#finFrom ??= side;
    // A SYN with another number than that of the connection is dropped, with its payload (RFC 5961, section 4.2).
    if ((segment.flags & TcpFlag.syn) !== 0 && own.firstByte !== sequence) own.refuse(payloadLength(segment));
    else if (!this.unseen.keep(side, segment, data, origin)) {
      const bytes = data.subarray(segment.payloadStart, segment.payloadEnd);
      own.segment(sequence, bytes, segment.missing, isFin, origin);
    }
  }

  /** Whether a segment that comes after the end brings bytes that have not been handed over; they are counted. */
  isLate(side: Side, segment: TcpSegment): boolean {
    const length = payloadLength(segment);
    const isLate = length > 0 && this.streams[side].ahead(segment.sequence) + length > 0;
    if (isLate) this.addLate(side, length);
    return isLate;
  }

  /** Hands over what waits in the streams. */
  protected flushStreams(): void {
    this.unseen.takeAll();
    for (const stream of this.streams) stream.flush(this.last);
  }
}
