import { are, counted } from "../../common/counted.js";
import type { GapReason, Origin } from "../../network/conversation.js";
import type { Status } from "../message.js";

/** The names under which ranges of a stream that are not messages are reported. */
export const rangeNames = ["gap", "skipped", "encrypted"] as const;
type RangeName = (typeof rangeNames)[number];

export const rangeDocs: Readonly<Record<RangeName, string>> = {
  gap: "Bytes that are missing in the capture.",
  skipped: "Bytes that were skipped without being dissected; a note says why.",
  encrypted: "Bytes that could not be decrypted; a note says why.",
};

/** Why a range of a direction cannot be dissected. */
export interface SkipReason {
  readonly name: Exclude<RangeName, "gap">;
  readonly status: Status;
  readonly reason: string;
}

/** A place from which on it is not known where the next message begins. */
export interface SyncLoss {
  /** Status of the bytes skipped for that reason. */
  readonly status: Status;
  /** "after a gap" */
  readonly where: string;
  /** Why, if `where` does not say it: "whose end is not known"; usually empty. */
  readonly why: string;
  /**
   * False after a message whose end is not known: the next bytes may still belong to it, and its texts and numbers
   * could pass for messages. The next message is then searched for only where a sender begins to write.
   */
  readonly isAnywhere: boolean;
}

/** What is known about a range of a stream that is not a message. */
export interface RangeReport {
  readonly name: RangeName;
  readonly status: Status;
  readonly offset: number;
  readonly length: number;
  /** The packet that ended it. */
  readonly origin: Origin;
  /** Its first and last frames: a list of all frames would be too long for gigabytes that cannot be read. */
  readonly frames: readonly number[];
  readonly text: string;
}

/** Bytes of a direction that are skipped without being dissected, and the gaps among them. */
export class SkippedRange {
  /** Number of bytes skipped, and the offset of the first one, or of the first gap if no bytes were skipped. */
  #passed = 0;
  #offset = 0;
  /** The packet that ended the range, and the lowest frame number. */
  #last: Origin | undefined;
  #firstFrame = Number.POSITIVE_INFINITY;
  /** Number of gaps after the first one, and of their bytes. */
  #moreGaps = 0;
  #missing = 0;
  #anyGap = false;

  bytes(offset: number, length: number, origins: readonly Origin[]): void {
    if (this.#passed === 0) this.#offset = offset;
    this.#passed += length;
    for (const { frame } of origins) this.#firstFrame = Math.min(this.#firstFrame, frame);
    this.#last = latest(origins);
  }

  /** Adds a gap; true if it is the first one, which is reported on its own. */
  gap({ offset, length }: { readonly offset: number; readonly length: number }, origin: Origin): boolean {
    if (!this.#anyGap) {
      this.#anyGap = true;
      return true;
    }
    if (this.#passed + this.#missing === 0) this.#offset = offset;
    this.#moreGaps++;
    this.#missing += length;
    this.#firstFrame = Math.min(this.#firstFrame, origin.frame);
    this.#last = origin;
    return false;
  }

  /** Returns the report at the end of the range; undefined if nothing was skipped. */
  report(why: SkipReason): RangeReport | undefined {
    const origin = this.#last;
    if (origin === undefined) return undefined;
    const [offset, passed, missing, moreGaps] = [this.#offset, this.#passed, this.#missing, this.#moreGaps];
    const frames = this.#firstFrame < origin.frame ? [this.#firstFrame, origin.frame] : [origin.frame];
    if (passed === 0) {
      const text = moreMissing(missing, moreGaps);
      return { name: "gap", status: "truncated", offset, length: missing, origin, frames, text };
    }
    const { name, status, reason } = why;
    const what = `${counted(passed, "byte")} ${passed === 1 ? "was" : "were"} skipped: ${reason}`;
    const text = rangeText({ reason: name === "encrypted" ? reason : what, missing, gaps: moreGaps });
    return { name, status, offset, length: passed, origin, frames, text };
  }
}

function moreMissing(bytes: number, gaps: number): string {
  return `${counted(bytes, "more byte")} ${are(bytes)} missing in ${counted(gaps, "gap")}`;
}

/** What the note on a range says: why it cannot be read, and what is missing among its bytes. */
export interface RangeNote {
  readonly reason: string;
  readonly missing: number;
  readonly gaps: number;
}

const MORE_MISSING = /; (\d+) more bytes? (?:is|are) missing in (\d+) gaps?$/;

/** Takes the note on a range apart: the reason may be that of many ranges, what is missing differs from one to the next. */
export function rangeNote(text: string): RangeNote {
  const [tail = "", missing = 0, gaps = 0] = MORE_MISSING.exec(text) ?? [];
  return { reason: text.slice(0, text.length - tail.length), missing: Number(missing), gaps: Number(gaps) };
}

/** Puts the note on a range together. */
export function rangeText({ reason, missing, gaps }: RangeNote): string {
  return gaps === 0 ? reason : `${reason}; ${moreMissing(missing, gaps)}`;
}

/** Reports a gap on its own. */
export function gapReport(
  { offset, length, reason }: { readonly offset: number; readonly length: number; readonly reason: GapReason },
  origin: Origin,
): RangeReport {
  const why = reason === "cut" ? "cut off when captured" : "not captured";
  const text = `${counted(length, "byte")} ${length === 1 ? "was" : "were"} ${why}`;
  return { name: "gap", status: "truncated", offset, length, origin, frames: [origin.frame], text };
}

/** Returns the packet that came last; if packets came out of order, that is not the one with the last bytes. */
export function latest(origins: readonly Origin[]): Origin {
  return origins.reduce((last, origin) => (origin.frame >= last.frame ? origin : last));
}

export function skipped(status: Status, reason: string): SkipReason {
  return { name: "skipped", status, reason };
}

export function notFound({ status, where, why }: SyncLoss): SkipReason {
  return skipped(status, `no message was found ${where}${why === "" ? "" : `, ${why}`}`);
}

export function gapsTooLong(most: number): SkipReason {
  return skipped("truncated", `more than ${most} bytes are missing before this, too many to advance the cipher past`);
}

export function gapsOfAllTooLong(): SkipReason {
  const text = "too many bytes are missing in all conversations together to advance the cipher past those before this";
  return skipped("truncated", text);
}

/** Describes bytes that end too early to tell what they are. */
export function brokenOff(why: string): SkipReason {
  return skipped("truncated", `${why} too early to tell what this is`);
}
