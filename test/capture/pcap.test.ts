import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { type CapturedPacket, chunks, pcapFile, pcapHeader, pcapRecord } from "../support/captures.js";
import { growthOf } from "../support/growth.js";
import { concat, text } from "../support/packets.js";
import { readLog } from "../support/recording.js";

const TIME = 1_795_150_492_987_654_321n;

const RECORDS: readonly CapturedPacket[] = [
  { data: text("first packet"), time: TIME },
  { data: new Uint8Array(0), time: TIME + 1_000n },
  { data: text("cut by the snap"), originalLength: 1500, time: TIME + 2_000n },
];

const PACKETS = [
  { frame: 1, time: "1795150492.987654000", linkType: 1, data: hex("first packet"), originalLength: 12 },
  { frame: 2, time: "1795150492.987655000", linkType: 1, data: "", originalLength: 0 },
  { frame: 3, time: "1795150492.987656000", linkType: 1, data: hex("cut by the snap"), originalLength: 1500 },
];

function hex(value: string): string {
  return Buffer.from(value).toString("hex");
}

describe("a classic pcap file", () => {
  test("is read in either byte order, standard or modified by Kuznetzov, however it is cut into chunks", async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.boolean(), cuts, async (little, modified, lengths) => {
        const { log, result } = await readLog(chunks(pcapFile(RECORDS, { little, modified }), ...lengths));
        expect(log).toMatchObject({ packets: PACKETS, problems: [] });
        expect(result).toMatchObject({ outcome: "whole", lastFrame: 3 });
      }),
    );
  });

  test.each(["Red Hat 6.1", "SuSE 6.3", "Nokia"] as const)(
    "of %s is read as such, however it is cut into chunks",
    async (system) => {
      const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(fc.boolean(), cuts, fc.integer({ min: 1, max: 3 }), async (little, lengths, count) => {
          const { log, result } = await readLog(
            chunks(pcapFile(RECORDS.slice(0, count), { little, system }), ...lengths),
          );
          expect(log).toMatchObject({ packets: PACKETS.slice(0, count), problems: [] });
          expect(result.outcome).toBe("whole");
        }),
      );
    },
  );

  test.each([1, 2, 3])("to which another one was appended is read to its end, after %i packets", async (count) => {
    const first = pcapFile(RECORDS.slice(0, count));
    for (const fields of [{}, { little: false }, { nanoseconds: true }]) {
      for (const length of [1, 33, 10_000]) {
        const { log, result } = await readLog(chunks(concat(first, pcapFile(RECORDS, fields)), length));
        expect(log.packets).toEqual(PACKETS.slice(0, count));
        const frame = count + 1;
        const text = `another pcap file begins in place of frame ${frame}; nothing after it can be read: join files with mergecap -a, or give each by itself`;
        expect(log.problems).toEqual([{ file: "test.pcap", frame, offset: first.length, text }]);
        expect(result.outcome).toBe("partial");
      }
    }
  });

  test("is not taken for a variant because its second header is damaged", async () => {
    const damaged = concat(pcapHeader(), ...RECORDS.map((record) => pcapRecord(record)));
    damaged.fill(0xff, 24 + 16 + 12, 24 + 16 + 12 + 16);
    const { log } = await readLog([damaged]);
    expect(log.packets).toEqual(PACKETS.slice(0, 1));
    expect(log.problems.map(({ text }) => text)).toEqual([
      "frame 2 claims 4294967295 captured bytes, more than the 262144 a packet may have; nothing after it can be read",
    ]);
  });

  test("is not taken for a variant because it is cut after the time of its second packet", async () => {
    const [one, two] = RECORDS.map((record) => pcapRecord(record));
    for (const length of [4, 8]) {
      const { log } = await readLog([concat(pcapHeader(), one ?? text(""), (two ?? text("")).subarray(0, length))]);
      expect(log.packets).toEqual(PACKETS.slice(0, 1));
      expect(log.problems.map((problem) => problem.text)).toEqual([
        `the file ends inside the header of frame 2, after ${length} of 16 bytes`,
      ]);
    }
  });

  test("passes the first packet of a live recording on once the second one begins", async () => {
    const [one, two] = RECORDS;
    const begun = concat(pcapHeader(), ...[one, two].map((record) => pcapRecord(record ?? { data: text("") })));
    const { log } = await readLog([begun.subarray(0, 24 + 16 + 12 + 4), new Uint8Array(0)], { between: () => false });
    expect(log.packets).toEqual(PACKETS.slice(0, 1));
  });

  for (const little of [true, false]) {
    test(`has nanoseconds where its magic number says so (${little ? "little" : "big"}-endian)`, async () => {
      const { log } = await readLog([pcapFile(RECORDS, { little, nanoseconds: true })]);
      expect(log.packets.map((packet) => packet.time)).toEqual([
        "1795150492.987654321",
        "1795150492.987655321",
        "1795150492.987656321",
      ]);
      expect(log.problems).toEqual([]);
    });
  }

  test.each([
    { version: [2, 0], swapped: true },
    { version: [2, 1], swapped: true },
    { version: [2, 2], swapped: true },
    { version: [2, 3], swapped: false },
    // Written by recorders that had the new version number before the new order.
    { version: [2, 3], swapped: true },
    { version: [2, 4], swapped: false },
  ] as const)("of version $version has its lengths swapped: $swapped", async ({ version, swapped }) => {
    for (const little of [true, false]) {
      const { log, result } = await readLog(chunks(pcapFile(RECORDS, { version, swapped, little }), 11));
      expect(log).toMatchObject({ packets: PACKETS, problems: [] });
      expect(result.outcome).toBe("whole");
    }
  });

  test("keeps only the lower half of the link type field", async () => {
    const { log } = await readLog([pcapFile(RECORDS.slice(0, 1), { linkType: 0x2400_0114 })]);
    expect(log.packets[0]?.linkType).toBe(276);
  });

  test("carries whole seconds over from the fraction", async () => {
    const record = pcapRecord({ data: text("x") });
    new DataView(record.buffer).setUint32(4, 2_500_000, true);
    const { log } = await readLog([pcapHeader(), record]);
    expect(log.packets[0]?.time).toBe("2.500000000");
  });

  test("is complete with only a header", async () => {
    const { log, result } = await readLog([pcapHeader()]);
    expect(log).toMatchObject({ packets: [], problems: [] });
    expect(result.outcome).toBe("whole");
  });

  test("costs in proportion to its length, even when a large packet arrives byte by byte", async () => {
    const growth = await growthOf(async (length) => {
      const data = new Uint8Array(length).fill(7);
      const { log } = await readLog(chunks(pcapFile([{ data }, { data }]), 1));
      expect(log.packets[1]?.data).toBe(Buffer.from(data).toString("hex"));
    }, 20_000);
    // Copying all the available bytes for every new one would make it 16.
    expect(growth).toBeLessThan(5);
  });
});

