import { describe, expect, test } from "vitest";
import { PcapngWriter, type WrittenPacket } from "../../src/capture/pcapng-writer.js";
import { concat, text } from "../support/packets.js";
import { readLog } from "../support/recording.js";

function written(write: (writer: PcapngWriter) => void): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PcapngWriter((bytes) => void parts.push(bytes.slice()));
  write(writer);
  writer.flush();
  return concat(...parts);
}

function packet(data: Uint8Array, time: Partial<WrittenPacket> = {}): WrittenPacket {
  return { seconds: 0, nanoseconds: 0, data, originalLength: data.length, ...time };
}

describe("a capture written as pcapng", () => {
  test("can be read back: times to the nanosecond, lengths, link types of several interfaces", async () => {
    const file = written((writer) => {
      writer.section("a program", "a remark");
      writer.interface({ linkType: 1, name: "eth0" });
      writer.interface({ linkType: 113, snapLength: 96 });
      writer.packet(packet(text("one"), { seconds: 1_795_150_492, nanoseconds: 987_654_321 }));
      writer.packet(packet(text("two!"), { seconds: 4_294_967_295, nanoseconds: 999_999_999, originalLength: 60 }), 1);
    });
    const { log } = await readLog([file]);
    expect(log.problems).toEqual([]);
    expect(log.packets).toEqual([
      { frame: 1, time: "1795150492.987654321", linkType: 1, data: "6f6e65", originalLength: 3 },
      { frame: 2, time: "4294967295.999999999", linkType: 113, data: "74776f21", originalLength: 60 },
    ]);
  });

  test("is complete however large it is", async () => {
    const lengths = [0, 1, 2, 3, 70_000, 300_000, 5, 262_144, 100_000];
    const file = written((writer) => {
      writer.section("");
      writer.interface({ linkType: 1, snapLength: 300_000 });
      for (const length of lengths) writer.packet(packet(new Uint8Array(length).fill(length)));
    });
    const { log } = await readLog([file]);
    expect(log.problems).toEqual([]);
    const data = lengths.map((length) => Buffer.alloc(length, length & 0xff).toString("hex"));
    expect(log.packets.map((read) => read.data)).toEqual(data);
  });

  test("carries a key log that is not a frame", async () => {
    const log = "# a key log\nMOUL_RC4 12 11223344556677\n";
    const file = written((writer) => {
      writer.section("");
      writer.interface({ linkType: 1 });
      writer.keyLog(log);
      writer.packet(packet(text("one")));
    });
    const read = await readLog([file]);
    expect(read.log.secretsSeen.map(([, , secrets]) => secrets)).toEqual([log]);
    expect(read.log.packets.map(({ frame }) => frame)).toEqual([1]);
  });

  test.each([
    [-5, "0.000000000"],
    [2 ** 40, "18446744073.709551615"],
  ])("has the nearest representable time instead of %d seconds", async (seconds, time) => {
    const file = written((writer) => {
      writer.section("");
      writer.interface({ linkType: 1 });
      writer.packet(packet(text("one"), { seconds }));
    });
    expect((await readLog([file])).log.packets).toMatchObject([{ time }]);
  });
});
