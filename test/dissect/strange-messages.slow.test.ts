import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { dissectPackets, type Found, packetsOf } from "../support/sample-packets.js";

const keyOf = ({ stream, offset, name, bytes }: Found) => `${stream} ${offset} ${name} ${bytes}`;

/** Messages that begin with their type and do not give their length. */
const WITHOUT_LENGTH = /^(Cli2(Auth|Game)|(Auth|Game)2Cli)_/;
/** One in this many is tried, to save time. */
const STEP = 8;

/** The place of bytes in the packets, if there is only one. */
function placeOf(packets: readonly Packet[], bytes: Buffer): { index: number; at: number } | undefined {
  const places = packets.flatMap(({ data }, index) => {
    const at = Buffer.from(data).indexOf(bytes);
    return at < 0 ? [] : [{ index, at }];
  });
  return places.length === 1 ? places[0] : undefined;
}

const CHANGES = {
  "is of an unknown type": (data: Uint8Array, at: number) => void data.set([0xff, 0x7f], at),
  "has nonsense after its type": (data: Uint8Array, at: number, length: number) =>
    void data.fill(0xff, at + 4, at + length),
};

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("%s", (capture) => {
  it.each(Object.entries(CHANGES))("is found again after a message that %s", async (_what, change) => {
    const packets = await packetsOf(capture);
    const whole = await dissectPackets(packets);
    const real = new Set(whole.map(keyOf));
    const invented: string[] = [];
    const behind = { there: 0, found: 0 };
    const candidates = whole.filter(({ name, bytes }) => WITHOUT_LENGTH.test(name) && bytes.length >= 20);
    for (const message of candidates.filter((_, index) => index % STEP === 0)) {
      const bytes = Buffer.from(message.bytes, "hex");
      const place = placeOf(packets, bytes);
      if (place === undefined) continue;
      const found = await dissectPackets(
        packets.map((packet, index) => {
          if (index !== place.index) return packet;
          const data = packet.data.slice();
          change(data, place.at, bytes.length);
          return { ...packet, data };
        }),
      );

      const isTheSame = ({ stream, offset }: Found) => stream === message.stream && offset === message.offset;
      const made = found.filter((one) => one.bytes !== "" && one.status !== "truncated" && !real.has(keyOf(one)));
      invented.push(...made.filter((one) => !isTheSame(one)).map(keyOf));
      const have = new Set(found.map(keyOf));
      const later = whole.filter(({ stream, offset }) => stream === message.stream && offset > message.offset);
      behind.there += later.length;
      behind.found += later.filter((one) => have.has(keyOf(one))).length;
    }
    expect(invented).toEqual([]);
    expect(behind.there).toBeGreaterThan(500);
    // Only what the message takes with it is lost: the rest of its packet, or as many bytes as its nonsense claims.
    expect(behind.found / behind.there).toBeGreaterThan(0.8);
  });
});
