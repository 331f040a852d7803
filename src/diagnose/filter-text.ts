/** What is an end, an escape or something else within the quotes of a filter or of a shell, whichever that is. */
const SPECIAL = /["'\\$`%!\u2018-\u201f\p{Cc}]/gu;

/** A text as it is written in a display filter, whatever it contains; a shell takes the whole filter as it is. */
export function quoted(text: string): string {
  const escaped = text.replace(SPECIAL, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${escaped}"`;
}

/** A filter that all of these must pass. */
export function all(...terms: readonly string[]): string {
  return terms.join(" and ");
}

/** A filter for messages by their numbers, in ascending order: `number in {3, 5 .. 8}`. */
export function numbered(numbers: readonly number[]): string {
  const [only] = numbers;
  if (numbers.length === 1) return `number == ${only}`;
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return `number in {${ranges.map(([from, to]) => (from === to ? String(from) : `${from} .. ${to}`)).join(", ")}}`;
}
