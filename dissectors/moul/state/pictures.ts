import type { StateEvent } from "moul-dissect/dissector";
import { NodeTypes } from "../messages/vault/NodeTypes.js";
import { titleOf } from "../messages/vault/namedFields.js";
import { nodeOf, type ReadMessage } from "./message-reader.js";

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47];

/** A picture in a vault node, behind its length. Source: plVault/plVaultNodeAccess.cpp, VaultImageNode::ExtractImage. */
export function pictureIn({ nodes, number }: ReadMessage): StateEvent[] {
  const node = nodeOf(nodes, "NetVaultNode");
  if (node < 0 || nodes.numberIn(node, "nodeType") !== NodeTypes.kNodeType_Image) return [];
  const blob = nodes.child(node, "blob_1");
  if (blob < 0) return [];
  const bytes = nodes.bytes(blob);
  // Other clients write it with another header: what counts is where the picture begins.
  for (const [magic, ending] of [
    [JPEG, ".jpg"],
    [PNG, ".png"],
  ] as const) {
    const start = indexOf(bytes, magic, 16);
    if (start < 0) continue;
    const id = nodes.numberIn(node, "nodeId") ?? number;
    const title = titleOf(nodes, node) ?? `image ${id}`;
    return [{ kind: "picture", node: String(id), title, ending, bytes: bytes.slice(start) }];
  }
  return [];
}

/** Where some bytes are, no later than `last`; -1 if they are not there. */
function indexOf(bytes: Uint8Array, wanted: readonly number[], last: number): number {
  for (let at = 0; at <= last; at++) if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}