describe("a damaged pcap file", () => {
  test("that ends inside a packet yields the bytes before the end, and says so", async () => {
    const whole = pcapFile(RECORDS);
    for (const length of [5, 1000]) {
      const { log, result } = await readLog(chunks(whole.subarray(0, whole.length - 4), length));
      expect(log.packets).toEqual([...PACKETS.slice(0, 2), { ...PACKETS[2], data: hex("cut by the ") }]);
      expect(log.problems).toEqual([
        {
          file: "test.pcap",
          frame: 3,
          offset: whole.length - 31,
          text: "the file ends inside frame 3, after 11 of its 15 bytes",
        },
      ]);
      expect(result.outcome).toBe("partial");
    }
  });

  test("that ends inside a packet header says so", async () => {
    const whole = pcapFile(RECORDS);
    const { log } = await readLog([whole.subarray(0, whole.length - 15 - 6)]);
    expect(log.packets).toEqual(PACKETS.slice(0, 2));
    expect(log.problems).toEqual([
      {
        file: "test.pcap",
        frame: 3,
        offset: whole.length - 31,
        text: "the file ends inside the header of frame 3, after 10 of 16 bytes",
      },
    ]);
  });

  test("modified by Kuznetzov that ends early says where", async () => {
    const whole = pcapFile(RECORDS, { modified: true });
    const sentences = async (end: number): Promise<readonly string[]> => {
      const { log } = await readLog(chunks(whole.subarray(0, end), 9));
      return [...log.packets.slice(2).map((packet) => packet.data), ...log.problems.map((problem) => problem.text)];
    };
    expect(await sentences(whole.length - 4)).toEqual([
      hex("cut by the "),
      "the file ends inside frame 3, after 11 of its 15 bytes",
    ]);
    const header = (there: number): string => `the file ends inside the header of frame 3, after ${there} of 24 bytes`;
    expect(await sentences(whole.length - 15)).toEqual(["", "the file ends inside frame 3, after 0 of its 15 bytes"]);
    expect(await sentences(whole.length - 15 - 3)).toEqual([header(21)]);
    expect(await sentences(whole.length - 15 - 8)).toEqual([header(16)]);
    expect(await sentences(whole.length - 15 - 9)).toEqual([header(15)]);
  });

  test("that ends inside its header is not readable", async () => {
    const { log, result } = await readLog([pcapHeader().subarray(0, 20)]);
    expect(log.problems[0]?.text).toBe("the file ends after 20 of the 24 bytes of a pcap file header");
    expect(result.outcome).toBe("unreadable");
  });

  test("of another version is not readable", async () => {
    const { log, result } = await readLog([pcapFile(RECORDS, { version: [2, 5] })]);
    expect(log.packets).toEqual([]);
    expect(log.problems.map((problem) => problem.text)).toEqual([
      "this is pcap version 2.5; only versions 2.0 to 2.4 are supported",
    ]);
    expect(result.outcome).toBe("unreadable");
  });

  test.each([
    { snapLength: 65_535, claim: 262_145, longest: 262_144, limits: defaultLimits },
    { snapLength: 0xffff_ffff, claim: 0xffff_fff0, longest: 16_777_216, limits: defaultLimits },
    // As long as the bytes that follow and two more packets.
    { snapLength: 0, claim: 43, longest: 42, limits: { ...defaultLimits, packetLength: 42 } },
  ])("with a packet of $claim bytes (snap length $snapLength) is read up to that packet", async (values) => {
    const { snapLength, claim, longest, limits } = values;
    const good = pcapRecord({ data: text("good") });
    const bad = pcapRecord({ data: text("bad") }, {}, claim);
    // None of these must be taken for a packet.
    const rest = concat(...Array.from({ length: 15_000 }, () => good));
    const { log } = await readLog([concat(pcapHeader({ snapLength }), good, bad, rest)], { limits });
    expect(log.packets.map((packet) => packet.data)).toEqual([hex("good")]);
    const more = `more than the ${longest} a packet may have`;
    expect(log.problems).toEqual([
      {
        file: "test.pcap",
        frame: 2,
        offset: 24 + 20,
        text: `frame 2 claims ${claim} captured bytes, ${more}; nothing after it can be read`,
      },
    ]);
  });

  test("may have a larger snap length than usual", async () => {
    const data = new Uint8Array(300_000);
    const { log, result } = await readLog([pcapFile([{ data }], { snapLength: 400_000 })]);
    expect(log.packets[0]?.data.length).toBe(600_000);
    expect(result.outcome).toBe("whole");
  });

  test("of arbitrary bytes after a header never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, length) => {
        const { log, result } = await readLog(chunks(concat(pcapHeader(), bytes), length));
        expect(log.problems.length).toBeLessThanOrEqual(1);
        expect(result.outcome === "whole").toBe(log.problems.length === 0);
      }),
    );
  });
});
