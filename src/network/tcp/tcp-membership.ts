import type { Direction } from "../conversation.js";
import { Fit } from "../conversation-table.js";
import { otherSide, type Side } from "../tracked-conversation.js";
import type { Reassembler } from "./stream/reassembly.js";
import { payloadLength } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import { type TcpAttempt, TcpAttempts } from "./tcp-attempt.js";
import type { TcpReset } from "./tcp-reset.js";

/**
 * How far from where a connection was the numbers of a segment are at most that belongs to it although it was reset: a
 * window without scaling. Another connection begins further away (RFC 9293, section 3.4.1).
 */
const NEAR = 65_535;

/**
 * To which connection between two ports a segment belongs: to this one; to the next one, which has begun; or perhaps to
 * the next one, if what has come is answered.
 */
export type Belonging = "this" | "next" | "attempt";

/** The state of a connection that decides what belongs to it. */
interface Connection {
  readonly open: boolean;
  readonly clientIsKnown: boolean;
  /** Whether an RST has ended it, unless it was ignored. */
  readonly isReset: boolean;
  readonly reset: TcpReset | undefined;
  directionFrom(side: Side): Direction;
}

/** Tells what belongs to a TCP connection from what belongs to the next one between its ports, or to none. */
export class TcpMembership {
  /** The SYNs that may open the next connection. */
  readonly attempts = new TcpAttempts();
  /** The sides that have sent a SYN: bit 0 and bit 1. */
  #synSeen = 0;
  /** Those that have sent one without an acknowledgment. */
  #synAlone = 0;
  /** Those whose SYN had data (TCP Fast Open, RFC 7413), in the same way. */
  #synData = 0;

  /** @param window how far the numbers of one connection may be apart, in bytes. */
  constructor(
    readonly connection: Connection,
    readonly streams: readonly [Reassembler, Reassembler],
    readonly window: number,
  ) {}

  /** Notes a SYN or SYN-ACK of this connection. */
  noteSyn(side: Side, segment: Readonly<TcpSegment>): void {
    this.#synSeen |= 1 << side;
    if ((segment.flags & TcpFlag.ack) === 0) this.#synAlone |= 1 << side;
    if (payloadLength(segment) > 0) this.#synData |= 1 << side;
  }

  hasSynFrom(side: Side): boolean {
    return (this.#synSeen & (1 << side)) !== 0;
  }

  /** Whether a side has sent a SYN, and the other one has not. */
  isOnlySynFrom(side: Side): boolean {
    return this.#synSeen === 1 << side;
  }

  /** Whether both sides have sent a SYN without an acknowledgment (RFC 9293, section 3.5). */
  get isSimultaneousOpen(): boolean {
    return this.#synAlone === 0b11;
  }

  /** How well a segment fits this connection, or the one that somebody tries to open instead. */
  fit(side: Side, segment: TcpSegment): Fit {
    const attempt = this.attempts.current;
    if (attempt?.isAnsweredBy(side, segment) === true) return Fit.yes;
    if (attempt?.isContinuedBy(side, segment, this.window) === true) return Fit.yes;
    if (!this.#fits(side, segment)) return this.#fitsPartly(side, segment) ? Fit.partly : Fit.no;
    const isAcknowledging = (segment.flags & TcpFlag.ack) !== 0;
    const isKnown = this.streams[side].started || (isAcknowledging && this.streams[otherSide(side)].started);
    return isKnown ? Fit.yes : Fit.perhaps;
  }

  /** Whether the numbers of a segment can belong to this connection, as far as they are known. */
  #fits(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    const isAcknowledging = (flags & TcpFlag.ack) !== 0;
    if (isAcknowledging && !peer.fits(acknowledgment)) return false;
    if ((flags & TcpFlag.syn) === 0) return own.fits(sequence);
    const isOpen = isAcknowledging ? own.untouched : this.#isFirstSyn(side);
    if (own.started && !isOpen) return own.isn === sequence;
    // Both sides may open at once (RFC 9293, section 3.5).
    return isAcknowledging || (peer.started && !peer.isSettled);
  }

  /**
   * Whether one number of a segment belongs here, and the other one contradicts only a SYN that nothing confirms; or one
   * is exactly the next, which nobody knows who sends on another connection.
   */
  #fitsPartly(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    if ((flags & TcpFlag.syn) !== 0 || (flags & TcpFlag.ack) === 0) return false;
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    if (isNext(own, sequence) || isNext(peer, acknowledgment)) return true;
    return isCertain(own, sequence) ? !peer.isSettled : isCertain(peer, acknowledgment) && !own.isSettled;
  }

