import { describe, expect, it } from "vitest";
import { linesOf } from "../../src/cli/lines.js";

async function linesIn(chunks: readonly Buffer[], longest?: number): Promise<string[]> {
  async function* input(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of linesOf(input(), longest)) lines.push(line);
  return lines;
}

describe("lines", () => {
  it("end with a line feed and nothing else, however the input is split", async () => {
    const text = Buffer.from("one\r\n\ntwo: \u{1f600}\u2028 and more\nthree");
    const expected = ["one", "", "two: \u{1f600}\u2028 and more", "three"];
    for (let size = 1; size <= text.length; size++) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.subarray(at * size, (at + 1) * size),
      );
      expect(await linesIn(chunks)).toEqual(expected);
    }
    expect(await linesIn([])).toEqual([]);
    expect(await linesIn([Buffer.from("\n")])).toEqual([""]);
  });

  it("may begin with a byte order mark, and then be in UTF-16", async () => {
    const text = "\ufeffone\r\ntwo: \u{1f600}\n\ufeff";
    const expected = ["one", "two: \u{1f600}", "\ufeff"];
    for (const bytes of [Buffer.from(text), Buffer.from(text, "utf16le")]) {
      expect(await linesIn([bytes])).toEqual(expected);
      expect(await linesIn([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
    }
  });

  it("that are too long are reported, and not buffered", async () => {
    const chunks = [Buffer.from("12345\n"), Buffer.from("123"), Buffer.from("456")];
    await expect(linesIn(chunks, 5)).rejects.toThrow("line 2 is too long");
    expect(await linesIn(chunks, 6)).toEqual(["12345", "123456"]);
  });
});
