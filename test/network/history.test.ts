import fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "../../src/network/tcp/stream/history.js";
import { RecentBytes } from "../../src/network/tcp/stream/recent-bytes.js";
import { expectSame } from "../support/same.js";

/** Number of stretches that are compared. */
const MOST = 16;

/** What one direction added, and what another one added. */
interface Added {
  readonly own: boolean;
  readonly bytes: Uint8Array;
}

test("the last bytes of a direction are compared, whatever other directions have added in between", () => {
  const added = fc.record({ own: fc.boolean(), bytes: fc.uint8Array({ minLength: 1, maxLength: 30 }) });
  const first = fc.constantFrom(0, 0x7fff_fff8, 0xffff_fff8);
  const rings = fc.constantFrom(8, 64, 512);
  const adding = fc.array(added, { maxLength: MOST });
  fc.assert(
    fc.property(adding, first, fc.nat(100), fc.nat(40), rings, (adds, start, at, length, ring) => {
      const recent = new RecentBytes(ring);
      const history = new History(recent, MOST);
      const other = new History(recent, MOST);
      const stream: number[] = [];
      // The times at which each byte of the stream was put into the ring.
      const times: number[] = [];
      let time = 0;
      for (const { own, bytes } of adds satisfies readonly Added[]) {
        (own ? history : other).add((start + (own ? stream.length : 0)) | 0, bytes);
        if (own) stream.push(...bytes);
        for (let index = 0; index < bytes.length; index++, time++) if (own) times.push(time);
      }
      const again = Uint8Array.from({ length }, (_, index) => (stream[at + index] ?? 0) ^ (index % 3 === 0 ? 1 : 0));
      const there = [...again.keys()].filter((index) => (times[at + index] ?? -1) >= Math.max(0, time - ring));
      const expected = there.filter((index) => index % 3 === 0).length;
      expectSame(history.differing((start + at) | 0, again), expected);
    }),
    { numRuns: 3000, seed: 1 },
  );
});

test("if there are too many stretches, the last ones are compared", () => {
  const recent = new RecentBytes(1024);
  const history = new History(recent, MOST);
  const other = new History(recent, MOST);
  for (let sequence = 0; sequence <= MOST; sequence++) {
    history.add(sequence, Uint8Array.of(0));
    other.add(sequence, Uint8Array.of(0));
  }
  const found = Array.from({ length: MOST + 1 }, (_, sequence) => history.differing(sequence, Uint8Array.of(1)));
  expect(found).toEqual([0, ...Array.from({ length: MOST }, () => 1)]);
});
