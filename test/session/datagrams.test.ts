import { describe, expect, it } from "vitest";
import type { Opening } from "../../src/dissector/dissector.js";
import { captured, dissected, ends } from "../limits/scenario.js";
import { udpPacket } from "../support/packets.js";
import { toyDissector, words } from "../support/toy.js";

/** Recognises a conversation by a word in one of its datagrams. */
function tellsBy(word: string) {
  const recognise = ({ c2s }: Opening) => (Buffer.from(c2s).includes(word) ? "yes" : "more");
  return toyDissector({ recognise });
}

const observe = (said: readonly string[], limits = {}) =>
  dissected(captured(said.map((word) => udpPacket(ends(), words(word)))), limits, { dissectors: [tellsBy("that")] });

describe("datagrams before the one that shows the protocol", () => {
  it("are then dissected in order", async () => {
    const { lines, notes } = await observe(["one", "two", "that", "three"]);
    expect({ lines, notes }).toEqual({
      lines: ["one", "two", "that", "three"].map((word) => `0 c2s ${word}`),
      notes: [],
    });
  });

  it("are decrypted if the cipher is set when the conversation is opened", async () => {
    let at = 0;
    // Each byte of the key stream is one greater than the previous one.
    const cipher = {
      apply: (bytes: Uint8Array, start = 0, end = bytes.length) => {
        for (let index = start; index < end; index++) bytes[index] = (bytes[index] ?? 0) ^ (at++ & 0xff);
      },
      advance: () => {},
    };
    const encrypt = (offset: number, text: string) =>
      words(text).map((byte, index) => byte ^ ((offset + index) & 0xff));
    const recognise = ({ c2s }: Opening) => (c2s.length > 8 ? "yes" : "more");
    const dissectors = [toyDissector({ recognise, open: (handle) => handle.decrypt("c2s", cipher) })];
    const said = [encrypt(0, "one"), encrypt(4, "two"), encrypt(8, "long enough")];
    const packets = said.map((bytes) => udpPacket(ends(), bytes));
    const { lines } = await dissected(captured(packets), {}, { dissectors });
    expect(lines).toEqual(["0 c2s one", "0 c2s two", "0 c2s long enough"]);
  });

  it("are given up if there are too many, the oldest first, which is reported", async () => {
    const said = ["one", "two", "three", "that", "four"];
    const { lines, notes, reached } = await observe(said, { openingBytes: 800 });
    expect({ lines, notes, reached }).toEqual({
      lines: ["0 c2s two", "0 c2s three", "0 c2s that", "0 c2s four"],
      notes: ["not dissected before it: 1 datagram; no more were kept until one showed the protocol"],
      reached: { openingBytes: 1 },
    });
    expect((await observe(said.slice(0, 3), { openingBytes: 800 })).reached).toEqual({});
  });

  it("produce nothing for a conversation that remains unknown", async () => {
    expect((await observe(["one", "two"])).lines).toEqual([]);
  });
});

describe("datagrams without content", () => {
  it("are not counted among the frames of the next message", async () => {
    const packets = [words("one"), new Uint8Array(0), new Uint8Array(0), words("two"), words("three")];
    const { messages } = await dissected(captured(packets.map((bytes) => udpPacket(ends(), bytes))), {});
    expect(messages.map(({ frames }) => frames)).toEqual([[1], [4], [5]]);
  });
});
