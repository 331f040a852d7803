/** Most characters of a part of a path, and most parts: what every file system can hold. */
const LONGEST_PART = 100;
const MOST_PARTS = 8;

/** Names that Windows takes for devices, whatever their ending. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

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
  const plain = part
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._()+'-]/gu, "_")
    .replace(/^[. ]+/, "_")
    .slice(0, LONGEST_PART)
    .replace(/[. ]+$/, "_");
  return DEVICES.test(plain) ? `_${plain}` : plain;
}
