const DAY = 86_400;
/** What fits into 32 bits has a year of four digits. */
const FOUR_DIGITS = 2 ** 32;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** Days whose text is kept at most: what is asked for is of today, or of days that come up again and again. */
const MOST_DAYS = 1024;
const days = new Map<number, string>();

let lastSecond = Number.NaN;
let lastText = "";

/** Year, month and day, and the letter behind them. */
function dateText(day: number): string {
  const text = new Date(day * DAY * 1000).toISOString().slice(0, 11);
  if (days.size < MOST_DAYS) days.set(day, text);
  return text;
}

/**
 * Seconds since 1970 as text (ISO 8601, UTC), without a zone: `2026-11-20T04:40:01`. What is asked for in a row is
 * mostly of one second, or at least of a few days.
 *
 * @throws RangeError for what a Date cannot hold
 */
export function secondText(seconds: number): string {
  if (seconds === lastSecond) return lastText;
  if (!(seconds >= 0 && seconds < FOUR_DIGITS)) return new Date(seconds * 1000).toISOString().slice(0, 19);
  const whole = Math.floor(seconds);
  const day = Math.floor(whole / DAY);
  const date = days.get(day) ?? dateText(day);
  const rest = whole - day * DAY;
  const minutes = Math.floor(rest / 60);
  lastSecond = seconds;
  lastText = `${date}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[rest % 60]}`;
  return lastText;
}

/** The digits of a fraction of a second: six for microseconds (0 to 999,999). */
export function microsecondText(microseconds: number): string {
  return `${THREE[Math.floor(microseconds / 1000)]}${THREE[microseconds % 1000]}`;
}
