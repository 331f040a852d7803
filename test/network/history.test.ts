import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "../../src/network/history.js";
import { RecentBytes } from "../../src/network/recent-bytes.js";

/** What one direction has added, and what another one. */
interface Added {
  readonly own: boolean;
  readonly bytes: Uint8Array;
}

test("the last bytes of a direction are compared, whatever others have put between them", () => {
  const added = fc.record({ own: fc.boolean(), bytes: fc.uint8Array({ minLength: 1, maxLength: 30 }) });
  const first = fc.constantFrom(0, 0x7fff_fff8, 0xffff_fff8);
  const rings = fc.constantFrom(8, 64, 512);
  const adding = fc.array(added, { maxLength: 30 });
  fc.assert(
    fc.property(adding, first, fc.nat(100), fc.nat(40), rings, (adds, start, at, length, ring) => {
      const recent = new RecentBytes(ring);
      const history = new History(recent, 16);
      const other = new History(recent, 16);
      const stream: number[] = [];
      // When each byte of the stream was put into the ring.
      const times: number[] = [];
      let time = 0;
      for (const { own, bytes } of adds satisfies readonly Added[]) {
        (own ? history : other).add((start + (own ? stream.length : 0)) | 0, bytes);
        if (own) stream.push(...bytes);
        for (let index = 0; index < bytes.length; index++, time++) if (own) times.push(time);
      }
      const again = Uint8Array.from({ length }, (_, index) => (stream[at + index] ?? 0) ^ (index % 3 === 0 ? 1 : 0));
      const there = [...again.keys()].filter((index) => (times[at + index] ?? -1) >= Math.max(0, time - ring));
      // Of more stretches than are remembered the first ones may be forgotten, so less may be found, but never more.
      const expected = there.filter((index) => index % 3 === 0).length;
      const found = history.differing((start + at) | 0, again);
      if (adds.length <= 16) expect(found).toBe(expected);
      else expect(found).toBeLessThanOrEqual(expected);
    }),
    { numRuns: 3000, seed: 1 },
  );
});