  /**
   * To which connection a segment belongs. The first rule that applies counts:
   *
   * | this connection is | the segment | belongs to |
   * |---|---|---|
   * | any | has an RST | this |
   * | any | has a SYN | see `#synBelongs` |
   * | any | goes on from an attempt, and does not fit here as well | next |
   * | alive | any other | this |
   * | over | has no payload, or nothing is known of its side | this |
   * | over | any other: data | see `#lateDataBelongs` |
   */
  belongs(side: Side, segment: TcpSegment): Belonging {
    // Even with a SYN, it opens nothing: an RST counts first (RFC 9293, section 3.10.7.2).
    if ((segment.flags & TcpFlag.rst) !== 0) return "this";
    if ((segment.flags & TcpFlag.syn) !== 0) return this.#synBelongs(side, segment);
    if (this.#continuesAttempt(side, segment)) return "next";
    if (this.#isAlive || !this.streams[side].started || payloadLength(segment) === 0) return "this";
    return this.#lateDataBelongs(side, segment);
  }

  /** Whether the connection goes on: it is neither closed nor reset. */
  get #isAlive(): boolean {
    return this.connection.open && !this.connection.isReset;
  }

  /**
   * To which connection data belongs that comes when this one is over: the next one, of which the SYN was not captured,
   * may begin with it. The first rule that applies counts:
   *
   * | this connection is | the number of the data | belongs to |
   * |---|---|---|
   * | reset, not closed | shows that the RST was ignored, or goes on from what came since, or repeats it | this |
   * | over | is that of bytes that have come, or of a keep-alive | this |
   * | reset | is a little ahead: it was in flight | this, unless it acknowledges more than was sent |
   * | reset, not closed | is any other, but it acknowledges what was sent | this |
   * | over | is any other | next |
   */
  #lateDataBelongs(side: Side, segment: TcpSegment): Belonging {
    const own = this.streams[side];
    const { open, isReset } = this.connection;
    if (open && this.#goesOnAfterReset(side, segment)) return "this";
    // A keep-alive may carry one arbitrary byte, with the number of the SYN if its side has sent nothing (RFC 9293,
    // section 3.8.4).
    const isKeepAlive = payloadLength(segment) === 1 && own.isn === segment.sequence;
    if (isKeepAlive || own.covers(segment.sequence)) return "this";
    const ahead = own.ahead(segment.sequence);
    // Segments in flight when the connection was reset acknowledge no more than the other side had sent.
    if (isReset && ahead > 0 && ahead <= this.window) return this.#acknowledgesBeyond(side, segment) ? "next" : "this";
    // What it acknowledges is no coincidence: its own number is wrong.
    return open && this.#acknowledgesNear(side, segment) ? "this" : "next";
  }

  /** Whether data after an RST shows that it was ignored, or has a number so near to the next one that it is no chance. */
  #goesOnAfterReset(side: Side, segment: TcpSegment): boolean {
    if (this.survives(side, segment)) return true;
    // What was recorded or sent twice has the same number.
    return this.connection.reset?.isRepeatedBy(side, segment) === true || this.#isNear(side, segment);
  }

