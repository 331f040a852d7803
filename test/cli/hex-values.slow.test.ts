import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { hexValues } from "../../src/cli/hex-values.js";
import { run } from "../support/command-line.js";

/** The values as digits, or what is wrong with them, each after its line number. */
async function valuesIn(text: string): Promise<string[]> {
  const values: string[] = [];
  for await (const value of hexValues(text.split("\n"))) {
    const said = "bytes" in value ? Buffer.from(value.bytes).toString("hex") : value.problem.replace(/[:,].*/, "");
    values.push(`${value.line}: ${said}`);
  }
  return values;
}

const LONG = `21000100${"00".repeat(35)}ff`;

describe("a value in hexadecimal", () => {
  it.each([
    "210001000000",
    "2100 0100 0000",
    "21 00 01 00 00 00",
    "21:00:01:00:00:00",
    "21-00-01-00-00-00",
    "0x21, 0x00, 0x01, 0x00, 0x00, 0x00,",
    "{0x21, 0x0, 0x1, 0x0, 0x0, 0x0}",
    "\\x21\\x00\\x01\\x00\\x00\\x00",
    "0x210001000000",
  ])("may be written as %s", async (text) => {
    expect(await valuesIn(text)).toEqual(["1: 210001000000"]);
  });

  it("may be written as Python shows bytes", async () => {
    const literals = [`b'!\\x00\\x01'`, `b"it's \\t\\n\\r\\\\\\xFF"`, `b'a"\\'b'`, "b''"];
    expect(await valuesIn(literals.join("\n"))).toEqual([
      "1: 210001",
      `2: ${Buffer.from("it's \t\n\r\\\xff", "latin1").toString("hex")}`,
      `3: ${Buffer.from(`a"'b`).toString("hex")}`,
      "4: ",
    ]);
    expect(await valuesIn("b'\\x2'\nb'a\nb'a'b'\nb'é'")).toEqual(
      [1, 2, 3, 4].map((line) => `${line}: this is not hexadecimal`),
    );
  });

  it("is on one line, with two digits per byte", async () => {
    expect(await valuesIn("2100\n\n 0100 \n010\nmilk\n")).toEqual([
      "1: 2100",
      "3: 0100",
      "4: this is not hexadecimal",
      "5: this is not hexadecimal",
    ]);
  });

  it("may be read from standard input, with or without saying so", async () => {
    const { stdout } = await run(["decode", "plUoid", "--json", "210001000000"]);
    for (const words of [[], ["-"]]) {
      const read = await run(["decode", "plUoid", "--json", ...words], {}, Readable.from(["2100 0100 0000\n"]));
      expect(read).toMatchObject({ code: 0, stdout });
    }
  });

  it("may be given as several arguments, each parsed on its own", async () => {
    const { stdout } = await run(["decode", "plUoid", "--json", "210001000000"]);
    expect((await run(["decode", "plUoid", "--json", "0x21", "0x0", "0x1", "0x0", "0x0", "0x0"])).stdout).toBe(stdout);
    const grouped = await run(["decode", "plUoid", "--json", "0000", "01", "00"]);
    expect(grouped.stdout).toBe((await run(["decode", "plUoid", "--json", "00000100"])).stdout);
  });

  it("may be megabytes long, and anything else takes time in proportion to its length: its square would take hours", async () => {
    expect((await valuesIn(`b'${"a".repeat(4e6)}'`))[0]).toHaveLength(4e6 * 2 + 3);
    const odd = [
      `0000${" ".repeat(5e5)}x\u2028`,
      `0000: ${"ab ".repeat(5e5)}|`,
      `0000  ${"\\x0 ".repeat(5e5)}g`,
      `0000${" 00".repeat(4e6)}x`,
    ];
    for (const text of odd) expect((await valuesIn(text))[0]?.slice(0, 40)).toBe("1: this is not hexadecimal");
  });

  it("is not taken for a row of a dump if it begins like an offset", async () => {
    expect(await valuesIn("0021 00 01\n0021  0001\n000021 00")).toEqual(["1: 00210001", "2: 00210001", "3: 00002100"]);
  });
});

