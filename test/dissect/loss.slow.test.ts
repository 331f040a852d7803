import { beforeAll, describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { Random } from "../support/random.js";
import { dissectPackets, type Found, packetsOf } from "../support/sample-packets.js";

const SESSIONS = [
  ["dirtsand-session.pcap", "keys/dirtsand/dirtsand.ini"],
  ["nagus-session.pcap", "keys/nagus/nagus_config.ini"],
] as const;

const keyOf = ({ stream, offset, name, bytes }: Found) => `${stream} ${offset} ${name} ${bytes}`;

describe.each(SESSIONS)("%s", (capture, keys) => {
  let packets: readonly Packet[] = [];
  let whole: readonly Found[] = [];
  beforeAll(async () => {
    packets = await packetsOf(capture);
    whole = await dissectPackets(packets, keys);
  });

  describe.each(DISTURBANCES)("with packets that are %s", (_what, disturb, loses) => {
    it.each(Array.from({ length: 5 }, (_, seed) => seed + 1))(
      "(seed %i) loses only the messages next to a loss",
      async (seed) => {
        const found = await dissectPackets(disturb(packets, new Random(seed)), keys);

        const gaps = found.filter(({ name }) => name === "gap");
        const have = new Set(found.map(keyOf));
        const missing = whole.filter((message) => {
          const { stream, offset, end } = message;
          const beside = gaps.some((gap) => gap.stream === stream && gap.offset <= end && gap.end >= offset);
          return !beside && !have.has(keyOf(message));
        });
        expect(missing.map(keyOf)).toEqual([]);

        // Nothing is invented: every whole message existed, and the first message after a gap says that it was searched
        // for.
        const real = new Set(whole.map(keyOf));
        const invented = found.filter(
          (message) => message.bytes !== "" && message.status !== "truncated" && !real.has(keyOf(message)),
        );
        expect(invented.map(keyOf)).toEqual([]);
        expect(gaps.length > 0).toBe(loses);
        expect(found.some(({ notes }) => notes.includes("found after a gap"))).toBe(loses);
      },
    );
  });
});
