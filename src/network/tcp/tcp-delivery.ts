import type { GapReason, Origin } from "../conversation.js";
import { type Beginning, type Side, TrackedConversation } from "../tracked-conversation.js";
import type { StreamSink } from "./stream/stream-bytes.js";
import { payloadLength, type SuspendedSegment } from "./suspended-segments.js";

/** What data is called that nobody was there to accept. */
export const AFTER_THE_END = "TCP data after the end of its connection";

/** The part of a TCP connection that passes on what its streams hand over, and counts it, and what came too late. */
export class TcpDelivery extends TrackedConversation implements StreamSink {
  /** Payload bytes that came after the end, by side. */
  readonly #late: [number, number] = [0, 0];

  /** @param leftOut called for segments that were taken, and turn out to belong to no connection. */
  constructor(
    beginning: Beginning,
    readonly leftOut: (what: string, packets: number) => void,
  ) {
    super("tcp", beginning);
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

  override unacceptedFrom(side: Side): number {
    return this.#late[side];
  }

  /** Counts payload that came after the end. */
  protected addLate(side: Side, length: number): void {
    this.#late[side] += length;
  }

  /** Leaves out segments that were kept: they came after the end. */
  protected leaveOut(segments: readonly SuspendedSegment[]): void {
    for (const { side, segment } of segments) this.addLate(side, payloadLength(segment));
    const late = segments.filter(({ segment }) => payloadLength(segment) > 0);
    if (late.length > 0) this.leftOut(AFTER_THE_END, late.length);
  }
}
