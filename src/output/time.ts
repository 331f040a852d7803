import type { Origin } from "../network/conversation.js";
import { secondText } from "../schema/instant.js";

/** What a Date can hold, in seconds. */
const LATEST = 8.64e12;

/** A time of capture as ISO 8601 (UTC) with microseconds, or with nanoseconds where there are any. */
export function absoluteTime({ seconds, nanoseconds }: Origin): string {
  const whole = Math.abs(seconds) <= LATEST ? secondText(seconds) : `@${seconds}`;
  const digits = String(nanoseconds).padStart(9, "0");
  return `${whole}.${digits.endsWith("000") ? digits.slice(0, 6) : digits}Z`;
}

/** The time from one packet to another, in seconds with microseconds. */
export function timeBetween(from: Origin, to: Origin): string {
  const nanoseconds = (to.seconds - from.seconds) * 1e9 + (to.nanoseconds - from.nanoseconds);
  const sign = nanoseconds < 0 ? "-" : "";
  const microseconds = Math.floor(Math.abs(nanoseconds) / 1000);
  return `${sign}${Math.floor(microseconds / 1e6)}.${String(microseconds % 1e6).padStart(6, "0")}`;
}
