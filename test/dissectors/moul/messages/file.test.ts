import { describe, expect, it } from "vitest";
import {
  Cli2File_FileDownloadRequest,
  File2Cli_FileDownloadReply,
} from "../../../../dissectors/moul/messages/file/download.js";
import { File2Cli_BuildIdUpdate } from "../../../../dissectors/moul/messages/file/global.js";
import { Cli2File_ManifestEntryAck } from "../../../../dissectors/moul/messages/file/manifest.js";
import { decode, decodeValue, utf16Hex, wire } from "./decoding.js";

describe("file server messages", () => {
  it("begin with their length", () => {
    expect(decodeValue(File2Cli_BuildIdUpdate, "0c000000 0b000000 97030000")).toEqual({
      messageByteCount: 12,
      messageType: 11,
      buildId: 919,
    });
    expect(decodeValue(Cli2File_ManifestEntryAck, "10000000 16000000 0a000000 01000000")).toEqual({
      messageByteCount: 16,
      messageType: 22,
      transactionId: 10,
      readerId: 1,
    });
  });

  it("have names of 260 units, which mean nothing after the zero", () => {
    const name = `${utf16Hex("dat\\city.age.gz")}0000`;
    const field = name + "cd".repeat(520 - name.length / 2);
    expect(decodeValue(Cli2File_FileDownloadRequest, "18020000 15000000 0e000000", field, "00000000")).toEqual({
      messageByteCount: 536,
      messageType: 21,
      transactionId: 14,
      fileName: "dat\\city.age.gz",
      buildId: 0,
    });
  });

  it("transfer files in parts", () => {
    const header = "22000000 15000000 0e000000 00000000 03000000 00000100 06000000";
    expect(decodeValue(File2Cli_FileDownloadReply, header, "1f8b08000000")).toEqual({
      messageByteCount: 34,
      messageType: 21,
      transactionId: 14,
      result: 0,
      readerId: 3,
      totalFileSize: 65536,
      byteCount: 6,
      fileData: "1f8b08000000",
    });
    expect(decode(File2Cli_FileDownloadReply, wire(header, "1f8b")).nodes.outcome).toBe("malformed");
  });
});
