import { expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { Traffic } from "../../src/stats/index.js";
import { conversation, recognised } from "../support/made-captures.js";

it("packets after the end of a conversation are counted with it, unless 10,000 others have ended since", () => {
  const traffic = new Traffic(defaultLimits);
  const end = (stream: number) => {
    const packets = { c2s: 1, s2c: 1 };
    const ended = conversation(stream, { packets });
    const counted = traffic.opened(ended);
    counted.dissected(recognised(ended, "toy"));
    counted.closed();
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
  const [early, late] = [conversation(0), conversation(1, { payloadBytes: { c2s: 5, s2c: 0 } })];
  const [ofEarly, ofLate] = [traffic.opened(early), traffic.opened(late)];
  ofEarly.dissected(recognised(early, "toy"));
  for (const each of [ofLate, ofEarly]) each.closed();
  ofLate.dissected(recognised(late, "toy"));
  expect(traffic.sums()).toEqual([
    expect.objectContaining({ transport: "tcp", protocol: "toy", conversations: 2, bytes: 5 }),
  ]);
});