describe("a hex dump is one value, in the format of", () => {
  it.each([
    [
      "xxd",
      `00000000: 2100 0100 0000 0000 0000 0000 0000 0000  !...........|..|
00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000020: 0000 0000 0000 00ff                      ab cd ..`,
    ],
    [
      "hexdump -C",
      `00000000  21 00 01 00 00 00 00 00  00 00 00 00 00 00 00 00  |!...........|..||
00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
00000020  00 00 00 00 00 00 00 ff                           |ab cd ..|
00000028`,
    ],
    [
      "hexdump -C, with rows that are repeated",
      `00000000  21 00 01 00  |!...|
00000004  00 00 00 00  |....|
*
00000024  00 00 00 ff  |....|
00000028
`,
    ],
    [
      "od -A x -t x1",
      `000000 21 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00
000010 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
000020 00 00 00 00 00 00 00 ff
000028`,
    ],
    [
      "Wireshark",
      `0000   21 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00   !...............
0010   00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00   ................
0020   00 00 00 00 00 00 00 ff                           ........`,
    ],
    [
      "Wireshark, following a stream",
      `00000000  21 00 01 00 00 00 00 00  00 00 00 00 00 00 00 00   !....... ........
00000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00   ........ ........
00000020  00 00 00 00 00 00 00 ff                            ........`,
    ],
    [
      "tcpdump -X",
      `\t0x0000:  2100 0100 0000 0000 0000 0000 0000 0000  !...............
\t0x0010:  0000 0000 0000 0000 0000 0000 0000 0000  ................
\t0x0020:  0000 0000 0000 00ff                      ........`,
    ],
    [
      "a debugger, at an address",
      `0x7fffffffe1a0 <buffer>:\t0x21\t0x00\t0x01\t0x00${"\t0x00".repeat(16)}
0x7fffffffe1b4 <buffer+20>:${"\t0x00".repeat(19)}\t0xff`,
    ],
  ])("%s", async (_program, text) => {
    expect(await valuesIn(text)).toEqual([`1: ${LONG}`]);
  });

  it("ends where another one begins, at a blank line, or at a value by itself", async () => {
    const text = "00000000: 2100\n00000002: 0100\n00000000: 22\n\n0x8000: 23\n0x8001: 24\n2500\n0000  26";
    expect(await valuesIn(text)).toEqual(["1: 21000100", "3: 22", "5: 2324", "7: 2500", "8: 26"]);
  });

  it("with rows out of sequence is reported, and the rest of it is not taken for values", async () => {
    const text = "0000   21 00\n0020   01 00\n0022   01 00\n\n0020   01 00";
    expect(await valuesIn(text)).toEqual([
      "1: 2100",
      "2: the offset of this row is not where the row before it ends",
      "3: the offset of this row is not where the row before it ends",
      "5: 00200100",
    ]);
    expect(
      (await valuesIn("00000000: 2100\n00000004: 0100\n\n00000004: 0100")).map((value) => value.slice(0, 13)),
    ).toEqual(["1: 2100", "2: the offset", "4: 0100"]);
    expect(await valuesIn("0000: 2100\n0002: milk\n")).toEqual(["1: this is not hexadecimal"]);
  });

  it("has its second half after two spaces, unless that is the text of eight bytes", async () => {
    expect(await valuesIn("0000  21 00 01 00 00 00 00 00  ab cd ef")).toEqual(["1: 2100010000000000abcdef"]);
    expect(await valuesIn("0000 21 00 01 00 00 00 00 00  ab cd ef")).toEqual(["1: 2100010000000000abcdef"]);
    expect(await valuesIn("0000  61 62 20 63 64 20 65 66  ab cd ef")).toEqual(["1: 6162206364206566"]);
  });

  it("has no length if only the missing rows would show it", async () => {
    expect(await valuesIn("0000: 2100\n*\n")).toEqual(["1: no row after * shows how many rows this dump has"]);
    expect((await valuesIn("0000: 2100\n*\n0005: 22"))[0]).toBe("1: no row after * shows how many rows this dump has");
  });

  it("takes no more memory than a message may, however often it claims to repeat", async () => {
    expect(await valuesIn("0000   21 00\n*\nffffffffffff   00")).toEqual([
      "1: no row after * shows how many rows this dump has",
      "3: the offset of this row is not where the row before it ends",
    ]);
    const bomb = ["00000000  00", "*", "00ffffff  00", "*", "01fffffe  00"].join("\n");
    expect(await valuesIn(bomb)).toEqual([
      "1: no row after * shows how many rows this dump has",
      "5: the offset of this row is not where the row before it ends",
    ]);
    expect(await valuesIn("*\n0000: zz\n*\n0010: 00")).toEqual([
      "1: this is not hexadecimal",
      "2: this is not hexadecimal",
      "4: the offset of this row is not where the row before it ends",
    ]);
  });
});
