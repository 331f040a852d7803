import type { Packet } from "../../capture/packet.js";
import type { Limits } from "../../limits.js";
import type { Origin } from "../conversation.js";
import { otherSide, type Side } from "../tracked-conversation.js";
import { EarlyAnswers } from "./early-answers.js";
import type { GracePeriods } from "./grace-periods.js";
import type { Reassembler } from "./stream/reassembly.js";
import type { QueuedTotal } from "./stream/stream-bytes.js";
import { payloadLength, type SuspendedOrigin, SuspendedSegments, suspend } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";

/** The connection whose bytes are waited for. */
interface Connection {
  readonly open: boolean;
  outOfOrder(side: Side, length: number, origin: Origin): void;
  /** Does what the end of a grace period makes necessary, if the connection is still open. */
  settle(action: () => void): void;
}

interface UnseenContext {
  readonly limits: Limits;
  readonly queued: QueuedTotal;
  readonly unseen: GracePeriods;
}

/**
 * Bytes of a TCP connection that were acknowledged and have not been seen: they are given the time to come, and what
 * answers them waits for them.
 */
export class AcknowledgedUnseen {
  /** Answers that were captured before what they acknowledge, by side. */
  readonly #early: [EarlyAnswers | undefined, EarlyAnswers | undefined] = [undefined, undefined];

  constructor(
    readonly connection: Connection,
    readonly streams: readonly [Reassembler, Reassembler],
    readonly context: UnseenContext,
  ) {}

  /** Whether answers are waiting. */
  get hasAnswers(): boolean {
    return this.#early.some((answers) => answers?.isEmpty === false);
  }

  /** Whether neither a segment of a side has to wait for what it answers, nor others for the segment. */
  isIdle(side: Side): boolean {
    return this.#early[0] === undefined && this.#early[1] === undefined && !this.streams[otherSide(side)].awaitsUnseen;
  }

  /**
   * Whether the acknowledgment of a segment of a side says what was received of the other one.
   * @param inferred the stream that was started by an acknowledgment alone.
   */
  isMeaningful(side: Side, segment: Readonly<TcpSegment>, inferred: Reassembler | undefined): boolean {
    const own = this.streams[side];
    const peer = this.streams[otherSide(side)];
    // The stream knows nothing yet of answers that wait.
    if (!peer.untouched || this.#early[otherSide(side)]?.isEmpty === false) return true;
    // A side that the capture has nothing of is not reported as lost piece by piece.
    if (inferred === peer) return false;
    if (own.started || !peer.started) return true;
    // A side that has forgotten to close an earlier connection answers a SYN with the number that it expects there, and
    // nothing else (RFC 9293, section 3.5.1).
    const isBare = payloadLength(segment) === 0 && (segment.flags & TcpFlag.fin) === 0;
    return !isBare || peer.ahead(segment.acknowledgment) === 0;
  }

  /** Keeps a segment if it answers what is captured after it; false if it does not. */
  keep(side: Side, segment: Readonly<TcpSegment>, data: Uint8Array, origin: SuspendedOrigin): boolean {
    // Nearly always the other side's bytes have come.
    if (this.#early[side] === undefined && !this.streams[otherSide(side)].awaitsUnseen) return false;
    const answers = this.#early[side] ?? this.#newAnswers(side);
    this.#early[side] = answers;
    return answers.awaits(segment) && answers.keep(suspend(side, segment, data, origin));
  }

  #newAnswers(side: Side): EarlyAnswers {
    const { limits, queued } = this.context;
    const waiting = new SuspendedSegments(limits, queued);
    return new EarlyAnswers(this.streams[side], this.streams[otherSide(side)], waiting, (length, { origin }) => {
      this.connection.outOfOrder(side, length, origin);
    });
  }

  /** Passes on the answers whose time has come, now that a frame has brought bytes of a side. */
  came(side: Side, frame: number): void {
    this.#early[otherSide(side)]?.take(frame);
  }

  /** Passes on all answers: what they acknowledge does not come any more. */
  takeAll(): void {
    for (const answers of this.#early) answers?.takeAll();
  }

  /** Allows time for bytes of a side that were acknowledged but not seen to arrive. */
  await(side: Side, packet: Packet): void {
    const stream = this.streams[side];
    const sequence = stream.acknowledgedUnseen;
    if (sequence === undefined || stream.awaitsUnseen) return;
    stream.awaitsUnseen = true;
    this.context.unseen.add(packet, (now) => {
      stream.awaitsUnseen = false;
      this.connection.settle(() => {
        // What was asked is lost: what was answered shows better what is being spoken than what follows the loss.
        this.#early[otherSide(side)]?.takeAll();
        stream.believe(sequence);
      });
      // More may have been acknowledged in the meantime.
      if (this.connection.open) this.await(side, now);
    });
  }
}
