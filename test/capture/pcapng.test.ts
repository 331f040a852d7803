import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { chunks, PcapngWriter } from "../support/captures.js";
import { concat, text } from "../support/packets.js";
import { readLog } from "../support/recording.js";

function hex(value: string): string {
  return Buffer.from(value).toString("hex");
}

/** Two sections: several interfaces and all packet blocks, interspersed with unknown blocks. */
function sampleFile(little: boolean): Uint8Array {
  const write = new PcapngWriter(little);
  const other = new PcapngWriter(!little);
  return concat(
    write.section(),
    write.interface({ linkType: 113, snapLength: 10 }),
    write.interface({ linkType: 1, resolution: 9 }),
    write.block(0x0bad, text("a custom block of odd size")),
    write.enhanced({ data: text("one") }, 1_795_150_492_987_654n, 0),
    write.enhanced({ data: text("two!"), originalLength: 60 }, 1_795_150_492_987_654_321n, 1),
    write.block(5, new Uint8Array(12)),
    write.simple({ data: text("ten bytes!"), originalLength: 90 }),
    write.obsolete({ data: text("old") }, 1_000_000n, 1),
    other.section(1, 2),
    other.interface({ linkType: 101, resolution: 0x80 | 10, offset: -5n }),
    other.enhanced({ data: text("three") }, (100n << 10n) | 512n, 0),
    other.block(10, new Uint8Array(0)),
  );
}

// The custom block is frame 1, as in Wireshark.
const PACKETS = [
  { frame: 2, time: "1795150492.987654000", linkType: 113, data: hex("one"), originalLength: 3 },
  { frame: 3, time: "1795150492.987654321", linkType: 1, data: hex("two!"), originalLength: 60 },
  { frame: 4, time: "0.000000000", linkType: 113, data: hex("ten bytes!"), originalLength: 90 },
  { frame: 5, time: "0.001000000", linkType: 1, data: hex("old"), originalLength: 3 },
  { frame: 6, time: "95.500000000", linkType: 101, data: hex("three"), originalLength: 5 },
];

describe("a pcapng file", () => {
  test("is read in either byte order, however it is cut into chunks", async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), cuts, async (little, lengths) => {
        const { log, result } = await readLog(chunks(sampleFile(little), ...lengths));
        expect(log).toMatchObject({ packets: PACKETS, problems: [] });
        expect(result.outcome).toBe("whole");
      }),
    );
    expect((await readLog([sampleFile(true)])).log.packets).toEqual(PACKETS);
  });

  test.each([
    ["whose lengths of blocks leave", false],
    ["of whose lengths of blocks only the second ones leave", "first"],
    ["of whose lengths of blocks only the first ones leave", "second"],
  ] as const)("%s out their padding is read, with one remark, however it is cut", async (_, counted) => {
    const cuts = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1 });
    const start = (write: PcapngWriter) => concat(write.section(), write.interface());
    const blocks = (write: PcapngWriter) =>
      concat(
        write.block(0x77, text("skipped")),
        write.simple({ data: text("three") }),
        write.block(0xbad, text("a custom block of odd size")),
        write.obsolete({ data: text("of even size") }, 1n),
        write.obsolete({ data: text("odd") }, 2n),
      );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), cuts, async (little, lengths) => {
        const [write, careless] = [new PcapngWriter(little), new PcapngWriter(little, counted)];
        const { log: right } = await readLog([concat(start(write), blocks(write))]);
        const { log, result } = await readLog(chunks(concat(start(write), blocks(careless)), ...lengths));
        expect(log.packets).toEqual(right.packets);
        expect([log.problems, result.outcome]).toEqual([[], "whole"]);
        expect(log.remarks).toEqual([
          `test.pcap (unknown type 0x77 block at offset ${start(write).length}): its length of 19 bytes leaves out ` +
            "padding; such blocks are read with it",
        ]);
      }),
    );
  });

  test("whose last block ends inside padding that its length leaves out says so", async () => {
    const careless = new PcapngWriter(true, false);
    const write = new PcapngWriter();
    const whole = concat(write.section(), write.interface(), careless.simple({ data: text("three") }));
    const { log } = await readLog([whole.subarray(0, -1)]);
    expect(log.packets.map(({ data }) => data)).toEqual([hex("three")]);
    expect(log.problems.map((problem) => problem.text)).toEqual([
      "the file ends inside the block of frame 1, after 23 of 24 bytes",
    ]);
  });

  test.each([
    { resolution: 6, ticks: 0xffff_ffff_ffff_ffffn, time: "18446744073709.551615000" },
    { resolution: 9, ticks: 0xffff_ffff_ffff_ffffn, time: "18446744073.709551615" },
    { resolution: 0, ticks: 0x1_2345_6789n, time: "4886718345.000000000" },
    { resolution: 3, ticks: 1_795_150_492_987n, time: "1795150492.987000000" },
    { resolution: 12, ticks: 1_795_150_492_987_654_321n, time: "1795150.492987654" },
    { resolution: 0x80 | 32, ticks: (1_795_150_492n << 32n) | 0x8000_0001n, time: "1795150492.500000000" },
    { resolution: 0x80 | 0, ticks: 77n, time: "77.000000000" },
  ])("keeps exact times with resolution $resolution", async ({ resolution, ticks, time }) => {
    const write = new PcapngWriter();
    const file = [write.section(), write.interface({ resolution }), write.enhanced({ data: text("x") }, ticks)];
    expect((await readLog([concat(...file)])).log.packets[0]?.time).toBe(time);
  });

  test("keeps nanoseconds exact for any time", async () => {
    const write = new PcapngWriter();
    const start = concat(write.section(), write.interface({ resolution: 9 }));
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }), async (ticks) => {
        const { log } = await readLog([start, write.enhanced({ data: text("x") }, ticks)]);
        const time = `${ticks / 1_000_000_000n}.${String(ticks % 1_000_000_000n).padStart(9, "0")}`;
        expect(log.packets[0]?.time).toBe(time);
      }),
    );
  });

  test("adds the time offset of an interface", async () => {
    const write = new PcapngWriter();
    const file = [
      write.section(),
      write.interface({ offset: 1_000_000_000n }),
      write.enhanced({ data: text("x") }, 5n),
    ];
    expect((await readLog([concat(...file)])).log.packets[0]?.time).toBe("1000000000.000005000");
  });

  test("has simple packets as long as their block if there is no snap length", async () => {
    const write = new PcapngWriter();
    const file = [write.section(), write.interface(), write.simple({ data: text("seven b") })];
    expect((await readLog([concat(...file)])).log.packets[0]).toMatchObject({
      data: hex("seven b"),
      originalLength: 7,
    });
  });
});

