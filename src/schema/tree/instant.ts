const DAY = 86_400;
/** Seconds that fit in 32 bits have years of four digits. */
const FOUR_DIGITS = 2 ** 32;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THREE = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** The number of days whose text is kept: most times are of today, or of days that come up again and again. */
const MOST_DAYS = 1024;
const days = new Map<number, string>();

let lastSecond = Number.NaN;
let lastText = "";

/** Returns year, month and day, with the "T" after them. */
function dateText(day: number): string {
  const text = new Date(day * DAY * 1000).toISOString().slice(0, 11);
  if (days.size < MOST_DAYS) days.set(day, text);
  return text;
}

/**
 * Returns seconds since 1970 as text (ISO 8601, UTC), without a zone: `2026-11-20T04:40:01`. Caches what successive
 * calls tend to share: the second, or at least the day.
 *
 * @throws RangeError for what a Date cannot hold
 */
export function secondText(seconds: number): string {
  if (seconds === lastSecond) return lastText;
  if (!(seconds >= 0 && seconds < FOUR_DIGITS)) return new Date(seconds * 1000).toISOString().slice(0, -".000Z".length);
  const whole = Math.floor(seconds);
  const day = Math.floor(whole / DAY);
  const date = days.get(day) ?? dateText(day);
  const rest = whole - day * DAY;
  const minutes = Math.floor(rest / 60);
  lastSecond = seconds;
  lastText = `${date}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[rest % 60]}`;
  return lastText;
}

/** Returns the six digits of a fraction of a second in microseconds (0 to 999,999). */
export function microsecondText(microseconds: number): string {
  return `${THREE[Math.floor(microseconds / 1000)]}${THREE[microseconds % 1000]}`;
}
