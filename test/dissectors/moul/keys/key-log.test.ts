import { describe, expect, it } from "vitest";
import { keyLogLine } from "../../../../dissectors/moul/keys/formats/key-log.js";
import { remarkText } from "../../../../dissectors/moul/keys/key-material.js";
import { parseKeyFile } from "../../../../dissectors/moul/keys/parse.js";
import { bytesOf } from "./samples.js";

function parse(text: string): ReturnType<typeof parseKeyFile> {
  return parseKeyFile("logs/session.keys", bytesOf(text));
}

describe("key logs", () => {
  it("reads session keys and client private values", () => {
    const parsed = parse("# made by a client\r\n\r\nMOUL_RC4 0AbC 00112233445566\t# first\r\n MOUL_DH_B\tabc  0ff\r\n");
    expect(parsed).toEqual({
      format: "key-log",
      servers: [],
      clients: [],
      sessions: [
        {
          y: "0abc",
          key: Uint8Array.of(0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66),
          source: "session key, session.keys line 3",
        },
      ],
      privateValues: [{ y: "abc", b: 0xffn, source: "client private value, session.keys line 4" }],
      droidKeys: [],
      remarks: [],
    });
  });

  it("says what is wrong with a line, without quoting it", () => {
    const lines = [
      "MOUL_RC4 12 00112233445566",
      "MOUL_RC4 12",
      "MOUL_RC4 12 00112233445566 77",
      "MOUL_RC4 0x12 00112233445566",
      "MOUL_RC4 12 001122334455",
      "MOUL_RC4 12 hushhushhushhu",
      `MOUL_DH_B ${"1".repeat(129)} 12`,
      `MOUL_DH_B ${"0".repeat(9)}${"1".repeat(128)} ${"0".repeat(9)}${"1".repeat(128)}`,
      `MOUL_DH_B 12 ${"1".repeat(129)}`,
      "CLIENT_RANDOM 12 34",
    ];
    const parsed = parse(lines.join("\n"));
    expect(parsed.sessions).toHaveLength(1);
    expect(parsed.privateValues).toHaveLength(1);
    expect(parsed.remarks.map(remarkText)).toEqual([
      "session.keys, line 2: MOUL_RC4 takes two values: y and the session key",
      "session.keys, line 3: MOUL_RC4 takes two values: y and the session key",
      "session.keys, line 4: y is not a hex number of at most 64 bytes",
      "session.keys, line 5: the session key is not 7 bytes in hex",
      "session.keys, line 6: the session key is not 7 bytes in hex",
      "session.keys, line 7: y is not a hex number of at most 64 bytes",
      "session.keys, line 9: b is not a hex number of at most 64 bytes",
      "session.keys, line 10: the line is not understood: a line begins with MOUL_RC4 or MOUL_DH_B",
    ]);
  });

  it("is recognised where no line can be used, and says why", () => {
    const problems = (text: string): string[] => parse(text).remarks.map(remarkText);
    expect(problems("# MOUL_RC4 12 00112233445566\n")).toEqual([
      "session.keys, line 1: no keys in this file: every key line is commented out",
    ]);
    expect(problems("\nmoul_rc4 12 00112233445566\n")).toEqual([
      "session.keys, line 2: the line is not understood: a line begins with MOUL_RC4 or MOUL_DH_B",
    ]);
  });

  it("may be padded with zeros, as in a block of a capture or after a crash", () => {
    const line = "MOUL_RC4 12 00112233445566\n";
    expect(parse(`${line}\0\0\0`)).toEqual(parse(line));
    expect(parse(`${line}\0${line}`).format).toBeUndefined();
  });

  it("does not flood its reader with remarks", () => {
    const { remarks } = parse(`MOUL_RC4 12 00112233445566\n${"?\n".repeat(1000)}`);
    expect(remarks).toHaveLength(21);
    expect(remarks.at(-1)).toEqual({ severity: "note", file: "session.keys", text: "980 more remarks are left out" });
    const { remarks: all } = parse(`MOUL_RC4 12 00112233445566\n${"?\n".repeat(21)}`);
    expect(all.at(-1)?.text).toBe("1 more remark is left out");
  });

  it("writes lines", () => {
    const y = Uint8Array.of(0xcd, 0xab);
    expect(keyLogLine(y, Uint8Array.of(0, 1, 2, 3, 4, 5, 6))).toBe(`MOUL_RC4 ${"0".repeat(124)}abcd 00010203040506`);
  });
});