describe("possible key material in a pcapng file", () => {
  test("is passed on in its place, whatever it is", async () => {
    for (const little of [true, false]) {
      const write = new PcapngWriter(little);
      const start = concat(write.section(), write.interface(), write.enhanced({ data: text("one") }, 0n));
      const blocks = [
        write.secrets(text("odd")),
        write.enhanced({ data: text("two") }, 0n),
        write.custom(text("copied")),
        write.custom(text("stays here"), 0x40000bad),
        write.secrets(text("")),
        write.custom(text("")),
        // A length that is wrong.
        write.block(10, concat(new Uint8Array(4), new Uint8Array(4).fill(0x7f), text("as far as it goes"))),
      ];
      for (const length of [1, 7, 1000]) {
        const { log, result } = await readLog(chunks(concat(start, ...blocks), length));
        const [first = 0, second = 0, third = 0] = blocks.map((block) => block.length);
        expect(log.secretsSeen).toEqual([
          [1, `test.pcap (decryption secrets block at offset ${start.length})`, "odd"],
          [2, `test.pcap (custom block at offset ${start.length + first + second})`, "copied"],
          [2, `test.pcap (custom block at offset ${start.length + first + second + third})`, "stays here"],
          [2, expect.stringContaining("decryption secrets"), "as far as it goes\0\0\0"],
        ]);
        expect(result.outcome).toBe("whole");
      }
    }
  });
});

