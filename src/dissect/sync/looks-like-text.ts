/** The most bytes of a message that are examined, and the fewest it must have: most have a number among them. */
const LOOKED_AT = 32;
const LEAST = 8;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
/** Above the letters of European and Near Eastern scripts, and punctuation. */
const ABOVE_LETTERS = 0x2100;

/**
 * True if the bytes from `start` on can be the middle of a text in UTF-16. In a long text, any message would make sense
 * that begins with a number equal to a blank, for instance, and continues with texts.
 */
export function looksLikeText(view: DataView, start: number, end: number): boolean {
  if (end - start < LEAST) return false;
  const stop = Math.min(end, start + LOOKED_AT) - 1;
  for (let at = start; at < stop; at += 2) {
    const unit = view.getUint16(at, true);
    const isSpace = unit === TAB || unit === LINE_FEED || unit === CARRIAGE_RETURN;
    if (!isLetterUnit(unit) && !isSpace) return false;
  }
  return true;
}

/** True if a unit of UTF-16 can be a letter of a text, a blank included. */
export function isLetterUnit(unit: number): boolean {
  return unit >= BLANK && unit < ABOVE_LETTERS;
}
