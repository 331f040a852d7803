const DAY = 86_400;
/** What fits into 32 bits has a year of four digits. */
const FOUR_DIGITS = 2 ** 32;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

let lastSecond = -1;
let lastText = "";
let lastDay = -1;
let lastDate = "";

/**
 * Seconds since 1970 as text (ISO 8601, UTC), without a zone: `2026-11-20T04:40:01`. What is asked for in a row is mostly
 * of one second, or at least of one day.
 *
 * @throws RangeError for what a Date cannot hold
 */
export function secondText(seconds: number): string {
  if (seconds === lastSecond) return lastText;
  if (!(seconds >= 0 && seconds < FOUR_DIGITS)) return new Date(seconds * 1000).toISOString().slice(0, 19);
  const whole = Math.floor(seconds);
  const day = Math.floor(whole / DAY);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY * 1000).toISOString().slice(0, 11);
    lastDay = day;
  }
  const rest = whole - day * DAY;
  const minutes = Math.floor(rest / 60);
  lastSecond = seconds;
  lastText = `${lastDate}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[rest % 60]}`;
  return lastText;
}
