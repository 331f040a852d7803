import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { encode } from "lz4-browser";
import { describe, expect, test } from "vitest";
import { unpacked } from "../../src/capture/compression/compression.js";
import { portableDecompressors } from "../../src/capture/compression/portable.js";
import { decompressorsOf } from "../../src/platform/node/decompressors.js";
import { collectGarbage } from "../support/garbage.js";
import { fleeting } from "../support/recording.js";

describe("a bomb", () => {
  const held = async (): Promise<number> => {
    for (let round = 0; round < 2; round++) {
      collectGarbage();
      // Another thread returns collected memory. Meanwhile nothing may pile up.
      await setTimeout(50);
    }
    return process.memoryUsage().arrayBuffers;
  };
  const LENGTH = 20 << 20;

  test.each([
    ["gzip", () => new Uint8Array(gzipSync(new Uint8Array(LENGTH)))],
    [
      "gzip in Node.js",
      () => new Uint8Array(gzipSync(new Uint8Array(LENGTH))),
      decompressorsOf(async () => () => fleeting([])),
    ],
    ["LZ4", () => new Uint8Array(encode(Buffer.alloc(LENGTH), { blockMaxSize: 4 << 20 }))],
  ])(
    "of %s is never held as a whole",
    async (_, pack, decompressors = portableDecompressors) => {
      const bomb = pack();
      const before = await held();
      let length = 0;
      let longest = 0;
      let most = 0;
      let pieces = 0;
      for await (const piece of unpacked(fleeting([bomb]), "bomb", decompressors)) {
        length += piece.length;
        longest = Math.max(longest, piece.length);
        if (pieces++ % 256 === 8) most = Math.max(most, (await held()) - before);
      }
      expect(length).toBe(LENGTH);
      expect(bomb.length).toBeLessThan(LENGTH / 100);
      expect(longest).toBeLessThanOrEqual(4 << 20);
      expect(most).toBeLessThan(12 << 20);
    },
    60_000,
  );
});
