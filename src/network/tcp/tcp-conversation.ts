import type { Packet } from "../../capture/packet.js";
import type { Limits } from "../../limits.js";
import type { Direction, GapReason, Origin } from "../conversation.js";
import type { Fit } from "../conversation-table.js";
import { type Beginning, otherSide, type Side, TrackedConversation } from "../tracked-conversation.js";
import { EarlyAnswers } from "./early-answers.js";
import type { GracePeriods } from "./grace-periods.js";
import { Reassembler } from "./reassembly.js";
import type { RecentBytes } from "./recent-bytes.js";
import type { QueuedTotal, StreamSink } from "./stream-bytes.js";
import {
  payloadLength,
  type SuspendedOrigin,
  type SuspendedSegment,
  SuspendedSegments,
  sequenceLength,
  suspend,
} from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import { TcpAttempt } from "./tcp-attempt.js";
import { type Belonging, TcpMembership } from "./tcp-membership.js";
import { TcpReset } from "./tcp-reset.js";

/** What all TCP conversations of a run share. */
export interface TcpContext {
  readonly limits: Limits;
  readonly queued: QueuedTotal;
  /** Where the last bytes are kept, if the listener is to be notified of bytes that come again and differ. */
  readonly recent: RecentBytes | undefined;
  /** For bytes that were acknowledged but have not been seen: they may still come. */
  readonly unseen: GracePeriods;
  /** For connections that were reset: what follows may show that the RST was ignored. */
  readonly resets: GracePeriods;
  /** Called when a grace period is over: the connection may have ended without a packet of its own. */
  readonly settled: (conversation: TcpConversation) => void;
  /** Called for segments that were taken, and turn out to belong to no connection. */
  readonly leftOut: (what: string, packets: number) => void;
}

/** What data is called that nobody was there to accept. */
export const AFTER_THE_END = "TCP data after the end of its connection";

/**
 * A TCP connection: works out what each segment means for it. The state that decides is the receiver's: a SYN, FIN or
 * RST that the other end's later segments contradict did not happen (RFC 9293, section 3.10.7.4; RFC 5961).
 */
export class TcpConversation extends TrackedConversation implements StreamSink {
  readonly #streams: readonly [Reassembler, Reassembler];
  readonly #membership: TcpMembership;
  readonly #context: TcpContext;
  /** The stream that was started by an acknowledgment alone. */
  #inferred: Reassembler | undefined;
  /** The last RST, which may have been ignored. */
  reset: TcpReset | undefined;
  /** The side that has sent the first FIN. */
  #finFrom: Side | undefined;
  /** Answers that were captured before what they acknowledge, by side. */
  readonly #early: [EarlyAnswers | undefined, EarlyAnswers | undefined] = [undefined, undefined];
  /** Payload bytes that came after the end, by side. */
  readonly #late: [number, number] = [0, 0];