describe("a damaged pcapng file", () => {
  const write = new PcapngWriter();
  const start = concat(write.section(), write.interface());
  const good = write.enhanced({ data: text("good") }, 0n);

  async function problems(...parts: readonly Uint8Array[]): Promise<readonly (readonly [number, number, string])[]> {
    const { log, result } = await readLog(chunks(concat(...parts), 7));
    const again = await readLog([concat(...parts)]);
    expect(again.log).toEqual(log);
    expect(result.outcome).not.toBe("whole");
    return log.problems.map(({ frame, offset, text }) => [frame, offset, text]);
  }

  test("that ends inside a packet yields the bytes before the end, and says so", async () => {
    // 28 bytes of block before the data.
    const { log, result } = await readLog([concat(start, good, good.subarray(0, 28 + 3))]);
    expect(log.packets.map((packet) => packet.data)).toEqual([hex("good"), hex("goo")]);
    expect(log.problems).toEqual([
      {
        file: "test.pcap",
        frame: 2,
        offset: start.length + good.length,
        text: `the file ends inside the block of frame 2, after 31 of ${good.length} bytes`,
      },
    ]);
    expect(result.outcome).toBe("partial");
  });

  test("that ends inside a simple packet yields the bytes before the end, if it has any", async () => {
    const simple = write.simple({ data: text("simple") });
    const { log } = await readLog([concat(start, simple.subarray(0, 12 + 3))]);
    expect(log.packets.map((packet) => packet.data)).toEqual([hex("sim")]);
    expect(await problems(start, simple.subarray(0, 11))).toEqual([
      [0, start.length, `the file ends inside a block (simple packet), after 11 of ${simple.length} bytes`],
    ]);
  });

  test("that ends inside a block's first fields says so", async () => {
    expect(await problems(start, good, good.subarray(0, 20))).toEqual([
      [
        1,
        start.length + good.length,
        `the file ends inside a block (enhanced packet), after 20 of ${good.length} bytes`,
      ],
    ]);
    expect(await problems(start, good.subarray(0, 5))).toEqual([
      [0, start.length, "the file ends inside a block's first fields, after 5 of 8 bytes"],
    ]);
  });

  test("that ends inside a buffered block other than a packet says so", async () => {
    const secrets = write.secrets(new Uint8Array(80));
    expect(await problems(start, good, secrets.subarray(0, 60))).toEqual([
      [
        1,
        start.length + good.length,
        `the file ends inside a block (decryption secrets), after 60 of ${secrets.length} bytes`,
      ],
    ]);
  });

  test("with a skipped block longer than any buffered one is read on after it", async () => {
    const limits = { ...defaultLimits, blockLength: good.length };
    const skipped = write.block(0x77, new Uint8Array(good.length + 100));
    const { log } = await readLog([concat(start, good, skipped, good)], { limits });
    expect(log.problems).toEqual([]);
    expect(log.packets).toHaveLength(2);
  });

  test("that ends inside a skipped block says so", async () => {
    const skipped = write.block(0x77, new Uint8Array(40));
    for (const there of [8, 9, 30, 48, 51]) {
      expect(await problems(start, skipped.subarray(0, there))).toEqual([
        [0, start.length, `the file ends inside a block (unknown type 0x77), after ${there} of 52 bytes`],
      ]);
    }
  });

  test("whose two lengths of a block differ is read up to that block", async () => {
    const bad = good.slice();
    new DataView(bad.buffer).setUint32(bad.length - 4, 999, true);
    const differ = `begins with length ${good.length} and ends with length 999; nothing after it can be read`;
    expect(await problems(start, good, bad, good)).toEqual([
      [1, start.length + good.length, `the block (enhanced packet) ${differ}`],
    ]);
    expect(await problems(start, write.block(0x77, new Uint8Array(8), 24), good)).toEqual([
      [
        0,
        start.length,
        "the block (unknown type 0x77) begins with length 20 and ends with length 24; nothing after it can be read",
      ],
    ]);
  });

  test.each([
    [6, 0, "the block (enhanced packet) claims 0 bytes, fewer than the 32 it must have; nothing after it can be read"],
    [
      0x77,
      8,
      "the block (unknown type 0x77) claims 8 bytes, fewer than the 12 it must have; nothing after it can be read",
    ],
    [
      6,
      0xffff_fff0,
      "the block (enhanced packet) claims 4294967280 bytes, more than the 17825792 it may have; nothing after it can be read",
    ],
  ])("with a block of type %i and length %i is read up to that block", async (type, length, sentence) => {
    const bad = write.block(type, new Uint8Array(40));
    new DataView(bad.buffer).setUint32(4, length, true);
    expect(await problems(start, good, bad)).toEqual([[1, start.length + good.length, sentence]]);
  });

  test("with a packet longer than its block is read up to that block", async () => {
    expect(await problems(start, write.enhanced({ data: text("good") }, 0n, 0, 400))).toEqual([
      [
        1,
        start.length,
        "frame 1 claims 400 captured bytes, more than the 24 it may have; nothing after it can be read",
      ],
    ]);
  });

  test("with a packet of an undescribed interface is read up to that packet", async () => {
    const sentence = "frame 2 refers to interface 3, but the section has described only 1";
    expect(await problems(start, good, write.enhanced({ data: text("x") }, 0n, 3))).toEqual([
      [2, start.length + good.length, sentence],
    ]);
    expect(await problems(write.section(), write.simple({ data: text("x") }))).toEqual([
      [1, write.section().length, "frame 1 refers to interface 0, but the section has described only 0"],
    ]);
  });

  test("of another version, or without a byte order, is not readable", async () => {
    expect(await problems(write.section(2), write.interface())).toEqual([
      [0, 0, "this section is pcapng version 2.0; only version 1.0 is supported"],
    ]);
    const broken = write.section();
    broken[8] = 0;
    expect(await problems(broken)).toEqual([
      [0, 0, "a section header does not show its byte order; nothing from there on can be read"],
    ]);
    expect(await problems(write.section().subarray(0, 10))).toEqual([
      [0, 0, "the file ends inside a block's first fields, after 10 of 12 bytes"],
    ]);
  });

  test("of arbitrary bytes never throws", async () => {
    const whole = concat(start, good, good);
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(damage, fc.integer({ min: 1, max: 200 }), async (changes, length) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const inOne = await readLog([bytes]);
        expect((await readLog(chunks(bytes, length))).log).toEqual(inOne.log);
        expect(inOne.log.problems.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
