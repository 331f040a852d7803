import type { Origin } from "../../network/conversation.js";
import { isSetBack } from "../../network/set-back.js";
import type { LineWriter } from "../writers/line-writer.js";
import { absoluteTime, timeBetween, writeAbsoluteTime } from "../writers/time.js";

/** How times are shown: as they are, since the first packet of the capture, or since the previous message shown. */
export const timeFormats = ["absolute", "relative", "delta"] as const;
/** One of `timeFormats`. */
export type TimeFormat = (typeof timeFormats)[number];

/** Digits for a day or so, and microseconds. */
const WIDTH = 12;
/** What stands for a time that is not known. */
const UNKNOWN = "-";

/** Gives the time of each message as text, in the order of the messages. */
export class TimeColumn {
  #reference: Origin | undefined;

  constructor(readonly format: TimeFormat) {}

  /** Takes the first packet of the capture, before all messages. */
  readonly begin = (first: Origin): void => {
    if (this.format === "relative") this.#reference = first;
  };

  /** Writes what `text` returns. */
  write(writer: LineWriter, origin: Origin): void {
    if (this.format === "absolute") writeAbsoluteTime(writer, origin);
    else writer.safe(this.text(origin));
  }

  text(origin: Origin): string {
    if (this.format === "absolute") return absoluteTime(origin);
    const { frame, seconds, nanoseconds } = origin;
    const reference = this.#reference ?? origin;
    if (this.#reference === undefined || this.format === "delta") this.#reference = { frame, seconds, nanoseconds };
    // The clock was set back in between: how long it took is not known.
    const text = isSetBack(reference, origin) ? UNKNOWN : timeBetween(reference, origin);
    return text.padStart(WIDTH);
  }
}
