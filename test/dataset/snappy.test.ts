import { snappyUncompress } from "hyparquet/src/snappy.js";
import { describe, expect, it } from "vitest";
import { Snappy } from "../../src/cli/dataset/snappy.js";
import { Random } from "../support/random.js";

/** What a reader makes of compressed bytes. */
function uncompressed(compressed: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  if (length > 0) snappyUncompress(compressed, bytes);
  return bytes;
}

/** Bytes that repeat themselves more or less, at many distances. */
function bytesOf(random: Random, length: number): Uint8Array {
  const [kinds, repeated] = [1 + random.below(256), random.below(100)];
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const back = 1 + random.below(Math.min(at, 70_000) || 1);
    bytes[at] = at > 0 && random.below(100) < repeated ? (bytes[at - back] ?? 0) : random.below(kinds);
  }
  return bytes;
}

describe("Snappy", () => {
  it("makes what readers turn back into the same bytes", () => {
    const snappy = new Snappy();
    const random = new Random(1);
    for (let run = 0; run < 300; run++) {
      const length = run < 100 ? run : random.below(20_000);
      // Not at the beginning of their memory.
      const bytes = Buffer.concat([Buffer.of(1, 2, 3), bytesOf(random, length)]).subarray(3);
      expect(Buffer.compare(uncompressed(snappy.compress(bytes), length), bytes)).toBe(0);
    }
  });

  it.each([4, 11, 12, 60, 61, 64, 65, 67, 68, 69, 128, 129, 300, 70_000])("copies %i bytes", (length) => {
    const bytes = new Uint8Array(100 + 2 * length);
    for (let at = 0; at < 100 + length; at++) bytes[at] = Math.imul(at, 0x9e3779b1) >>> 24;
    bytes.copyWithin(100 + length, 100, 100 + length);
    const compressed = new Snappy().compress(bytes);
    expect(Buffer.compare(uncompressed(compressed, bytes.length), bytes)).toBe(0);
  });

  it("saves most of what repeats itself", () => {
    const bytes = new TextEncoder().encode(
      "And so I close, realizing that perhaps the ending has not yet. ".repeat(1000),
    );
    expect(new Snappy().compress(bytes).length).toBeLessThan(bytes.length / 15);
  });
});
