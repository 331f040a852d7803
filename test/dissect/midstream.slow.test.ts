import { describe, expect, it } from "vitest";
import type { Opening } from "../../src/dissector/dissector.js";
import { dissectPackets, packetsOf } from "../support/sample-packets.js";
import { Talks } from "../support/talk.js";
import { toyDissector, words } from "../support/toy.js";

const BEGINNING_MISSING = "the beginning of the connection was not captured";
const KEY_MISSING = "where the key is agreed on, was not captured";
const keyOf = ({ name, bytes }: { readonly name: string; readonly bytes: string }) => `${name} ${bytes}`;

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("%s, captured from the middle", (capture) => {
  it.each([0.35, 0.42, 0.5, 0.58, 0.66, 0.75])(
    "starting at %d of its packets shows only real messages",
    async (part) => {
      const packets = await packetsOf(capture);
      const real = new Set((await dissectPackets(packets)).map(keyOf));
      const found = await dissectPackets(packets.slice(Math.floor(packets.length * part)));
      const whole = found.filter(({ bytes, status }) => bytes !== "" && status !== "truncated");
      expect(whole.length).toBeGreaterThan(20);
      expect(whole.filter((message) => !real.has(keyOf(message))).map(keyOf)).toEqual([]);
      expect(found.some(({ notes }) => notes.includes(BEGINNING_MISSING))).toBe(true);
    },
  );
});

describe("an encrypted session, captured from the middle", () => {
  it.each(["dirtsand-session.pcap", "nagus-session.pcap"])("is reported as unreadable: %s", async (capture) => {
    const packets = await packetsOf(capture);
    const found = await dissectPackets(packets.slice(Math.floor(packets.length * 0.45)));
    const unreadable = new Set(found.filter(({ notes }) => notes.includes(KEY_MISSING)).map(({ stream }) => stream));
    expect(unreadable.size).toBeGreaterThan(0);
    const others = found.filter(({ stream, name }) => unreadable.has(stream) && name !== "encrypted");
    expect(others).toEqual([]);
  });
});

it("a datagram that reveals which side is the client is shown at once, as the server's", () => {
  const recognise = ({ server }: Opening) => (server.port === 1000 ? "yes" : "no");
  const said = [
    ["s", words("one")],
    ["c", words("two")],
    ["s", words("three")],
  ] as const;
  const messages = new Talks([toyDissector({ recognise })]).udp(["192.0.2.1", 50_000], ["192.0.2.2", 1000], said).end();
  expect(messages.map(({ direction, length, frames }) => `#${frames} ${direction} ${length}`)).toEqual([
    "#1 s2c 4",
    "#2 c2s 4",
    "#3 s2c 6",
  ]);
});