  constructor(beginning: Beginning, context: TcpContext) {
    super("tcp", beginning);
    const { limits, queued, recent } = context;
    this.#context = context;
    this.#streams = [
      new Reassembler(0, this, limits, queued, recent),
      new Reassembler(1, this, limits, queued, recent),
    ];
    this.#membership = new TcpMembership(this, this.#streams, limits.resetWindow);
  }

  bytes(side: Side, bytes: Uint8Array, origin: Origin): void {
    this.countPayload(side, bytes.length, 0);
    this.listener.bytes(this.directionFrom(side), bytes, origin);
  }

  gap(side: Side, length: number, reason: GapReason, origin: Origin): void {
    this.countPayload(side, 0, length);
    this.listener.gap(this.directionFrom(side), length, reason, origin);
  }

  outOfOrder(side: Side, length: number, origin: Origin): void {
    this.listener.outOfOrder(this.directionFrom(side), length, origin);
  }

  conflict(side: Side, differing: number, origin: Origin): void {
    this.listener.conflict(this.directionFrom(side), differing, origin);
  }

  finished(side: Side): void {
    this.listener.finished(this.directionFrom(side));
  }

  /** Whether an RST has ended the connection, unless it was ignored. */
  get isReset(): boolean {
    const reset = this.reset;
    return reset !== undefined && (reset.isInPlace || this.#streams[reset.side].ahead(reset.sequence) === 0);
  }

  /** Whether something is still expected. */
  get #waits(): boolean {
    return this.#streams.some(({ waits }) => waits) || this.#early.some((answers) => answers?.isEmpty === false);
  }

  override get endedBy(): Direction | undefined {
    const side = this.isReset ? this.reset?.side : this.#finSide;
    return side === undefined ? undefined : this.directionFrom(side);
  }

  /** The side that has sent the first FIN which was not contradicted. */
  get #finSide(): Side | undefined {
    if (this.#finFrom === undefined || this.#streams[this.#finFrom].hasFin) return this.#finFrom;
    const other = otherSide(this.#finFrom);
    return this.#streams[other].hasFin ? other : undefined;
  }

  /** Why the connection is over, if it is. */
  get over(): "fin" | "rst" | undefined {
    // What was sent before a reset may still be on its way into the capture.
    if (this.isReset) return this.reset?.isBelieved === true && !this.#waits ? "rst" : undefined;
    return this.#streams[0].finished && this.#streams[1].finished ? "fin" : undefined;
  }

  override unacceptedFrom(side: Side): number {
    return this.#streams[side].unaccepted + this.#late[side];
  }

  fit(side: Side, segment: TcpSegment): Fit {
    return this.#membership.fit(side, segment);
  }

  belongs(side: Side, segment: TcpSegment): Belonging {
    return this.#membership.belongs(side, segment);
  }

  isForeignReset(side: Side, segment: TcpSegment): boolean {
    return this.#membership.isForeignReset(side, segment);
  }

  /** Keeps a SYN that may open the next connection. */
  attempt(syn: SuspendedSegment): void {
    if (this.#membership.attempt?.isRepeatedBy(syn.side, syn.segment) === true) this.#membership.attempt.repeat(syn);
    else {
      this.#dropAttempt();
      this.#membership.attempt = new TcpAttempt(syn);
    }
  }

  /** Takes out the SYNs that open the next connection, which the given segment belongs to. */
  takeAttempt(side: Side, segment: TcpSegment): readonly SuspendedSegment[] {
    const attempt = this.#membership.attempt;
    const { resetWindow } = this.#context.limits;
    const isOfAttempt =
      attempt?.isRepeatedBy(side, segment) === true ||
      attempt?.isAnsweredBy(side, segment) === true ||
      attempt?.isContinuedBy(side, segment, resetWindow) === true;
    if (attempt === undefined || !isOfAttempt) return [];
    this.#membership.attempt = undefined;
    return attempt.segments;
  }

  /** Notes that an attempt to open another connection has come to nothing. */
  #dropAttempt(): void {
    for (const { side, segment } of this.#membership.attempt?.segments ?? []) {
      this.countOnly(side);
      this.#addLate(side, payloadLength(segment));
    }
    this.#membership.attempt = undefined;
  }

  /**
   * Takes a segment sent by a side.
   * @param data the bytes that the segment's offsets refer to.
   * @param origin called only for a segment with data or a FIN, or after an RST.
   */
  receive(side: Side, segment: TcpSegment, data: Uint8Array, packet: Packet, origin: (packet: Packet) => Origin): void {
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    const reset = this.reset;
    if (reset !== undefined && this.isReset && !this.#waits) {
      // A further RST may say what was received before, but not that the connection is alive.
      const goesOn = isRst
        ? reset.isContradictedBy(side, segment, this.#context.limits.resetWindow)
        : this.#membership.survives(side, segment);
      if (goesOn) this.#goOn(reset, side, segment, packet);
      else if (!isRst) {
        this.#suspend(reset, suspend(side, segment, data, origin(packet)));
        return;
      }
    }
    this.#take(side, segment, data, packet, origin);
    if (this.reset !== undefined && this.isReset) this.#awaitContradiction(this.reset, packet);
  }

  /** Keeps a segment that came after an RST. */
  #suspend({ afterwards }: TcpReset, suspended: SuspendedSegment): void {
    if (sequenceLength(suspended.segment) > 0 && !afterwards.add(suspended)) this.#leaveOut([suspended]);
  }

  /** Takes what came after an RST that was ignored. */
  #goOn(reset: TcpReset, side: Side, segment: TcpSegment, packet: Packet): void {
    // An acknowledgment that was sent before the RST may be captured after it: then only what it acknowledges counts.
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    const isBare = side === reset.side && sequenceLength(segment) === 0;
    if (!isRst && !isBare) this.reset = undefined;
    for (const stream of this.#streams) stream.resume();
    for (const { side: sender, segment, payload, origin } of reset.afterwards.takeAll()) {
      this.#take(sender, segment, payload, packet, () => origin);
    }
  }

  /** Gives what precedes an RST the time to come, and then what follows it the time to show that it was ignored. */
  #awaitContradiction(reset: TcpReset, packet: Packet): void {
    const ifStanding = (settle: () => void): void => {
      if (this.reset === reset) this.#settle(settle);
    };
    if (!this.#waits) {
      if (reset.isAwaited) return;
      reset.isAwaited = true;
      this.#context.resets.add(packet, () => ifStanding(() => this.flush()));
    } else if (!reset.isEarly) {
      reset.isEarly = true;
      this.#context.unseen.add(packet, (now) => {
        ifStanding(() => this.#flushStreams());
        if (this.reset === reset) this.#awaitContradiction(reset, now);
      });
    }
  }

  #take(
    side: Side,
    segment: Readonly<TcpSegment>,
    data: Uint8Array,
    packet: Packet,
    origin: (packet: Packet) => SuspendedOrigin,
  ): void {
    const { flags } = segment;
    const isFin = (flags & TcpFlag.fin) !== 0;
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    let sequence = segment.sequence;
    if ((flags & TcpFlag.syn) !== 0) {
      this.#membership.synSeen |= 1 << side;
      if ((flags & TcpFlag.ack) === 0) this.#membership.synAlone |= 1 << side;
      if (this.#membership.synAlone === 3) this.forgetClient();
      if (payloadLength(segment) > 0) this.#membership.synData |= 1 << side;
      sequence = (sequence + 1) | 0;
      own.start(sequence);
      // The SYN that this one answers may not have been captured.
      if ((flags & TcpFlag.ack) !== 0 && !peer.started) peer.infer(segment.acknowledgment);
    } else if (
      (flags & (TcpFlag.ack | TcpFlag.rst)) === TcpFlag.ack &&
      (!peer.started || this.#inferred === peer) &&
      this.#membership.synSeen === 1 << side
    ) {
      // The answer to this side's SYN was not captured: the number that this segment acknowledges is where the other
      // side begins.
      peer.infer(segment.acknowledgment);
      this.#inferred = peer;
    }
    const { attempt } = this.#membership;
    if (attempt !== undefined && this.#membership.refutesAttempt(attempt, side, segment)) {
      peer.start(attempt.next);
      this.#dropAttempt();
    }
    // First what the sender has received, then what it replies.
    // A receiver ignores what a segment acknowledges that has no place in the stream (RFC 9293, section 3.10.7.4).
    const isInPlace = !own.isSettled || own.fits(sequence);
    if ((flags & TcpFlag.ack) !== 0 && isInPlace && this.#isMeaningful(own, peer, segment)) {
      peer.acknowledge(segment.acknowledgment, segment.sequence, own);
      this.#awaitUnseen(otherSide(side), packet);
    }
    if ((flags & TcpFlag.rst) !== 0) {
      // The text that an RST may carry is for people, not part of the stream (RFC 9293, section 3.5.3).
      if (this.isReset) return;
      const { limits, queued } = this.#context;
      const isNext = !own.started || own.beyondAll(sequence) === 0;
      this.reset = new TcpReset(side, sequence, isNext, payloadLength(segment), new SuspendedSegments(limits, queued));
    } else if (isFin || payloadLength(segment) > 0) {
      // A FIN that is behind belongs to an earlier connection on the same ports, unless it is behind by one: its own
      // number may have been given up.
      const isOld = own.started && own.ahead((sequence + payloadLength(segment)) | 0) < -1;
      if (isFin && !isOld) this.#finFrom ??= side;
      const from = origin(packet);
      // A SYN with another number than that of the connection is dropped, with its payload (RFC 5961, section 4.2).
      if ((flags & TcpFlag.syn) !== 0 && own.base !== sequence) own.refuse(payloadLength(segment));
      else if (!this.#isEarly(side, segment, data, from)) {
        const bytes = data.subarray(segment.payloadStart, segment.payloadEnd);
        own.segment(sequence, bytes, segment.missing, isFin, from);
      }
      this.#early[otherSide(side)]?.take(packet.frame);
    } else if (!own.started) own.show(sequence);
  }

  /** Whether a segment is kept because it answers what is captured after it. */
  #isEarly(side: Side, segment: Readonly<TcpSegment>, data: Uint8Array, origin: SuspendedOrigin): boolean {
    // Nearly always the other side's bytes have come.
    if (this.#early[side] === undefined && !this.#streams[otherSide(side)].awaitsUnseen) return false;
    const answers = this.#early[side] ?? this.#newEarly(side);
    this.#early[side] = answers;
    return answers.awaits(segment) && answers.keep(suspend(side, segment, data, origin));
  }

  #newEarly(side: Side): EarlyAnswers {
    const { limits, queued } = this.#context;
    const waiting = new SuspendedSegments(limits, queued);
    return new EarlyAnswers(this.#streams[side], this.#streams[otherSide(side)], waiting, (length, { origin }) => {
      this.outOfOrder(side, length, origin);
    });
  }

  /** Whether the acknowledgment of a segment, sent by the side of `own`, says what was received of `peer`. */
  #isMeaningful(own: Reassembler, peer: Reassembler, segment: Readonly<TcpSegment>): boolean {
    if (!peer.untouched) return true;
    // A side that the capture has nothing of is not reported as lost piece by piece.
    if (this.#inferred === peer) return false;
    if (own.started || !peer.started) return true;
    // A side that has forgotten to close an earlier connection answers a SYN with the number that it expects there, and
    // nothing else (RFC 9293, section 3.5.1).
    const isBare = payloadLength(segment) === 0 && (segment.flags & TcpFlag.fin) === 0;
    return !isBare || peer.ahead(segment.acknowledgment) === 0;
  }

  /** Allows time for bytes of a side that were acknowledged but not seen to arrive. */
  #awaitUnseen(side: Side, packet: Packet): void {
    const stream = this.#streams[side];
    const sequence = stream.acknowledgedUnseen;
    if (sequence === undefined || stream.awaitsUnseen) return;
    stream.awaitsUnseen = true;
    this.#context.unseen.add(packet, (now) => {
      stream.awaitsUnseen = false;
      this.#settle(() => {
        // What was asked is lost: what was answered shows better what is being spoken than what follows the loss.
        this.#early[otherSide(side)]?.takeAll();
        stream.believe(sequence);
      });
      // More may have been acknowledged in the meantime.
      if (this.open) this.#awaitUnseen(side, now);
    });
  }

  #settle(settle: () => void): void {
    if (!this.open) return;
    settle();
    this.#context.settled(this);
  }

  /** Whether a segment that comes after the end brings bytes that have not been handed over; they are counted. */
  isLate(side: Side, segment: TcpSegment): boolean {
    const length = payloadLength(segment);
    const isLate = length > 0 && this.#streams[side].ahead(segment.sequence) + length > 0;
    if (isLate) this.#addLate(side, length);
    return isLate;
  }

  #addLate(side: Side, length: number): void {
    this.#late[side] += length;
  }

  #leaveOut(segments: readonly SuspendedSegment[]): void {
    for (const { side, segment } of segments) this.#addLate(side, payloadLength(segment));
    const late = segments.filter(({ segment }) => payloadLength(segment) > 0);
    if (late.length > 0) this.#context.leftOut(AFTER_THE_END, late.length);
  }

  #flushStreams(): void {
    for (const answers of this.#early) answers?.takeAll();
    for (const stream of this.#streams) stream.flush(this.last);
  }

  /** Hands over what is waiting: nothing more will come. */
  flush(): void {
    this.#flushStreams();
    this.#dropAttempt();
    const reset = this.reset;
    if (reset === undefined) return;
    reset.isBelieved = true;
    if (reset.hasData) this.#addLate(reset.side, reset.payload);
    this.#leaveOut(reset.afterwards.takeAll());
    // Nor will bytes that precede a reset, even where only the reset shows that they are missing.
    if (!this.isReset && this.over === undefined && this.#streams[reset.side].ahead(reset.sequence) > 0) {
      this.reset = new TcpReset(reset.side, reset.sequence, true, reset.payload, reset.afterwards);
      this.reset.isBelieved = true;
    }
  }
}
