import type { Packet } from "../../capture/packet.js";
import type { Limits } from "../../limits.js";
import type { Direction, GapReason, Origin } from "../conversation.js";
import { Fit } from "../conversation-table.js";
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

/**
 * How far from where a connection was the numbers of a segment are at most that belongs to it although it was reset: a
 * window without scaling. Another connection begins further away (RFC 9293, section 3.4.1).
 */
const NEAR = 65_535;

/** What data is called that nobody was there to accept. */
export const AFTER_THE_END = "TCP data after the end of its connection";

/**
 * To which connection between two ports a segment belongs: to this one; to the next one, which has begun; or perhaps to
 * the next one, if what has come is answered.
 */
export type Belonging = "this" | "next" | "attempt";

/**
 * A TCP connection: works out what each segment means for it. The state that decides is the receiver's: a SYN, FIN or
 * RST that the other end's later segments contradict did not happen (RFC 9293, section 3.10.7.4; RFC 5961).
 */
export class TcpConversation extends TrackedConversation implements StreamSink {
  readonly #streams: readonly [Reassembler, Reassembler];
  /** The sides that have sent a SYN: bit 0 and bit 1. */
  #synSeen = 0;
  /** Those whose SYN had data (TCP Fast Open, RFC 7413), in the same way. */
  #synData = 0;
  readonly #context: TcpContext;
  /** The stream that was started by an acknowledgment alone. */
  #inferred: Reassembler | undefined;
  #reset: TcpReset | undefined;
  /** The side that has sent the first FIN. */
  #finFrom: Side | undefined;
  /** Answers that were captured before what they acknowledge, by side. */
  readonly #early: [EarlyAnswers | undefined, EarlyAnswers | undefined] = [undefined, undefined];
  #attempt: TcpAttempt | undefined;
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
    const reset = this.#reset;
    return reset !== undefined && (reset.isInPlace || this.#streams[reset.side].ahead(reset.sequence) === 0);
  }

