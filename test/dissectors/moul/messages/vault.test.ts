import { describe, expect, it } from "vitest";
import {
  Auth2Cli_VaultInitAgeReply,
  Auth2Cli_VaultNodeDeleted,
  Auth2Cli_VaultNodeFetched,
  Auth2Cli_VaultNodeFindReply,
  Auth2Cli_VaultNodeRefsFetched,
  Cli2Auth_VaultNodeDelete,
  Cli2Auth_VaultSetSeen,
} from "../../../../dissectors/moul/messages/auth/vault.js";
import { NetVaultNode } from "../../../../dissectors/moul/messages/vault/NetVaultNode.js";
import { vaultBlob, vaultString } from "../../../../dissectors/moul/messages/vault/vaultLeaves.js";
import { decode, decodeValue, u32Hex, utf16Hex, wire } from "./decoding.js";

/** A string field as written by the engine's IWrite: byte count with the zero, text, zero. */
const stringHex = (text: string): string => `${u32Hex(2 * text.length + 2) + utf16Hex(text)}0000`;

const uuidHex = (digit: string): string => digit.repeat(32);
const uuidText = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join("-");

describe("NetVaultNode", () => {
  it("has up to 32 fields, in the order of their flags", () => {
    const node = decodeValue(
      NetVaultNode,
      "ffffffff 00000000",
      u32Hex(10001),
      u32Hex(1_000_000_000),
      u32Hex(1_000_000_001),
      stringHex("city"),
      uuidHex("1"),
      uuidHex("2"),
      u32Hex(7),
      u32Hex(1),
      "ffffffff 02000000 03000000 04000000",
      "ffffffff 06000000 07000000 08000000",
      ...["3", "4", "5", "6"].map(uuidHex),
      ...["one", "two", "three", "four", "five", ""].map(stringHex),
      ...["İ", "i2"].map(stringHex),
      ...["text 1", "𝄞"].map(stringHex),
      `${u32Hex(3)}aabbcc`,
      u32Hex(0),
    );
    expect(node).toEqual({
      fieldFlags: 0xffffffffn,
      nodeId: 10001,
      createTime: 1_000_000_000,
      modifyTime: 1_000_000_001,
      createAgeName: "city",
      createAgeUuid: uuidText("1"),
      creatorAcct: uuidText("2"),
      creatorId: 7,
      nodeType: 1,
      int32_1: -1,
      int32_2: 2,
      int32_3: 3,
      int32_4: 4,
      uint32_1: 0xffffffff,
      uint32_2: 6,
      uint32_3: 7,
      uint32_4: 8,
      uuid_1: uuidText("3"),
      uuid_2: uuidText("4"),
      uuid_3: uuidText("5"),
      uuid_4: uuidText("6"),
      string64_1: "one",
      string64_2: "two",
      string64_3: "three",
      string64_4: "four",
      string64_5: "five",
      string64_6: "",
      iString64_1: "İ",
      iString64_2: "i2",
      text_1: "text 1",
      text_2: "𝄞",
      blob_1: "aabbcc",
      blob_2: "",
    });
  });

  it("has only the fields whose flags are set", () => {
    expect(decodeValue(NetVaultNode, "00000080 00000000", u32Hex(1), "7f")).toEqual({
      fieldFlags: 0x80000000n,
      blob_2: "7f",
    });
    expect(decodeValue(NetVaultNode, "0000000000000000")).toEqual({ fieldFlags: 0n });
  });

  it("ignores flags without a field", () => {
    expect(decodeValue(NetVaultNode, "01000000 ffffffff", u32Hex(5))).toEqual({
      fieldFlags: 0xffffffff_00000001n,
      nodeId: 5,
    });
  });

  it("keeps what precedes a string that is longer than the node", () => {
    const { nodes, value } = decode(NetVaultNode, wire("01001000 00000000", u32Hex(5), u32Hex(100), "41004200"));
    expect(nodes.outcome).toBe("malformed");
    expect(value).toEqual({ fieldFlags: 0x100001n, nodeId: 5, undissected: `${u32Hex(100)}41004200` });
  });
});

