import fc from "fast-check";
import { expect, it } from "vitest";
import { markAnswer } from "../../src/dissector/answers.js";
import { Decoder, Extent, struct, u8 } from "../../src/schema/index.js";
import { windowOn } from "../schema/support/decoding.js";
import { expectSame } from "../support/same.js";

const Reply = struct("Reply", { id: u8 });

/** What the summary and the field say of an answer that came so many nanoseconds after its request. */
function said(nanoseconds: number): (string | undefined)[] {
  const decoder = new Decoder();
  decoder.decode(Reply, windowOn(Uint8Array.of(1)), Extent.Exact);
  const request = { name: "Request", number: 7, seconds: 0, nanoseconds: 0 };
  markAnswer(decoder.nodes, request, { ...request, name: "Reply", nanoseconds }, { leaf: 1 });
  return [decoder.nodes.annotation(0), decoder.nodes.annotation(1)];
}

it("says how long it took: in two digits at a glance, with three decimal places at its field", () => {
  expect(said(0)).toEqual(["#7, 0 ms", "answers #7 Request after 0.000 ms"]);
  expect(said(12_345_678)).toEqual(["#7, 12 ms", "answers #7 Request after 12.346 ms"]);
  expect(said(9_960_000)).toEqual(["#7, 10 ms", "answers #7 Request after 9.960 ms"]);
  expect(said(950)).toEqual(["#7, 0.00095 ms", "answers #7 Request after 0.001 ms"]);
  expect(said(-1)).toEqual(["#7", "answers #7 Request"]);
});

it("has the two digits that JavaScript gives it", () => {
  const times = fc.oneof(fc.nat(10), fc.nat(10_000), fc.nat(9_999_999));
  fc.assert(
    fc.property(times, (nanoseconds) => {
      const milliseconds = nanoseconds / 1e6;
      expectSame(said(nanoseconds)[0] ?? "", `#7, ${Number(milliseconds.toPrecision(2))} ms`);
    }),
    { numRuns: 2000 },
  );
});
