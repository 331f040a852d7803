/** Fewest bytes that are searched for: shorter sequences turn up by chance. */
export const SHORTEST = 4;

interface Pattern {
  /** With ASCII letters in lower case. */
  readonly folded: Uint8Array;
  readonly replacement: Uint8Array;
  /** Bytes per character if it is a number, which means something else as part of a longer one; otherwise 0. */
  readonly digitWidth: number;
}

const IS_LETTER = (byte: number) => byte >= 0x41 && byte <= 0x5a;
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (IS_LETTER(byte) ? byte + 0x20 : byte));
/** The same for bytes with all bits inverted, as some protocols write text. */
const FOLDED_INVERSE = Uint8Array.from({ length: 256 }, (_, byte) => FOLDED[~byte & 0xff] ?? 0);

/** Finds known byte sequences, without regard to ASCII case, and replaces each with another of the same length. */
export class Replacements {
  /** By the first four bytes. */
  readonly #patterns = new Map<number, Pattern[]>();
  /** Not zero for the first two bytes of a pattern: most places are ruled out by looking at only these. */
  readonly #beginnings = new Uint8Array(0x10000);

  /** Adds a sequence, unless it is too short. Of several that begin alike, the longest match is replaced. */
  add(bytes: Uint8Array, replacement: Uint8Array, digitWidth = 0): void {
    if (bytes.length < SHORTEST || bytes.length !== replacement.length) return;
    const folded = bytes.map((byte) => FOLDED[byte] ?? 0);
    const key = keyAt(folded, 0, FOLDED);
    const known = this.#patterns.get(key) ?? [];
    if (known.some((other) => Buffer.compare(other.folded, folded) === 0)) return;
    known.push({ folded, replacement, digitWidth });
    known.sort((a, b) => b.folded.length - a.folded.length);
    this.#patterns.set(key, known);
    this.#beginnings[key & 0xffff] = 1;
  }

  /** Replaces all occurrences between two offsets, and returns their number. */
  replace(bytes: Uint8Array, start: number, end: number): number {
    return this.#run(bytes, start, end, FOLDED, 0x00) + this.#run(bytes, start, end, FOLDED_INVERSE, 0xff);
  }

  /** True if any of the sequences occurs. */
  occursIn(bytes: Uint8Array): boolean {
    return this.replace(Uint8Array.from(bytes), 0, bytes.length) > 0;
  }

  #run(bytes: Uint8Array, start: number, end: number, fold: Uint8Array, invert: number): number {
    if (this.#patterns.size === 0) return 0;
    const beginnings = this.#beginnings;
    let count = 0;
    for (let at = start; at + SHORTEST <= end; at++) {
      if (beginnings[(fold[bytes[at] ?? 0] ?? 0) | ((fold[bytes[at + 1] ?? 0] ?? 0) << 8)] === 0) continue;
      const pattern = this.#patterns
        .get(keyAt(bytes, at, fold))
        ?.find((candidate) => matches(candidate, bytes, at, start, end, fold));
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

function matches(
  { folded, digitWidth }: Pattern,
  bytes: Uint8Array,
  at: number,
  start: number,
  end: number,
  fold: Uint8Array,
): boolean {
  if (at + folded.length > end) return false;
  for (let index = SHORTEST; index < folded.length; index++) {
    if (fold[bytes[at + index] ?? 0] !== folded[index]) return false;
  }
  if (digitWidth === 0) return true;
  const isDigit = (place: number) => {
    const byte = place < start || place >= end ? 0 : (fold[bytes[place] ?? 0] ?? 0);
    return byte >= 0x30 && byte <= 0x39;
  };
  return !isDigit(at - digitWidth) && !isDigit(at + folded.length);
}
