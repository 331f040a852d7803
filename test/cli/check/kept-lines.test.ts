import { expect, it } from "vitest";
import { EXPECTATION_SCHEMA } from "../../../src/check/index.js";
import { KeptLines } from "../../../src/cli/check/kept-lines.js";
import { heldHeap } from "../../support/garbage.js";

/** A message with many fields, as a line. */
function textOf(stream: number): string {
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field${at}`, `D'ni \u{1f300} ${at}`]));
  const message = { protocol: "moul.auth", message: "Cli2Auth_PingRequest", status: "ok", fields, notes: [] };
  return JSON.stringify({ schema: EXPECTATION_SCHEMA, stream, direction: "c2s", ...message });
}

it("lines to be written are as they were, in order, and take nearly none of the heap", () => {
  const kept = new KeptLines();
  const before = heldHeap();
  for (let number = 1; number <= 2000; number++) kept.keep(number, textOf(number));
  expect(heldHeap() - before).toBeLessThan(2_000_000);
  expect(kept.get(7)).toMatchObject({ stream: 7, fields: { field199: "D'ni \u{1f300} 199" } });
  expect(kept.get(2001)).toBeUndefined();
  const streams = Array.from(kept.all(), ({ stream }) => stream);
  expect(streams).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1));
});
