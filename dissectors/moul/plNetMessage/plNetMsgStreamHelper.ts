import {
  enumeration,
  equals,
  type FieldTree,
  type StructType,
  struct,
  type Type,
  u8,
  within,
} from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { contentLength } from "../common/content.js";

/** Source: specification "plNetMessage", CompressionType. */
const CompressionType = {
  kCompressionNone: 0,
  kCompressionFailed: 1,
  kCompressionZlib: 2,
  kCompressionDont: 3,
};

/** Length of the stream's content, inflated if it is compressed. */
function decodedLength(nodes: FieldTree, node: number): number {
  const data = nodes.child(node, "data");
  return data < 0 ? 0 : contentLength(nodes, data);
}

/**
 * A stream of bytes in a message, whose content depends on the message's class. Zlib leaves the first two bytes of the
 * content as they are. The uncompressed length means something only for zlib: others write 0 or the real length there.
 * Source: specification "plNetMsgStreamHelper"; corrections section 3; plNetMessage/plNetMsgHelpers.cpp.
 */
export function plNetMsgStreamHelper<V>(content: Type<V>): StructType<{ data?: V }> {
  return struct(
    "plNetMsgStreamHelper",
    {
      uncompressedLength: u32,
      compressionType: enumeration(u8, CompressionType),
      streamLength: u32,
      data: within("streamLength", content, {
        when: equals("compressionType", CompressionType.kCompressionZlib),
        literal: 2,
        inflatedLength: "uncompressedLength",
      }),
    },
    {
      derived: [
        {
          name: "decodedLength",
          doc: "Length in bytes of the content, after inflating.",
          schema: { type: "integer" },
          of: decodedLength,
        },
      ],
    },
  );
}
