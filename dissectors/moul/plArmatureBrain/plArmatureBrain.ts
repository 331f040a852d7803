import { bool, type FieldTree, group, isTrue, struct, withTwin } from "moul-dissect/schema";
import { f32, f64, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";

/** What the classes plAvBrain and plAvBrainUser once held. Source: plAvatar/plAvBrain.cpp. */
const reserved = group(
  {
    avBrainNumber: u32,
    avBrainKeyPresent: bool,
    avBrainKey: plKey.when(isTrue("avBrainKeyPresent")),
    avBrainUserNumber: u32,
    avBrainUserFloat: f32,
    avBrainUserDouble: f64,
  },
  {
    shownAs: withTwin((nodes: FieldTree, node: number) => Buffer.from(nodes.bytes(node)).toString("hex"), "bytes"),
    shownLike: { pattern: /^[\da-f]*$/, what: "a text of hexadecimal digits" },
  },
);

/** Base of what controls an avatar. Source: corrections section 2; plAvatar/plAvBrain.cpp. */
export const plArmatureBrain = struct(
  "plArmatureBrain",
  { reserved: reserved.doc("Written as zeros, ignored by readers.") },
  { tag: 0x035b },
);
