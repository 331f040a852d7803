import type { Origin } from "../../conversation.js";

/** A piece of a stream that is not believed yet. */
export interface UnprovenSegment {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Bytes after them that the snap length cut. */
  readonly cut: number;
  readonly fin: boolean;
  readonly origin: Origin;
}

/** Number of payload bytes of a segment. */
export function lengthOf({ bytes, cut }: UnprovenSegment): number {
  return bytes.length + cut;
}

/** A copy, whose bytes outlive the packet. */
export function copyOf(segment: UnprovenSegment): UnprovenSegment {
  // Not `slice`: that of a Buffer does not copy.
  return { ...segment, bytes: new Uint8Array(segment.bytes) };
}

/**
 * What has come of one TCP direction so far beyond everything else that it is an error, forged, or shows that the capture
 * lacks a lot. The next such number tells: it goes on from the last one, or it does not.
 */
export class FarNumbers {
  #acknowledged: number | undefined;
  #segment: UnprovenSegment | undefined;

  /** @param window how far apart numbers of one stream may be, in bytes. */
  constructor(readonly window: number) {}

  /** Whether an acknowledgment is a little further than the last one. */
  goesOn(acknowledged: number): boolean {
    const isNext = this.#isNear(this.#acknowledged, acknowledged, 1);
    this.#acknowledged = acknowledged;
    return isNext;
  }

  /** Takes out the segment that an acknowledgment shows to belong to the stream. */
  acknowledge(acknowledged: number): UnprovenSegment | undefined {
    return this.#isNear(this.#segment?.sequence, acknowledged, 1) ? this.#take() : undefined;
  }

  /** Takes out the segment that another one goes on from. */
  precede(sequence: number): UnprovenSegment | undefined {
    const far = this.#segment;
    const end = far === undefined ? undefined : far.sequence + lengthOf(far) + (far.fin ? 1 : 0);
    return this.#isNear(end, sequence, 0) ? this.#take() : undefined;
  }

  /** Keeps a segment; returns the one before it, unless it is the same. */
  keep(segment: UnprovenSegment): UnprovenSegment | undefined {
    const before = this.#segment?.sequence === segment.sequence ? undefined : this.#segment;
    this.#segment = copyOf(segment);
    return before;
  }

  /** Gives up the segment: nothing has gone on from it. */
  giveUp(): UnprovenSegment | undefined {
    return this.#take();
  }

  #take(): UnprovenSegment | undefined {
    const segment = this.#segment;
    this.#segment = undefined;
    return segment;
  }

  #isNear(from: number | undefined, sequence: number, least: number): boolean {
    if (from === undefined) return false;
    const distance = (sequence - from) | 0;
    return distance >= least && distance <= this.window;
  }
}
