import { describe, expect, it } from "vitest";
import type { Direction } from "../../src/network/conversation.js";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { Random } from "../support/random.js";

/** After a loss, the contents of messages are not taken for messages, whatever they look like. */

const MESSAGES = 15;

function chunks(contents: (random: Random, length: number) => Uint8Array): MoulTalk {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  const random = new Random(7);
  for (let transactionId = 1; transactionId <= MESSAGES; transactionId++) {
    const chunkData = contents(random, 200 + random.below(400));
    const sizes = { totalFileSize: chunkData.length, chunkOffset: 0, chunkSize: chunkData.length };
    talk.says("Cli2Auth_FileDownloadRequest", { transactionId, filePath: "SDL/a.sdl" });
    talk.says("Auth2Cli_FileDownloadChunk", { transactionId, result: 0, ...sizes, chunkData });
    talk.says("Cli2Auth_FileDownloadChunkAck", { transactionId });
    if (transactionId % 3 === 0) ping(talk, 5000 * transactionId);
  }
  return talk;
}

function cycle(pattern: readonly number[], length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => pattern[index % pattern.length] ?? 0);
}

/** A number that most often is zero. */
function smallNumber(random: Random): number {
  return random.chance(6) ? 0 : random.below(60);
}

function pings(): MoulTalk {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  for (let number = 1; number <= 80; number++) ping(talk, 5000 * number);
  return talk;
}

function texts(withPings = false): MoulTalk {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  for (let number = 0; number < MESSAGES; number++) {
    const tracebackText = "And so I close, realizing that ".repeat(6 + (number % 3));
    talk.says("Cli2Auth_LogPythonTraceback", { tracebackText });
    if (withPings) ping(talk, 5000 * number);
  }
  return talk;
}

/** Where messages begin, and with which bytes. */
function said(talk: MoulTalk): ReadonlySet<string> {
  const offsets: Record<Direction, number> = { c2s: 0, s2c: 0 };
  return new Set(
    talk.sent.map(({ direction, bytes }) => {
      const key = `${direction} ${offsets[direction]} ${bytes.length}`;
      offsets[direction] += bytes.length;
      return key;
    }),
  );
}

describe.each<[string, () => MoulTalk, readonly number[]]>([
  ["zeros", () => chunks((_, length) => new Uint8Array(length)), [100, 1448]],
  ["random bytes", () => chunks((random, length) => random.bytes(length)), [100, 1448]],
  ["a short message again and again", () => chunks((_, length) => cycle([0x1a, 0, 0, 0, 0, 0], length)), [100, 1448]],
  [
    "a pattern again and again",
    () => chunks((random, length) => cycle([...random.bytes(5 + random.below(20))], length)),
    [100, 1448],
  ],
  [
    "the types of messages",
    () => chunks((random, length) => cycle(random.list(length / 2, () => [random.below(60), 0]).flat(), length)),
    [100, 1448],
  ],
  [
    "small numbers among zeros",
    () => chunks((random, length) => cycle(random.list(length / 2, () => [smallNumber(random), 0]).flat(), length)),
    [300, 536, 1448],
  ],
  ["pings", pings, [100, 1448]],
  ["long texts", texts, [100, 1448]],
  ["long texts and pings", () => texts(true), [7, 100, 1448]],
])("after a loss, %s", (_what, talkOf, sizes) => {
  const talk = talkOf();
  const real = said(talk);

  it.each(sizes)("in packets of up to %i bytes, show no message that was not said", (mtu) => {
    const packets = packetsOf(talk, { mtu, merged: true });
    const first = Math.ceil(packets.length / 8);
    for (let part = 1; part < 8; part++) {
      const from = part * first;
      const lost = packets.map((packet, index) => (index >= from && index < from + 2 ? undefined : packet));
      const found = dissectPackets(lost).messages.filter(({ status, nodes }) => status === "ok" && nodes !== undefined);
      const invented = found
        .map(({ direction, offset, length, name }) => [`${direction} ${offset} ${length}`, name])
        .filter(([key = ""]) => !real.has(key));
      expect(invented).toEqual([]);
    }
  });
});
