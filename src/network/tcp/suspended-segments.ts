import type { LimitName, Limits } from "../../limits.js";
import type { Origin } from "../conversation.js";
import type { Side } from "../tracked-conversation.js";
import type { QueuedTotal } from "./stream/stream-bytes.js";
import type { TcpSegment } from "./tcp.js";

/** Where a suspended segment comes from, and once it is known, the later frame that it answers. */
export interface SuspendedOrigin extends Origin {
  after?: number;
}

/** A segment whose meaning only later ones show, with a copy of its payload. */
export interface SuspendedSegment {
  readonly side: Side;
  readonly segment: Readonly<TcpSegment>;
  /** What the segment's offsets refer to. */
  readonly payload: Uint8Array;
  readonly origin: SuspendedOrigin;
}

/** Number of payload bytes of a segment, including those that were not captured. */
export function payloadLength(segment: Readonly<TcpSegment>): number {
  return segment.payloadEnd - segment.payloadStart + segment.missing;
}

/** Sequence number of the first byte of the payload, before which a SYN counts as one (RFC 9293, section 3.4). */
export function payloadSequence({ sequence, flags }: Readonly<TcpSegment>): number {
  return (sequence + ((flags >> 1) & 1)) | 0;
}

/** Length of a segment in sequence numbers: SYN and FIN count as one each (RFC 9293, section 3.4). */
export function sequenceLength(segment: Readonly<TcpSegment>): number {
  const { flags } = segment;
  return payloadLength(segment) + (flags & 1) + ((flags >> 1) & 1);
}

/** Segments of a connection that wait for their meaning, in the order in which they came. */
export class SuspendedSegments {
  #list: SuspendedSegment[] = [];
  /** Their estimated cost in memory. */
  #cost = 0;

  constructor(
    readonly limits: Pick<Limits, "heldBytes" | "heldSegments" | "heldOverhead">,
    readonly total: QueuedTotal,
  ) {}

  get all(): readonly SuspendedSegment[] {
    return this.#list;
  }

  /** Keeps a segment; returns the limit that leaves no room for it. */
  keep(suspended: SuspendedSegment): LimitName | undefined {
    const { heldBytes, heldSegments } = this.limits;
    const cost = this.#costOf(suspended);
    if (this.#list.length >= heldSegments) return "heldSegments";
    if (this.#cost + cost > heldBytes) return "heldBytes";
    this.#list.push(suspended);
    this.#account(cost);
    return undefined;
  }

  #costOf({ payload }: SuspendedSegment): number {
    return payload.length + this.limits.heldOverhead;
  }

  /** Takes the first one out. */
  takeFirst(): SuspendedSegment | undefined {
    const first = this.#list.shift();
    if (first !== undefined) this.#account(-this.#costOf(first));
    return first;
  }

  /** Takes all out. */
  takeAll(): readonly SuspendedSegment[] {
    const all = this.#list;
    this.#list = [];
    this.#account(-this.#cost);
    return all;
  }

  #account(cost: number): void {
    this.#cost += cost;
    this.total.bytes += cost;
  }
}

/** A copy of a segment and its payload, which a reader may overwrite. */
export function suspend(
  side: Side,
  segment: Readonly<TcpSegment>,
  data: Uint8Array,
  origin: SuspendedOrigin,
): SuspendedSegment {
  const { payloadStart, payloadEnd } = segment;
  // Not `slice`: that of a Buffer does not copy.
  const payload = new Uint8Array(data.subarray(payloadStart, payloadEnd));
  return { side, segment: { ...segment, payloadStart: 0, payloadEnd: payload.length }, payload, origin };
}
