import type { Origin } from "../network/conversation.js";
import { microsecondText, secondText } from "../schema/instant.js";

/** What a Date can hold, in seconds. */
const LATEST = 8.64e12;

/** A time of capture as ISO 8601 (UTC) with microseconds, or with nanoseconds where there are any. */
export function absoluteTime({ seconds, nanoseconds }: Origin): string {
  const whole = Math.abs(seconds) <= LATEST ? secondText(seconds) : `@${seconds}`;
  const microseconds = Math.floor(nanoseconds / 1000);
  const rest = nanoseconds % 1000;
  const digits = microsecondText(microseconds);
  return rest === 0 ? `${whole}.${digits}Z` : `${whole}.${digits}${String(rest).padStart(3, "0")}Z`;
}

/** The time from one packet to another, in seconds with microseconds. */
export function timeBetween(from: Origin, to: Origin): string {
  const nanoseconds = (to.seconds - from.seconds) * 1e9 + (to.nanoseconds - from.nanoseconds);
  const sign = nanoseconds < 0 ? "-" : "";
  const microseconds = Math.floor(Math.abs(nanoseconds) / 1000);
  return `${sign}${Math.floor(microseconds / 1e6)}.${microsecondText(microseconds % 1e6)}`;
}
