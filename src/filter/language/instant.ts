/** A point in time, as precise as captures are. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9})\d*)?)?(Z|[-+]\d\d:?\d\d)?)?$/i;

/** Parses a time in ISO 8601, in UTC unless it says otherwise; undefined if the text is not a time. */
export function instantOf(text: string): Instant | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, day = "", minutes = "00:00", seconds = "00", fraction = "", zone = "Z"] = match;
  const offset = zone.toUpperCase() === "Z" ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const milliseconds = Date.parse(`${day}T${minutes}:${seconds}${offset}`);
  if (Number.isNaN(milliseconds) || !isInCalendar(day)) return undefined;
  return { seconds: milliseconds / 1000, nanoseconds: Number(fraction.padEnd(9, "0")) };
}

/** False for the 30th of February, which JavaScript takes for the 2nd of March. */
function isInCalendar(day: string): boolean {
  return Number(day.slice(8)) <= 28 || new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** Returns less than 0 if `a` is earlier than `b`, more than 0 if later, 0 if they are the same. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanoseconds - b.nanoseconds;
}
