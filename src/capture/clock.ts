import type { Packet } from "./packet.js";

/** How far back a time may lie, in seconds, because recorders mix up packets, or several of them share a file. */
export const MOST_MIXED_UP = 1;

/** A packet captured long before an earlier one of the same file: the recorder's clock was set back. */
export interface ClockStep {
  readonly frame: number;
  /** How far it was set back, in seconds. */
  readonly seconds: number;
}

/** Notices where the clock of a recorder was set back. */
export class ClockWatch {
  #seconds = Number.NEGATIVE_INFINITY;
  #nanoseconds = 0;

  constructor(readonly onSetBack: (step: ClockStep) => void) {}

  /** Another file begins, which may overlap with the one before. */
  begin(): void {
    this.#seconds = Number.NEGATIVE_INFINITY;
  }

  see({ frame, seconds, nanoseconds }: Packet): void {
    if (seconds < this.#seconds || (seconds === this.#seconds && nanoseconds < this.#nanoseconds)) {
      const back = this.#seconds - seconds + (this.#nanoseconds - nanoseconds) / 1e9;
      if (back <= MOST_MIXED_UP) return;
      this.onSetBack({ frame, seconds: back });
    }
    this.#seconds = seconds;
    this.#nanoseconds = nanoseconds;
  }
}

/** Most steps that are kept; a clock that is set back more often makes all later times doubtful. */
const MOST_KEPT = 1000;

/** Knows between which packets the clock was set back: a duration that spans it means nothing. */
export class ClockSteps {
  readonly #frames: number[] = [];
  #first: ClockStep | undefined;
  #count = 0;

  /** The first step, if there is any. */
  get first(): ClockStep | undefined {
    return this.#first;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the next step, in order of the frames. */
  readonly add = (step: ClockStep): void => {
    this.#first ??= step;
    this.#count++;
    if (this.#frames.length < MOST_KEPT) this.#frames.push(step.frame);
  };

  /** True if the clock was set back after frame `from`, up to frame `to`. */
  isBetween(from: number, to: number): boolean {
    const last = this.#frames.at(-1);
    if (last === undefined || to < last) return this.#frames.some((frame) => from < frame && frame <= to);
    return from < last || this.#count > this.#frames.length;
  }
}
