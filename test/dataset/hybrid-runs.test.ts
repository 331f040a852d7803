import fc from "fast-check";
import { ByteWriter } from "hyparquet-writer";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { expect, test } from "vitest";
import { HybridRuns } from "../../src/cli/dataset/hybrid-runs.js";

/** Values of some width, many of which are repeated. */
const written = fc.integer({ min: 0, max: 24 }).chain((width) => {
  const value = fc.oneof(fc.integer({ min: 0, max: 2 ** width - 1 }), fc.constant(2 ** width - 1), fc.constant(0));
  const run = fc.tuple(value, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 }), fc.constant(3000)));
  return fc.record({ width: fc.constant(width), runs: fc.array(run, { maxLength: 60 }) });
});

test("runs are written as the library writes them", () => {
  const own = new HybridRuns();
  fc.assert(
    fc.property(written, ({ width, runs }) => {
      const values = runs.flatMap(([value, count]) => Array<number>(count).fill(value));
      const numbers = width <= 8 ? Uint8Array.from(values) : Int32Array.from(values);
      const theirs = new ByteWriter();
      writeRleBitPackedHybrid(theirs, numbers, width);
      own.clear();
      own.byte(7);
      own.write(numbers, width);
      expect(own.length).toBe(own.bytes.length);
      expect(Buffer.from(own.bytes).equals(Buffer.from([7, ...theirs.getBytes()]))).toBe(true);
    }),
    { numRuns: 400, seed: 3 },
  );
});
