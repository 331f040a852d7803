import { expect, it } from "vitest";
import { LeftOut } from "../../src/remarks/left-out.js";
import { NamedStreams } from "../../src/remarks/named-streams.js";
import { conversation } from "../support/made-captures.js";

it("names the omitted conversations with the lowest numbers, in whatever order they end", () => {
  const leftOut = new LeftOut();
  // Of this one there is nothing to leave out.
  leftOut.opened(conversation(14)).closed("fin");
  for (const stream of [9, 3, 11, 1, 13, 5, 12, 2, 8, 4, 10, 6, 7, 0]) {
    leftOut.opened(conversation(stream, { payloadBytes: { c2s: 2, s2c: 0 } })).closed("fin");
  }
  expect(leftOut.remarks({ others: new Map() })).toEqual([
    "14 conversations (streams 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more: 28 bytes) are left out: their protocols are not recognised",
  ]);
});

it("names some conversations, the lowest numbers first, and counts the others", () => {
  const streams = new NamedStreams();
  streams.add(9);
  expect(streams.text).toBe("stream 9");
  for (const stream of [3, 11, 1, 13, 5, 12, 2, 8, 4, 10, 6, 7, 0]) streams.add(stream);
  expect(streams.text).toBe("streams 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more");
  expect(streams.count).toBe(14);
});
