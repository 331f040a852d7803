import type { Origin } from "../../network/conversation.js";
import { microsecondText, secondText } from "../../schema/tree/instant.js";
import { Ascii } from "./ascii.js";
import type { ByteWriter } from "./byte-writer.js";

/** The latest time a Date can hold, in seconds. */
const LATEST = 8.64e12;

/** A time of capture as ISO 8601 (UTC) with microseconds, or with nanoseconds where there are any. */
export function absoluteTime({ seconds, nanoseconds }: Origin): string {
  const rest = nanoseconds % 1000;
  const digits = `${microsecondText(Math.floor(nanoseconds / 1000))}${rest === 0 ? "" : String(rest).padStart(3, "0")}`;
  return `${wholeSeconds(seconds)}.${digits}Z`;
}

/** Writes what `absoluteTime` returns. */
export function writeAbsoluteTime(writer: ByteWriter, { seconds, nanoseconds }: Origin): void {
  writer.ascii(wholeSeconds(seconds));
  writer.byte(Ascii.Point);
  writer.digits(Math.floor(nanoseconds / 1000), 6);
  const rest = nanoseconds % 1000;
  if (rest !== 0) writer.digits(rest, 3);
  writer.byte(Ascii.LetterZ);
}

function wholeSeconds(seconds: number): string {
  return Math.abs(seconds) <= LATEST ? secondText(seconds) : `@${seconds}`;
}

/** The time from one packet to another, in seconds with six decimal places. */
export function timeBetween(from: Origin, to: Origin): string {
  const isBack = to.seconds < from.seconds || (to.seconds === from.seconds && to.nanoseconds < from.nanoseconds);
  const [early, late] = isBack ? [to, from] : [from, to];
  // A double cannot hold the nanoseconds of more than a hundred days.
  const isBorrowed = late.nanoseconds < early.nanoseconds;
  const seconds = late.seconds - early.seconds - (isBorrowed ? 1 : 0);
  const nanoseconds = late.nanoseconds - early.nanoseconds + (isBorrowed ? 1e9 : 0);
  return `${isBack ? "-" : ""}${seconds}.${microsecondText(Math.floor(nanoseconds / 1000))}`;
}
