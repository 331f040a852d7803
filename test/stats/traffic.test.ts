import { expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { Traffic } from "../../src/stats/index.js";
import { conversation } from "../support/made-captures.js";

it("packets after the end of a conversation are counted with it, unless 10,000 others have ended since", () => {
  const traffic = new Traffic(defaultLimits);
  const end = (stream: number) => {
    const packets = { c2s: 1, s2c: 1 };
    const ended = conversation(stream, { packets });
    traffic.opened(ended);
    traffic.spoken(ended, "toy");
    traffic.closed(ended);
    return packets;
  };
  const early = Array.from({ length: 10_000 }, (_, stream) => end(stream));
  const late = (number: number, count: number) => {
    const packets = early[number];
    if (packets !== undefined) packets.c2s += count;
  };
  late(0, 1);
  const last = [10_000, 10_001, 10_002].map(end);
  for (const packets of last) packets.s2c += 10;
  for (const forgotten of [0, 1, 2]) late(forgotten, 100);
  late(3, 1000);
  for (let time = 0; time < 2; time++) {
    expect(traffic.sums().map(({ packets }) => packets)).toEqual([2 * 10_003 + 1 + 3 * 10 + 1000]);
  }
});

it("the protocol of a conversation may become known after its end", () => {
  const traffic = new Traffic(defaultLimits);
  const [early, late] = [conversation(0), conversation(1)];
  for (const each of [early, late]) traffic.opened(each);
  traffic.bytes(late, "c2s", new Uint8Array(5));
  traffic.spoken(early, "toy");
  for (const each of [late, early]) traffic.closed(each);
  traffic.spoken(late, "toy");
  expect(traffic.sums()).toEqual([
    expect.objectContaining({ transport: "tcp", protocol: "toy", conversations: 2, bytes: 5 }),
  ]);
});
