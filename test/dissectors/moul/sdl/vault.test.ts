import { describe, expect, it } from "vitest";
import { NetVaultNode } from "../../../../dissectors/moul/messages/vault/NetVaultNode.js";
import { NodeTypes } from "../../../../dissectors/moul/messages/vault/NodeTypes.js";
import { checkClass, decodeWhole } from "../../../support/check.js";
import { blob, given, json, notes } from "./given.js";

const descriptors = given("STATEDESC clothingItem { VERSION 3 VAR RGB8 tint[1] }");
const item = blob("clothingItem", 3, "0000 06 01 0000 010203 00");

/** A node with only the type and the first blob. */
function node(nodeType: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(nodeType === 0 ? 2 ** 30 : 2 ** 7 + 2 ** 30, 0);
  head.writeUInt32LE(nodeType, 8);
  head.writeUInt32LE(content.length, 12);
  return Buffer.concat([head.subarray(0, 8), nodeType === 0 ? head.subarray(12) : head.subarray(8), content]);
}

describe("the blob of a vault node", () => {
  it("is an SDL blob if the node is of that type", () => {
    const nodes = checkClass(NetVaultNode, node(NodeTypes.kNodeType_SDL, item), descriptors);
    expect(json(nodes)).toMatchObject({
      nodeType: "kNodeType_SDL",
      blob_1: {
        byteCount: item.length,
        sdlBlob: {
          descriptorName: "clothingItem",
          record: { simpleVariables: [{ name: "tint", values: [[1, 2, 3]] }] },
        },
      },
    });
  });

  it("may be empty", () => {
    const nodes = checkClass(NetVaultNode, node(NodeTypes.kNodeType_SDL, Buffer.alloc(0)), descriptors);
    expect(json(nodes)).toMatchObject({ blob_1: { byteCount: 0 } });
  });

  it("remains bytes in a node of another or unknown type", () => {
    for (const type of [NodeTypes.kNodeType_Chronicle, 0]) {
      const nodes = checkClass(NetVaultNode, node(type, item), descriptors);
      expect(json(nodes)).toMatchObject({ blob_1: Buffer.from(item).toString("hex") });
    }
  });

  it("does not affect the rest if it is broken", () => {
    const bytes = node(NodeTypes.kNodeType_SDL, item.subarray(0, item.length - 2));
    bytes.writeUInt32LE(2 ** 7 + 2 ** 30 + 2 ** 31, 0);
    const nodes = decodeWhole(NetVaultNode, Buffer.concat([bytes, Buffer.from("01000000ff", "hex")]), descriptors);
    expect(nodes.outcome).toBe("malformed");
    expect(notes(nodes).join()).toMatch(/^blob_1\.sdlBlob\.record\./);
    expect(json(nodes)).toMatchObject({ blob_2: "ff" });
  });
});
