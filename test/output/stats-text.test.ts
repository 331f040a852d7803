import { expect, it } from "vitest";
import type { Message, Status } from "../../src/dissect/message.js";
import { defaultLimits } from "../../src/limits.js";
import { palette } from "../../src/output/palette.js";
import { statsText } from "../../src/output/stats-text.js";
import { struct, u8 } from "../../src/schema/index.js";
import { Statistics, Traffic } from "../../src/stats/index.js";
import { decodeWhole } from "../support/check.js";
import { conversation } from "../support/made-captures.js";

const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
/** One byte is left over after it. */
const nodes = decodeWhole(struct("Word", { letter: u8 }), Uint8Array.of(1, 2));
const noPackets = { packets: 0, tcp: 0, udp: 0, cut: 0, others: new Map(), checksums: new Map(), limits: new Map() };

const rest = {
  number: 1,
  origin,
  frames: [1],
  conversation: conversation(0),
  direction: "c2s",
  protocol: "toy",
  offset: 0,
  notes: [],
} as const;
const stretch = (name: Message["name"], status: Status) => ({ ...rest, name, status, nodes: undefined });

it("every kind of trouble has a name, its count and its bytes", () => {
  const statistics = new Statistics(defaultLimits);
  const taken = [
    stretch("gap", "truncated"),
    stretch("skipped", "malformed"),
    stretch("encrypted", "encrypted"),
    ...(["truncated", "malformed", "unknown"] as const).map((status) => ({ ...rest, name: "Word", status, nodes })),
  ];
  for (const [index, message] of taken.entries()) statistics.take({ ...message, length: 10 + index });
  const report = {
    statistics,
    traffic: new Traffic(defaultLimits),
    packets: noPackets,
    isFiltered: false,
    isComplete: true,
  };
  const text = statsText(report, palette(false), Number.POSITIVE_INFINITY);
  expect(text.slice(text.indexOf("Trouble"))).toBe(
    [
      "Trouble",
      "what                           count  bytes",
      "gaps                               1     10",
      "stretches skipped                  1     11",
      "stretches not decrypted            1     12",
      "messages cut short                 1     13",
      "malformed messages                 1     14",
      "messages with unknown parts        1     15",
      "undissected parts of messages      3      3",
      "",
    ].join("\n"),
  );
});
