import type { Origin } from "../network/conversation.js";
import { microsecondText, secondText } from "../schema/instant.js";
import { Ascii } from "./ascii.js";
import type { ByteWriter } from "./byte-writer.js";

/** What a Date can hold, in seconds. */
const LATEST = 8.64e12;

/** A time of capture as ISO 8601 (UTC) with microseconds, or with nanoseconds where there are any. */
export function absoluteTime({ seconds, nanoseconds }: Origin): string {
  const rest = nanoseconds % 1000;
  const digits = `${microsecondText(Math.floor(nanoseconds / 1000))}${rest === 0 ? "" : String(rest).padStart(3, "0")}`;
  return `${wholeSeconds(seconds)}.${digits}Z`;
}

/** Writes the same. */
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

/** The time from one packet to another, in seconds with microseconds. */
export function timeBetween(from: Origin, to: Origin): string {
  const nanoseconds = (to.seconds - from.seconds) * 1e9 + (to.nanoseconds - from.nanoseconds);
  const sign = nanoseconds < 0 ? "-" : "";
  const microseconds = Math.floor(Math.abs(nanoseconds) / 1000);
  return `${sign}${Math.floor(microseconds / 1e6)}.${microsecondText(microseconds % 1e6)}`;
}
