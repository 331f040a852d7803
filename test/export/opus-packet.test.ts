import { describe, expect, it } from "vitest";
import { isOpusPacket, lostOpus, opusSamples } from "../../src/export/opus-packet.js";

const zeros = (count: number) => Array<number>(count).fill(0);

/** By what RFC 6716, section 3.4, requires. 0xf8: one frame of 20 ms. */
const PACKETS: readonly { readonly what: string; readonly bytes: readonly number[]; readonly isOne: boolean }[] = [
  { what: "nothing", bytes: [], isOne: false },
  { what: "a frame", bytes: [0xf8, 1, 2, 3], isOne: true },
  { what: "a frame without bytes", bytes: [0xf8], isOne: true },
  { what: "the longest frame", bytes: [0xf8, ...zeros(1275)], isOne: true },
  { what: "a frame that is too long", bytes: [0xf8, ...zeros(1276)], isOne: false },
  { what: "two frames of one length", bytes: [0xf9, 1, 2], isOne: true },
  { what: "two frames of one length that is odd", bytes: [0xf9, 1, 2, 3], isOne: false },
  { what: "two frames that are too long", bytes: [0xf9, ...zeros(2 * 1276)], isOne: false },
  { what: "two frames of any length", bytes: [0xfa, 1, 1, 2, 3], isOne: true },
  { what: "two frames without a length", bytes: [0xfa], isOne: false },
  { what: "two frames of which the first is longer than the packet", bytes: [0xfa, 3, 1, 2], isOne: false },
  { what: "two frames with a length of two bytes", bytes: [0xfa, 253, 1, ...zeros(258)], isOne: true },
  { what: "two frames with half of a length", bytes: [0xfa, 252], isOne: false },
  { what: "two frames of which the second is too long", bytes: [0xfa, 0, ...zeros(1276)], isOne: false },
  { what: "no count", bytes: [0xfb], isOne: false },
  { what: "a count of 0", bytes: [0xfb, 0], isOne: false },
  { what: "three frames of one length", bytes: [0xfb, 3, 1, 2, 3, 4, 5, 6], isOne: true },
  { what: "three frames of no such length", bytes: [0xfb, 3, 1, 2, 3, 4], isOne: false },
  { what: "seven frames of 20 ms", bytes: [0xfb, 7], isOne: false },
  { what: "three frames of any length", bytes: [0xfb, 0x83, 1, 2, 1, 2, 3, 4], isOne: true },
  { what: "three frames of which the second is too long", bytes: [0xfb, 0x83, 1, 3, 1, 2, 3], isOne: false },
  { what: "padding", bytes: [0xfb, 0x43, 2, 1, 2, 3, 0, 0], isOne: true },
  { what: "padding that is longer than the packet", bytes: [0xfb, 0x43, 3, 1, 2], isOne: false },
  { what: "much padding", bytes: [0xfb, 0x43, 255, 1, 1, 2, 3, ...zeros(255)], isOne: true },
  { what: "padding without a length", bytes: [0xfb, 0x41, 255], isOne: false },
];

describe("a packet of Opus", () => {
  it.each(PACKETS)("is found out by its lengths: $what", ({ bytes, isOne }) => {
    expect(isOpusPacket(Uint8Array.from(bytes))).toBe(isOne);
  });

  it("that is damaged is as long as one that is lost", () => {
    const damaged = PACKETS.map(({ bytes }) => Uint8Array.from(bytes)).filter((packet) => !isOpusPacket(packet));
    const long = damaged.filter((packet) => opusSamples(packet) > 0);
    expect(long.length).toBeGreaterThan(5);
    for (const packet of long) {
      expect(isOpusPacket(lostOpus(packet))).toBe(true);
      expect(opusSamples(lostOpus(packet))).toBe(opusSamples(packet));
    }
  });
});
