import { describe, expect, it } from "vitest";
import { Auth2Cli_FileListReply } from "../../../../dissectors/moul/messages/auth/files.js";
import { File2Cli_ManifestReply } from "../../../../dissectors/moul/messages/file/manifest.js";
import { zeroTerminated } from "../../../../dissectors/moul/messages/zeroTerminated.js";
import { decode, decodeValue, u32Hex, utf16Hex, wire } from "./decoding.js";

const text = (value: string): string => `${utf16Hex(value)}0000`;
/** A number as the servers write it: `>> 16`, `& 0xffff`, zero. */
const split = (value: number): string => `${u32Hex(value >>> 16).slice(0, 4) + u32Hex(value & 0xffff).slice(0, 4)}0000`;
const units = (hex: string): string => u32Hex(hex.length / 4);

describe("FileListReply", () => {
  const reply = (list: string): Uint8Array => wire("2400 01000000 00000000", units(list), list);

  it("lists names and sizes up to a zero", () => {
    const list = `${text("SDL\\city.sdl")}${split(0x0001_86a0)}${text("SDL\\Ahnonay.sdl")}${split(7)}0000`;
    const { nodes, value } = decode(Auth2Cli_FileListReply, reply(list));
    expect(nodes.outcome).toBe("ok");
    expect(value).toEqual({
      messageType: 36,
      transactionId: 1,
      result: 0,
      fileListElementCount: 13 + 3 + 16 + 3 + 1,
      fileList: [
        { name: "SDL\\city.sdl", size: { highHalf: 1, lowHalf: 0x86a0, terminator: 0, value: 100_000 } },
        { name: "SDL\\Ahnonay.sdl", size: { highHalf: 0, lowHalf: 7, terminator: 0, value: 7 } },
      ],
      terminator: 0,
    });
  });

  it("accepts a size of more than 2 GiB", () => {
    const { value } = decode(Auth2Cli_FileListReply, reply(`${text("a")}${split(0xfffffffe)}0000`));
    expect(value).toMatchObject({ fileList: [{ size: { value: 0xfffffffe } }] });
  });

  it.each([
    ["two zeroes", "0000 0000", [0, 0]],
    ["one zero, from DIRTSAND", "0000", [0]],
  ])("is empty: %s", (_, list, zeroes) => {
    expect(decodeValue(Auth2Cli_FileListReply, "2400 01000000 00000000", u32Hex(zeroes.length), list)).toEqual({
      messageType: 36,
      transactionId: 1,
      result: 0,
      fileListElementCount: zeroes.length,
      emptyFileList: zeroes,
    });
  });

  it("has nothing after a failure", () => {
    expect(decodeValue(Auth2Cli_FileListReply, "2400 01000000 07000000 00000000")).toEqual({
      messageType: 36,
      transactionId: 1,
      result: 7,
      fileListElementCount: 0,
    });
  });

  it("keeps a broken entry within the list", () => {
    const { nodes, value } = decode(Auth2Cli_FileListReply, reply(`${text("a")}${split(7)}${utf16Hex("no end")}0100`));
    expect(nodes.outcome).toBe("malformed");
    expect(value).toMatchObject({
      fileList: [{ name: "a" }, { undissected: utf16Hex("no end") }],
      terminator: 1,
    });
  });
});

describe("ManifestReply", () => {
  const HASH = "40ee988efc457db05eaec814fbc7b01f";
  const GZIP_HASH = "eed7c4c80165edff652a18c8f85ade90";
  const entry = [text("dat\\city.age"), text("dat/city.age.gz"), text(HASH), text(GZIP_HASH)].join("");

  function reply(list: string, fileCount: number): Uint8Array {
    const body = ["14000000 0b000000 00000000 02000000", u32Hex(fileCount), units(list), list].join("");
    return wire(u32Hex(4 + body.replace(/ /g, "").length / 2), body);
  }

  it("lists what to fetch for each file", () => {
    const list = `${entry}${split(0x0003_b538)}${split(0x0003_3588)}${split(0x28)}0000`;
    const { nodes, value } = decode(File2Cli_ManifestReply, reply(list, 1));
    expect(nodes.outcome).toBe("ok");
    expect(value).toEqual({
      messageByteCount: 28 + list.length / 2,
      messageType: 20,
      transactionId: 11,
      result: 0,
      readerId: 2,
      fileCount: 1,
      manifestElementCount: list.length / 4,
      manifest: [
        {
          fileName: "dat\\city.age",
          downloadName: "dat/city.age.gz",
          fileHash: HASH,
          downloadHash: GZIP_HASH,
          fileSize: { highHalf: 3, lowHalf: 0xb538, terminator: 0, value: 0x0003b538 },
          downloadSize: { highHalf: 3, lowHalf: 0x3588, terminator: 0, value: 0x00033588 },
          flags: { highHalf: 0, lowHalf: 0x28, terminator: 0, flags: ["kFlagZipped", "kBundle"] },
        },
      ],
      terminator: 0,
    });
  });

  it("shows flags that have no name", () => {
    const list = `${entry}${split(1)}${split(1)}${split(0x8000_0001)}0000`;
    const { value } = decode(File2Cli_ManifestReply, reply(list, 1));
    expect(value).toMatchObject({ manifest: [{ flags: { flags: ["kSndFlagCacheSplit", "0x80000000"] } }] });
  });

  it("is empty, or fails", () => {
    expect(decode(File2Cli_ManifestReply, reply("0000", 0)).value).toMatchObject({ emptyManifest: [0] });
    const failed = decode(File2Cli_ManifestReply, reply("", 0));
    expect(failed.nodes.outcome).toBe("ok");
    expect(failed.value).toEqual({
      messageByteCount: 28,
      messageType: 20,
      transactionId: 11,
      result: 0,
      readerId: 2,
      fileCount: 0,
      manifestElementCount: 0,
    });
  });

  it("has no flags if the list breaks off", () => {
    const { nodes, value } = decode(File2Cli_ManifestReply, reply(`${entry}${split(1)}${split(1)}0100${"0000"}`, 1));
    expect(nodes.outcome).toBe("malformed");
    expect(value).toMatchObject({ manifest: [{ fileSize: { value: 1 }, flags: { highHalf: 1 } }] });
    expect(value).not.toHaveProperty("manifest[0].flags.flags");
  });
});

describe("zeroTerminated", () => {
  it("writes its zero, and refuses one in the value", () => {
    expect(zeroTerminated.descriptor.codec?.write("añ")).toEqual(wire("6100 f100 0000"));
    expect(() => zeroTerminated.descriptor.codec?.write("a\0b")).toThrow(RangeError);
  });

  it("ends only at a whole zero unit", () => {
    expect(decodeValue(zeroTerminated, "0001 0100 0000")).toBe("\u0100\u0001");
  });
});