  /** Whether something is still expected. */
  get #waits(): boolean {
    return this.#streams.some(({ waits }) => waits) || this.#early.some((answers) => answers?.isEmpty === false);
  }

  override get endedBy(): Direction | undefined {
    const side = this.isReset ? this.#reset?.side : this.#finSide;
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
    if (this.isReset) return this.#reset?.isBelieved === true && !this.#waits ? "rst" : undefined;
    return this.#streams[0].finished && this.#streams[1].finished ? "fin" : undefined;
  }

  override unacceptedFrom(side: Side): number {
    return this.#streams[side].unaccepted + this.#late[side];
  }

  /** How well a segment fits this connection, or the one that somebody tries to open instead. */
  fit(side: Side, segment: TcpSegment): Fit {
    const attempt = this.#attempt;
    if (attempt?.isAnsweredBy(side, segment) === true) return Fit.yes;
    if (attempt?.isContinuedBy(side, segment, this.#context.limits.resetWindow) === true) return Fit.yes;
    if (!this.#fits(side, segment)) return Fit.no;
    const isAcknowledging = (segment.flags & TcpFlag.ack) !== 0;
    const isKnown = this.#streams[side].started || (isAcknowledging && this.#streams[otherSide(side)].started);
    return isKnown ? Fit.yes : Fit.perhaps;
  }

  /** Whether the numbers of a segment can belong to this connection, as far as they are known. */
  #fits(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    const isPlain = (flags & TcpFlag.syn) === 0;
    if ((flags & TcpFlag.ack) !== 0 && !peer.fits(acknowledgment)) {
      // As long as nothing confirms the number of a SYN, it may be that which is wrong.
      if (!isPlain || peer.isSettled || !own.isSettled) return false;
    }
    if (isPlain) return own.fits(sequence);
    const isAnswer = (flags & TcpFlag.ack) !== 0;
    return own.started && !(isAnswer && own.untouched) ? own.base === ((sequence + 1) | 0) : isAnswer;
  }

  /**
   * To which connection a segment belongs. Another one begins with a SYN that has a number of its own and is answered,
   * or repeats one that was answered with an RST, or, where the SYN was not captured, with data that does not fit once
   * this connection is over.
   */
  belongs(side: Side, segment: TcpSegment): Belonging {
    if ((segment.flags & TcpFlag.syn) !== 0) return this.#synBelongs(side, segment);
    const isReset = (segment.flags & TcpFlag.rst) !== 0;
    if (!isReset && this.#continuesAttempt(side, segment)) return "next";
    const own = this.#streams[side];
    if ((this.open && !this.isReset) || isReset || !own.started || payloadLength(segment) === 0) return "this";
    if (this.open && this.#survives(side, segment)) return "this";
    // A number so near to the next one is no coincidence.
    if (this.open && this.#isNear(side, segment)) return "this";
    const ahead = own.ahead(segment.sequence);
    if (ahead <= 0 && own.covers(segment.sequence)) return "this";
    if (ahead <= 0 || !this.isReset || ahead > this.#context.limits.resetWindow) {
      // What it acknowledges is no coincidence either: its own number is wrong.
      return this.open && this.#acknowledgesNear(side, segment) ? "this" : "next";
    }
    // Segments in flight when the connection was reset acknowledge no more than the other side had sent.
    const peer = this.#streams[otherSide(side)];
    const acknowledges = (segment.flags & TcpFlag.ack) !== 0;
    return acknowledges && peer.started && peer.beyondAll(segment.acknowledgment) > 0 ? "next" : "this";
  }

  #synBelongs(side: Side, segment: TcpSegment): Belonging {
    const own = this.#streams[side];
    const isAnswer = (segment.flags & TcpFlag.ack) !== 0;
    // A SYN is believed once it is answered, but nothing keeps another connection from following one that is over.
    const another = this.open && !this.isReset ? "attempt" : "next";
    if (isAnswer && this.#attempt?.isAnsweredBy(side, segment) === true) return "next";
    if (own.started) {
      // A client may send a SYN that was refused once more, as Windows does.
      const isRefused = !isAnswer && this.isReset && own.untouched;
      if (own.base === ((segment.sequence + 1) | 0)) return isRefused ? "next" : "this";
      // A server with SYN cookies may answer a repeated SYN with another number.
      // A flag that was damaged after an RST: nobody who opens another connection knows both numbers.
      const goesOn = isAnswer && this.open && this.#isNear(side, segment) && this.#acknowledgesNear(side, segment);
      if (goesOn && another === "next") return "this";
      const canAnswer = isAnswer && !(this.clientIsKnown && this.directionFrom(side) === "c2s");
      const isAnotherAnswer = canAnswer && this.open && own.untouched && this.#canAnswer(side, segment.acknowledgment);
      return isAnotherAnswer ? "this" : another;
    }
    if (isAnswer) return this.#canAnswer(side, segment.acknowledgment) ? "this" : another;
    // Both sides may open at once (RFC 9293, section 3.5).
    return another === "attempt" && (this.#synSeen & (1 << otherSide(side))) !== 0 ? "this" : another;
  }

  /** Whether a SYN-ACK with this acknowledgment can answer the other side, as far as is known. */
  #canAnswer(side: Side, acknowledgment: number): boolean {
    const peer = this.#streams[otherSide(side)];
    if (!peer.started) return true;
    // More than the number after the SYN is acknowledged later, except for data in the SYN.
    const hasBegun = (this.#synData & (1 << otherSide(side))) === 0 && !peer.untouched;
    return hasBegun ? peer.base === acknowledgment : peer.covers(acknowledgment);
  }

  /** Whether a segment shows that another connection has begun, rather than fits this one. */
  #continuesAttempt(side: Side, segment: TcpSegment): boolean {
    const attempt = this.#attempt;
    if (attempt?.isContinuedBy(side, segment, this.#context.limits.resetWindow) !== true) return false;
    const own = this.#streams[side];
    const isHere = own.covers(segment.sequence) || (own.hasFin && own.beyondAll(segment.sequence) === 0);
    return !this.#fits(side, segment) || (!isHere && attempt.isExactlyContinuedBy(side, segment));
  }

  /** Keeps a SYN that may open the next connection. */
  attempt(syn: SuspendedSegment): void {
    if (this.#attempt?.isRepeatedBy(syn.side, syn.segment) === true) this.#attempt.repeat(syn);
    else {
      this.#dropAttempt();
      this.#attempt = new TcpAttempt(syn);
    }
  }

  /** Takes out the SYNs that open the next connection, which the given segment belongs to. */
  takeAttempt(side: Side, segment: TcpSegment): readonly SuspendedSegment[] {
    const attempt = this.#attempt;
    const { resetWindow } = this.#context.limits;
    const isOfAttempt =
      attempt?.isRepeatedBy(side, segment) === true ||
      attempt?.isAnsweredBy(side, segment) === true ||
      attempt?.isContinuedBy(side, segment, resetWindow) === true;
    if (attempt === undefined || !isOfAttempt) return [];
    this.#attempt = undefined;
    return attempt.segments;
  }

  /** Notes that an attempt to open another connection has come to nothing. */
  #dropAttempt(): void {
    for (const { side, segment } of this.#attempt?.segments ?? []) {
      this.countOnly(side);
      this.#addLate(side, payloadLength(segment));
    }
    this.#attempt = undefined;
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
   * @param origin called only for a segment with data or a FIN, or after an RST.
   */
  receive(side: Side, segment: TcpSegment, data: Uint8Array, packet: Packet, origin: (packet: Packet) => Origin): void {
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    const reset = this.#reset;
    if (reset !== undefined && this.isReset && !this.#waits) {
      // A further RST may say what was received before, but not that the connection is alive.
      const goesOn = isRst
        ? reset.isContradictedBy(side, segment, this.#context.limits.resetWindow)
        : this.#survives(side, segment);
      if (goesOn) this.#goOn(reset, side, segment, packet);
      else if (!isRst) {
        this.#suspend(reset, suspend(side, segment, data, origin(packet)));
        return;
      }
    }
    this.#take(side, segment, data, packet, origin);
    if (this.#reset !== undefined && this.isReset) this.#awaitContradiction(this.#reset, packet);
  }

  /** Whether a segment shows that its sender has ignored an RST, or has not sent it. */
  #survives(side: Side, segment: TcpSegment): boolean {
    const reset = this.#reset;
    const { resetWindow } = this.#context.limits;
    if (reset === undefined) return true;
    if (reset.isContradictedBy(side, segment, resetWindow)) return true;
    // The capture may lack what is acknowledged.
    const own = this.#streams[side];
    const peer = this.#streams[otherSide(side)];
    if (side === reset.side || (segment.flags & TcpFlag.ack) === 0 || !own.started || !peer.started) return false;
    const beyond = (segment.acknowledgment - reset.sequence) | 0;
    if (beyond <= 0) return false;
    return segment.sequence === reset.nextOf(side, own.end)
      ? beyond <= resetWindow
      : this.#isNear(side, segment) && beyond <= NEAR;
  }

  /** Whether a segment after an RST goes on from what its side has sent, but for a little that the capture lacks. */
  #isNear(side: Side, segment: TcpSegment): boolean {
    const next = this.#reset?.nextOf(side, this.#streams[side].end);
    const ahead = next === undefined ? -1 : (segment.sequence - next) | 0;
    return ahead >= 0 && ahead <= NEAR;
  }

  /** Whether a segment acknowledges what the other side has sent, or a little more. */
  #acknowledgesNear(side: Side, { flags, acknowledgment }: TcpSegment): boolean {
    const peer = this.#streams[otherSide(side)];
    if ((flags & TcpFlag.ack) === 0 || !peer.started) return false;
    const ahead = peer.ahead(acknowledgment);
    return ahead > 0 ? ahead <= NEAR : peer.covers(acknowledgment);
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
    if (!isRst && !isBare) this.#reset = undefined;
    for (const stream of this.#streams) stream.resume();
    for (const { side: sender, segment, payload, origin } of reset.afterwards.takeAll()) {
      this.#take(sender, segment, payload, packet, () => origin);
    }
  }

  /** Gives what precedes an RST the time to come, and then what follows it the time to show that it was ignored. */
  #awaitContradiction(reset: TcpReset, packet: Packet): void {
    const ifStanding = (settle: () => void): void => {
      if (this.#reset === reset) this.#settle(settle);
    };
    if (!this.#waits) {
      if (reset.isAwaited) return;
      reset.isAwaited = true;
      this.#context.resets.add(packet, () => ifStanding(() => this.flush()));
    } else if (!reset.isEarly) {
      reset.isEarly = true;
      this.#context.unseen.add(packet, (now) => {
        ifStanding(() => this.#flushStreams());
        if (this.#reset === reset) this.#awaitContradiction(reset, now);
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
      this.#synSeen |= 1 << side;
      if (payloadLength(segment) > 0) this.#synData |= 1 << side;
      sequence = (sequence + 1) | 0;
      own.start(sequence);
      // The SYN that this one answers may not have been captured.
      if ((flags & TcpFlag.ack) !== 0 && !peer.started) peer.infer(segment.acknowledgment);
    } else if (
      (flags & (TcpFlag.ack | TcpFlag.rst)) === TcpFlag.ack &&
      (!peer.started || this.#inferred === peer) &&
      this.#synSeen === 1 << side
    ) {
      // The answer to this side's SYN was not captured: the number that this segment acknowledges is where the other
      // side begins.
      peer.infer(segment.acknowledgment);
      this.#inferred = peer;
    }
    // First what the sender has received, then what it replies.
    // A receiver ignores what a segment acknowledges that has no place in the stream (RFC 9293, section 3.10.7.4).
    const isInPlace = !own.isSettled || own.fits(sequence);
    if ((flags & TcpFlag.ack) !== 0 && isInPlace && this.#isMeaningful(own, peer, segment)) {
      peer.acknowledge(segment.acknowledgment, segment.sequence);
      this.#awaitUnseen(otherSide(side), packet);
    }
    if ((flags & TcpFlag.rst) !== 0) {
      // The text that an RST may carry is for people, not part of the stream (RFC 9293, section 3.5.3).
      if (this.isReset) return;
      const { limits, queued } = this.#context;
      const isNext = !own.started || own.beyondAll(sequence) === 0;
      this.#reset = new TcpReset(side, sequence, isNext, payloadLength(segment), new SuspendedSegments(limits, queued));
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
    }
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
    const reset = this.#reset;
    if (reset === undefined) return;
    reset.isBelieved = true;
    if (reset.hasData) this.#addLate(reset.side, reset.payload);
    this.#leaveOut(reset.afterwards.takeAll());
    // Nor will bytes that precede a reset, even where only the reset shows that they are missing.
    if (!this.isReset && this.over === undefined && this.#streams[reset.side].ahead(reset.sequence) > 0) {
      this.#reset = new TcpReset(reset.side, reset.sequence, true, reset.payload, reset.afterwards);
      this.#reset.isBelieved = true;
    }
  }
}
