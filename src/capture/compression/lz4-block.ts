/** A length of at least this continues in further bytes, of which all but the last are 255 (LZ4 Block Format). */
const CONTINUED = 15;
const OFFSET_LENGTH = 2;
const SHORTEST_COPY = 4;

/**
 * True if what the sequences of a compressed block claim to become is at most `most` bytes long. The package that
 * decompresses it would go on where its output is full, for up to 255 bytes per byte of a length.
 */
export function isAtMost(block: Uint8Array, most: number): boolean {
  let claimed = 0;
  for (let at = 0; at < block.length && claimed <= most; ) {
    const token = block[at++] ?? 0;
    const literals = readLength(block, at, token >>> 4);
    at += continuationOf(literals) + literals;
    claimed += literals;
    // The last sequence consists of literals alone.
    if (at >= block.length) break;
    at += OFFSET_LENGTH;
    const copied = readLength(block, at, token & 0xf);
    at += continuationOf(copied);
    claimed += copied + SHORTEST_COPY;
  }
  return claimed <= most;
}

/**
 * Returns the block with the history put first, as further literals of its first sequence. The package decompresses
 * each block on its own and looks for what a block refers to in that block's output.
 */
export function withHistory(block: Uint8Array, history: Uint8Array): Buffer {
  const token = block[0] ?? 0;
  const literals = readLength(block, 1, token >>> 4);
  const all = literals + history.length;
  const more = new Uint8Array(continuationOf(all)).fill(255);
  if (more.length > 0) more[more.length - 1] = (all - CONTINUED) % 255;
  const first = Uint8Array.of((Math.min(all, CONTINUED) << 4) | (token & 0xf));
  return Buffer.concat([first, more, history, block.subarray(1 + continuationOf(literals))]);
}

/** The length that begins with four bits of a token and may continue at an offset. */
function readLength(block: Uint8Array, start: number, bits: number): number {
  let length = bits;
  for (let at = start, next = bits === CONTINUED ? 255 : 0; next === 255 && at < block.length; at++) {
    next = block[at] ?? 0;
    length += next;
  }
  return length;
}

/** How many bytes a length continues in. */
function continuationOf(length: number): number {
  return length < CONTINUED ? 0 : Math.floor((length - CONTINUED) / 255) + 1;
}
