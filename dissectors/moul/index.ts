import type { Dissector, KeyFile, Opening } from "../../src/session/dissector.js";
import { connectPackets, dataBytesOf, HEADER_BYTES } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import { MoulKeys, readMoulKeys } from "./keys/moul-keys.js";
import { types } from "./types.js";

/** A client begins with its connect packet, which says enough to be told from anything else, on any port. */
function recognise({ transport, c2s, s2c }: Opening): "yes" | "no" | "more" {
  if (transport !== "tcp") return "no";
  const [type] = c2s;
  // The server says nothing before it has the connect packet, unless the beginning was not captured.
  if (type === undefined) return s2c.length > 0 ? "no" : "more";
  const packet = connectPackets.get(type);
  if (packet === undefined) return "no";
  const view = new DataView(c2s.buffer, c2s.byteOffset, c2s.byteLength);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  if (c2s.length < HEADER_BYTES + 4) return "more";
  return view.getUint32(HEADER_BYTES, true) === dataBytesOf(packet) ? "yes" : "no";
}

/** Keys do not change during a run, and what is worked out of them serves all connections. */
const keysOf = new WeakMap<readonly KeyFile[], MoulKeys>();

/** Myst Online: Uru Live. */
export const moul: Dissector = {
  name: "moul",
  types,
  readKeys: readMoulKeys,
  recognise,
  open(conversation) {
    let keys = keysOf.get(conversation.keys);
    if (keys === undefined) {
      keys = new MoulKeys(conversation.keys);
      keysOf.set(conversation.keys, keys);
    }
    return new MoulConversation(conversation, keys);
  },
};