  /** Whether a segment acknowledges more than is known to have been sent by the other side. */
  #acknowledgesBeyond(side: Side, { flags, acknowledgment }: TcpSegment): boolean {
    const peer = this.streams[otherSide(side)];
    return (flags & TcpFlag.ack) !== 0 && peer.started && peer.beyondAll(acknowledgment) > 0;
  }

  /**
   * To which connection a SYN or SYN-ACK belongs. Another one begins with a number of its own. That is an attempt while
   * this one is alive, until it is answered; nothing keeps it from following one that is over.
   *
   * | the side began with | SYN | SYN-ACK |
   * |---|---|---|
   * | any number | | answers an attempt: next |
   * | the same number | an RST has refused it: next; else this | this |
   * | another number | see `#isOwnSyn`: this | see `#isOwnSynAck`: this |
   * | nothing known | the same | the same |
   *
   * All others are an attempt if this connection is alive, else the next one.
   */
  #synBelongs(side: Side, segment: TcpSegment): Belonging {
    const own = this.streams[side];
    const isAnswer = (segment.flags & TcpFlag.ack) !== 0;
    if (isAnswer && this.attempts.current?.isAnsweredBy(side, segment) === true) return "next";
    if (own.started && own.isn === segment.sequence) {
      return !isAnswer && this.#wasRefused(side, segment) ? "next" : "this";
    }
    if (isAnswer ? this.#isOwnSynAck(side, segment) : this.#isOwnSyn(side)) return "this";
    return this.#isAlive ? "attempt" : "next";
  }

  /** Whether an RST has refused a SYN, which a client may then send once more, as Windows does. */
  #wasRefused(side: Side, segment: TcpSegment): boolean {
    const { isReset, reset } = this.connection;
    return isReset && this.streams[side].untouched && reset?.hadReceived(side, segment) !== true;
  }

  /** Whether a SYN belongs here although it has another number, or nothing is known of its side. */
  #isOwnSyn(side: Side): boolean {
    if (!this.#isAlive) return false;
    // Both sides may open at once (RFC 9293, section 3.5).
    return this.streams[side].started ? this.#isFirstSyn(side) : this.hasSynFrom(otherSide(side));
  }

  /** Whether a SYN-ACK belongs here although it has another number, or nothing is known of its side. */
  #isOwnSynAck(side: Side, segment: TcpSegment): boolean {
    const own = this.streams[side];
    const canAnswer = this.#canAnswer(side, segment.acknowledgment);
    if (!own.started) return canAnswer;
    const { open, isReset, clientIsKnown } = this.connection;
    if (!open) return false;
    // A flag that was damaged after an RST: nobody who opens another connection knows both numbers.
    if (isReset && this.#isNear(side, segment) && this.#acknowledgesNear(side, segment)) return true;
    // A server with SYN cookies may answer a repeated SYN with another number.
    const isClient = clientIsKnown && this.connection.directionFrom(side) === "c2s";
    return canAnswer && !isClient && own.untouched;
  }

  /**
   * Whether a SYN (no SYN-ACK) says where its side begins of which only a SYN-ACK of the other side has said that: that
   * may have been forged.
   */
  #isFirstSyn(side: Side): boolean {
    return this.streams[side].untouched && this.streams[otherSide(side)].untouched && !this.hasSynFrom(side);
  }

  /** Whether a SYN-ACK with this acknowledgment can answer the other side, as far as is known. */
  #canAnswer(side: Side, acknowledgment: number): boolean {
    const peer = this.streams[otherSide(side)];
    if (!peer.started) return true;
    // More than the number after the SYN is acknowledged later, except for data in the SYN.
    const hasBegun = (this.#synData & (1 << otherSide(side))) === 0 && !peer.untouched;
    return hasBegun ? peer.firstByte === acknowledgment : peer.covers(acknowledgment);
  }

  /** Whether a segment shows that another connection has begun, rather than fits this one. */
  #continuesAttempt(side: Side, segment: TcpSegment): boolean {
    const attempt = this.attempts.current;
    if (attempt?.isContinuedBy(side, segment, this.window) !== true) return false;
    const own = this.streams[side];
    const isHere = own.covers(segment.sequence) || (own.hasFin && own.beyondAll(segment.sequence) === 0);
    const isFitting = this.#fits(side, segment) || this.#fitsPartly(side, segment);
    return !isFitting || (!isHere && attempt.isExactlyContinuedBy(side, segment));
  }

  /**
   * Whether a segment of this connection shows that the SYN-ACK of an attempt belongs here, too: it acknowledges it, so
   * what that acknowledges is wrong.
   */
  refutesAttempt(attempt: TcpAttempt, side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    if (attempt.side === side || attempt.acknowledgment === undefined) return false;
    const own = this.streams[side];
    return (flags & TcpFlag.ack) !== 0 && acknowledgment === attempt.next && own.started && own.fits(sequence);
  }

  /**
   * Whether an RST cannot belong to this connection: it is forged, or belongs to an earlier connection on the same
   * ports. Receivers require its number to be the next one (RFC 5961, section 3.2); one further ahead is possible only
   * while the capture lags behind.
   */
  isForeignReset(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    if (own.started) {
      const distance = own.beyondAll(sequence);
      // Nothing but a SYN has come from either side: the RST may answer to what is left of an earlier connection.
      if (own.untouched && !peer.started) return distance !== 0;
      return distance < 0 || distance > this.window;
    }
    // An RST that answers a SYN has no number of its own, but acknowledges that SYN (RFC 9293, section 3.5.2).
    return peer.started && (flags & TcpFlag.ack) !== 0 && Math.abs(peer.ahead(acknowledgment)) > this.window;
  }

  /** Whether a segment shows that its sender has ignored an RST, or has not sent it. */
  survives(side: Side, segment: TcpSegment): boolean {
    const reset = this.connection.reset;
    if (reset === undefined) return true;
    if (reset.isContradictedBy(side, segment, this.window)) return true;
    // The capture may lack what is acknowledged.
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    if ((segment.flags & TcpFlag.ack) === 0 || !peer.started) return false;
    if (side === reset.side) return segment.sequence === reset.sequence && this.#acknowledgesUnseen(side, segment);
    const beyond = (segment.acknowledgment - reset.sequence) | 0;
    if (beyond <= 0) return false;
    if (!own.started) return (segment.flags & TcpFlag.syn) !== 0 && beyond === 1;
    return segment.sequence === reset.nextOf(side, own.end)
      ? beyond <= this.window
      : beyond <= NEAR && (this.#isNear(side, segment) || (!own.isSettled && own.fits(segment.sequence)));
  }

  /** Whether a segment after an RST goes on from what its side has sent, but for a little that the capture lacks. */
  #isNear(side: Side, segment: TcpSegment): boolean {
    const next = this.connection.reset?.nextOf(side, this.streams[side].end);
    const ahead = next === undefined ? -1 : (segment.sequence - next) | 0;
    return ahead >= 0 && ahead <= NEAR;
  }

  /** Whether a segment acknowledges a little more than is known of what the other side has sent, before an RST and since. */
  #acknowledgesUnseen(side: Side, { acknowledgment }: TcpSegment): boolean {
    const other = otherSide(side);
    const { end } = this.streams[other];
    const beyond = (acknowledgment - (this.connection.reset?.nextOf(other, end) ?? end)) | 0;
    return beyond > 0 && beyond <= NEAR;
  }

  /** Whether a segment acknowledges what the other side has sent, or a little more. */
  #acknowledgesNear(side: Side, { flags, acknowledgment }: TcpSegment): boolean {
    const peer = this.streams[otherSide(side)];
    if ((flags & TcpFlag.ack) === 0 || !peer.started) return false;
    const ahead = peer.ahead(acknowledgment);
    return ahead > 0 ? ahead <= NEAR : peer.covers(acknowledgment);
  }
}

/** Whether a number fits a stream that begins for certain, or says the same of where it begins. */
function isCertain(stream: Reassembler, sequence: number): boolean {
  return stream.started && (stream.isSettled ? stream.fits(sequence) : stream.firstByte === sequence);
}

/** Whether a number is the next one of a stream that begins for certain. */
function isNext(stream: Reassembler, sequence: number): boolean {
  return stream.isSettled && stream.end === sequence;
}
