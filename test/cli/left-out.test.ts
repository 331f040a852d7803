import { expect, it } from "vitest";
import { LeftOut } from "../../src/cli/remarks/left-out.js";
import { NamedStreams } from "../../src/cli/remarks/named-streams.js";
import { conversation } from "../support/made-captures.js";

it("names the omitted conversations with the lowest numbers, in whatever order they end", () => {
  const leftOut = new LeftOut();
  const { bytes, closed } = leftOut.network;
  const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
  // Of this one there is nothing to leave out.
  const empty = conversation(14);
  bytes(empty, "c2s", new Uint8Array(0), origin);
  closed(empty, "fin");
  for (const stream of [9, 3, 11, 1, 13, 5, 12, 2, 8, 4, 10, 6, 7, 0]) {
    const ended = conversation(stream);
    bytes(ended, "c2s", new Uint8Array(2), origin);
    closed(ended, "fin");
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
