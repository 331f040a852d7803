/** Fewest bytes that are searched for: shorter sequences turn up by chance. */
export const SHORTEST = 4;

interface Pattern {
  /** As Latin-1, with ASCII letters in lower case. */
  readonly folded: string;
  readonly replacement: Uint8Array;
  /** Bytes per character if it is a number, which means something else as part of a longer one; otherwise 0. */
  readonly digitWidth: number;
  /** The longest other pattern that this one begins with, or an equal one that was added later. */
  shorter: Pattern | undefined;
}

/** Bytes between two offsets, with what each is compared as. */
interface Searched {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly fold: Uint8Array;
}

const IS_LETTER = (byte: number) => byte >= 0x41 && byte <= 0x5a;
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (IS_LETTER(byte) ? byte + 0x20 : byte));
/** The same for bytes with all bits inverted, as some protocols write text. */
const FOLDED_INVERSE = Uint8Array.from({ length: 256 }, (_, byte) => FOLDED[~byte & 0xff] ?? 0);

/** Finds known byte sequences, without regard to ASCII case, and replaces each with another of the same length. */
export class Replacements {
  /** By their width as numbers and their folded bytes. */
  readonly #patterns = new Map<string, Pattern>();
  /** The same by their first four bytes, each list in order; undefined until the patterns are complete. */
  #alike: ReadonlyMap<number, readonly Pattern[]> | undefined;
  /** Not zero for the first two bytes of a pattern: most places are ruled out by looking at only these. */
  readonly #beginnings = new Uint8Array(0x10000);

  /** Adds a sequence, unless it is too short. Of several that begin alike, the longest match counts; of equal ones, the first. */
  add(bytes: Uint8Array, replacement: Uint8Array, digitWidth = 0): void {
    if (bytes.length < SHORTEST || bytes.length !== replacement.length) return;
    const folded = Buffer.from(bytes.map((byte) => FOLDED[byte] ?? 0)).toString("latin1");
    const key = `${digitWidth} ${folded}`;
    if (this.#patterns.has(key)) return;
    this.#patterns.set(key, { folded, replacement, digitWidth, shorter: undefined });
    this.#alike = undefined;
    this.#beginnings[keyAt(bytes, 0, FOLDED) & 0xffff] = 1;
  }

  /** Replaces all occurrences between two offsets, and returns their number. */
  replace(bytes: Uint8Array, start: number, end: number): number {
    if (this.#patterns.size === 0) return 0;
    return (
      this.#run({ bytes, start, end, fold: FOLDED }, 0x00) +
      this.#run({ bytes, start, end, fold: FOLDED_INVERSE }, 0xff)
    );
  }

  /** True if any of the sequences occurs. */
  occursIn(bytes: Uint8Array): boolean {
    return this.replace(Uint8Array.from(bytes), 0, bytes.length) > 0;
  }

  #run(searched: Searched, invert: number): number {
    const { bytes, start, end, fold } = searched;
    const beginnings = this.#beginnings;
    this.#alike ??= alikeAmong(this.#patterns);
    let count = 0;
    for (let at = start; at + SHORTEST <= end; at++) {
      if (beginnings[(fold[bytes[at] ?? 0] ?? 0) | ((fold[bytes[at + 1] ?? 0] ?? 0) << 8)] === 0) continue;
      const alike = this.#alike.get(keyAt(bytes, at, fold));
      const pattern = alike === undefined ? undefined : longestAt(at, searched, alike);
      if (pattern === undefined) continue;
      for (const [index, byte] of pattern.replacement.entries()) bytes[at + index] = byte ^ invert;
      at += pattern.replacement.length - 1;
      count++;
    }
    return count;
  }
}

function keyAt(bytes: Uint8Array, at: number, fold: Uint8Array): number {
  const byte = (index: number) => fold[bytes[at + index] ?? 0] ?? 0;
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}

/** Sorts the patterns by their bytes, those with the same first four bytes by themselves; of equal ones, the first is last. */
function alikeAmong(patterns: ReadonlyMap<string, Pattern>): Map<number, Pattern[]> {
  const all = new Map<number, Pattern[]>();
  const sorted = [...patterns.values()].reverse().sort((a, b) => compared(a.folded, b.folded));
  for (const pattern of sorted) {
    const { folded } = pattern;
    const key = keyAt(Buffer.from(folded, "latin1"), 0, FOLDED);
    const alike = all.get(key) ?? [];
    // What a pattern begins with is either the one before it, or something that this one also begins with.
    let shorter = alike.at(-1);
    while (shorter !== undefined && !folded.startsWith(shorter.folded)) shorter = shorter.shorter;
    pattern.shorter = shorter;
    alike.push(pattern);
    all.set(key, alike);
  }
  return all;
}

function compared(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Finds the longest pattern at an offset, among sorted ones that begin with the four bytes there. */
function longestAt(at: number, searched: Searched, alike: readonly Pattern[]): Pattern | undefined {
  let before: Pattern | undefined;
  let shared = 0;
  for (let low = 0, high = alike.length; low < high; ) {
    const middle = (low + high) >>> 1;
    const pattern = alike[middle];
    if (pattern === undefined) break;
    const length = sharedLength(pattern, at, searched);
    if (isBefore(pattern, length, at, searched)) {
      before = pattern;
      shared = length;
      low = middle + 1;
    } else high = middle;
  }
  // As with `shorter`: any pattern found here is the last one before these bytes, or one that it begins with.
  let found = before;
  while (found !== undefined && (found.folded.length > shared || !isWhole(found, at, searched))) found = found.shorter;
  return found;
}

/** How many bytes at an offset are those that a pattern begins with. */
function sharedLength({ folded }: Pattern, at: number, { bytes, end, fold }: Searched): number {
  const most = Math.min(folded.length, end - at);
  let length = SHORTEST;
  while (length < most && fold[bytes[at + length] ?? 0] === folded.charCodeAt(length)) length++;
  return length;
}

/** True unless the bytes at an offset, which share some with a pattern, come before it in order. */
function isBefore({ folded }: Pattern, shared: number, at: number, { bytes, end, fold }: Searched): boolean {
  if (shared === folded.length) return true;
  return at + shared < end && folded.charCodeAt(shared) < (fold[bytes[at + shared] ?? 0] ?? 0);
}

/** False for a number within a longer one. */
function isWhole({ folded, digitWidth }: Pattern, at: number, { bytes, start, end, fold }: Searched): boolean {
  if (digitWidth === 0) return true;
  const isDigit = (place: number) => {
    const byte = place < start || place >= end ? 0 : (fold[bytes[place] ?? 0] ?? 0);
    return byte >= 0x30 && byte <= 0x39;
  };
  return !isDigit(at - digitWidth) && !isDigit(at + folded.length);
}
