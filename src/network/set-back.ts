import { MOST_MIXED_UP } from "../capture/clock.js";
import type { Origin } from "./conversation.js";

/** True if the clock was set back between two packets: the later one is of a time long before the earlier one. */
export function isSetBack(from: Origin, to: Origin): boolean {
  const back = from.seconds - to.seconds + (from.nanoseconds - to.nanoseconds) / 1e9;
  return to.frame > from.frame && back > MOST_MIXED_UP;
}