describe("vault leaves", () => {
  it.each([
    ["a text", stringHex("D'ni"), "D'ni"],
    ["an empty text", stringHex(""), ""],
    ["a text without its zero", `${u32Hex(4)}${utf16Hex("ab")}`, "ab"],
    ["nothing at all", u32Hex(0), ""],
    ["a text with a zero in it", stringHex("a\0b"), "a\0b"],
  ])("read %s", (_, hex, text) => {
    expect(decodeValue(vaultString, hex)).toBe(text);
  });

  it.each([
    ["ab", `${u32Hex(5)}${utf16Hex("ab")}63`],
    ["ab", `${u32Hex(5)}${utf16Hex("ab")}00`],
    ["ab", `${u32Hex(7)}${utf16Hex("ab")}000063`],
  ])("read %s with an odd number of bytes, and say so", (text, hex) => {
    const { value, notes } = decode(vaultString, wire(hex));
    expect(value).toBe(text);
    expect(notes).toEqual(["its last byte is half a UTF-16 unit, and is not in the text"]);
  });

  it("write what the client writes", () => {
    expect(vaultString.descriptor.codec?.write("D'ni")).toEqual(wire(stringHex("D'ni")));
    expect(vaultString.descriptor.codec?.write("")).toEqual(wire(stringHex("")));
    expect(vaultBlob.descriptor.codec?.write(wire("aabb"))).toEqual(wire("02000000 aabb"));
  });
});

describe("vault messages", () => {
  it("VaultNodeFetched may have no node", () => {
    expect(decodeValue(Auth2Cli_VaultNodeFetched, "1800 01000000 12000000 00000000")).toEqual({
      messageType: 24,
      transactionId: 1,
      result: 18,
      nodeDataLength: 0,
    });
  });

  it("VaultNodeFetched stays within the length of the node", () => {
    const bytes = wire("1800 01000000 00000000", u32Hex(14), "01000000 00000000", u32Hex(5), "abcd");
    const { nodes, notes, value } = decode(Auth2Cli_VaultNodeFetched, bytes);
    expect(nodes.outcome).toBe("malformed");
    expect(notes).toEqual(["2 bytes left over after the last field"]);
    expect(value).toMatchObject({ nodeData: { nodeId: 5, undissected: "abcd" } });
  });

  it("VaultNodeRefsFetched: MOSS sends 0xcc for seen", () => {
    const refs = ["01000000 02000000 00000000 cc", "02000000 03000000 86000000 00"];
    expect(decodeValue(Auth2Cli_VaultNodeRefsFetched, "1d00 01000000 00000000 02000000", ...refs)).toEqual({
      messageType: 29,
      transactionId: 1,
      result: 0,
      refCount: 2,
      refs: [
        { parentNodeId: 1, childNodeId: 2, ownerNodeId: 0, seen: 0xcc },
        { parentNodeId: 2, childNodeId: 3, ownerNodeId: 134, seen: false },
      ],
    });
  });

  it("VaultNodeFindReply", () => {
    expect(decodeValue(Auth2Cli_VaultNodeFindReply, "1f00 01000000 00000000 02000000 0a000000 0b000000")).toMatchObject(
      { foundNodeIdCount: 2, foundNodeIds: [10, 11] },
    );
  });

  it("messages that no capture contains", () => {
    expect(decodeValue(Auth2Cli_VaultNodeDeleted, "1a00 0a000000")).toEqual({ messageType: 26, nodeId: 10 });
    expect(decodeValue(Cli2Auth_VaultNodeDelete, "1c00 0a000000")).toEqual({ messageType: 28, nodeId: 10 });
    expect(decodeValue(Cli2Auth_VaultSetSeen, "2200 01000000 02000000 01")).toEqual({
      messageType: 34,
      parentNodeId: 1,
      childNodeId: 2,
      seen: true,
    });
    expect(decodeValue(Auth2Cli_VaultInitAgeReply, "1e00 01000000 00000000 0a000000 0b000000")).toMatchObject({
      ageNodeId: 10,
      ageInfoNodeId: 11,
    });
  });
});
