/** Printable ASCII, each character of which takes one column. */
const PLAIN = /^[ -~]*$/;
/** Marks that share the column of the character before them; a variation selector may make that one wide. */
const COMBINING = /(?!\ufe0f)[\p{Mn}\p{Me}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
/** What stands for the part of a text that was cut off. */
const ELLIPSIS = "…";

/**
 * First and last characters of the blocks whose characters take two columns. Source: Unicode Standard Annex 11 (East
 * Asian Width), W and F; emoji have a property of their own.
 */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** A text, and the number of terminal columns that it takes. */
export interface Measured {
  readonly text: string;
  readonly width: number;
}

/**
 * Number of columns that a terminal shows a text in; rather too many, where terminals differ.
 *
 * @param text safe for a terminal, without colours
 */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** The beginning of a text that fits into a number of columns, with an ellipsis if anything was cut off. */
export function cutEnd(text: string, columns: number): Measured {
  const whole = fitting(text, columns);
  if (whole !== undefined) return whole;
  let width = 0;
  let end = 0;
  for (const character of text) {
    const next = width + widthOfCharacter(character);
    // One column is for the ellipsis.
    if (next >= columns) break;
    width = next;
    end += character.length;
  }
  return columns < 1 ? { text: "", width: 0 } : { text: text.slice(0, end) + ELLIPSIS, width: width + 1 };
}

/** The same for the end of a text. */
export function cutStart(text: string, columns: number): Measured {
  const whole = fitting(text, columns);
  if (whole !== undefined) return whole;
  const characters = [...text];
  let width = 0;
  let start = characters.length;
  while (start > 0) {
    const next = width + widthOfCharacter(characters[start - 1] ?? "");
    if (next >= columns) break;
    width = next;
    start--;
  }
  return columns < 1 ? { text: "", width: 0 } : { text: ELLIPSIS + characters.slice(start).join(""), width: width + 1 };
}

function fitting(text: string, columns: number): Measured | undefined {
  if (text.length > columns && PLAIN.test(text)) return undefined;
  const width = widthOf(text);
  return width <= columns ? { text, width } : undefined;
}

function widthOfCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (COMBINING.test(character)) return 0;
  return isWide(code) || EMOJI.test(character) ? 2 : 1;
}

function isWide(code: number): boolean {
  return code >= 0x1100 && WIDE.some(([first, last]) => code >= first && code <= last);
}
