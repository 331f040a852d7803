/**
 * Most characters of a part of a path, most bytes in UTF-8 (with room for a number), and most parts: what every file
 * system can hold.
 */
const LONGEST_PART = 100;
const MOST_BYTES = 200;
const MOST_PARTS = 8;

/** Names that Windows takes for devices, whatever their ending, and with blanks before it. */
const DEVICES = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\..*)?$/i;

/**
 * A captured name as the parts of a path that stays below one folder on every system: no part leads up or elsewhere, is
 * hidden, or has a meaning of its own.
 */
export function safePath(name: string): string[] {
  const parts = name.split(/[/\\]+/).map(safePart);
  const meaningful = parts.filter((part) => part !== "");
  return meaningful.length === 0 ? ["unnamed"] : meaningful.slice(-MOST_PARTS);
}

function safePart(part: string): string {
  if (/^\.*$/.test(part)) return "";
  const known = part
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._()+'-]/gu, "_")
    .replace(/^[. ]+/, "_");
  const plain = beginning(known).replace(/[. ]+$/, "_");
  return DEVICES.test(plain) ? `_${plain}` : plain;
}

/** As much of a text as fits, in whole characters. */
function beginning(text: string): string {
  let [end, bytes] = [0, 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (end + character.length > LONGEST_PART || bytes > MOST_BYTES) break;
    end += character.length;
  }
  return text.slice(0, end);
}
