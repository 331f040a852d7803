import type { StateEvent } from "moul-dissect/dissector";
import { senderIn } from "./chat.js";
import { nodeOf, type ReadMessage } from "./message-reader.js";

/** Bits of plNetMsgVoice.voiceFlags. Source: plNetMessage/plNetMessage.h, VoiceFlags. */
const ENCODED = 1 << 0;
const OPUS = 1 << 2;

/** What somebody says aloud: the frames of a plNetMsgVoice. */
export function voiceIn(message: ReadMessage): StateEvent[] {
  const { nodes, direction } = message;
  const envelope = nodeOf(nodes, "plNetMsgVoice");
  const from = senderIn(nodes, envelope);
  const data = envelope < 0 ? -1 : nodes.child(envelope, "voiceData");
  if (data < 0 || from === undefined) return [];
  const flags = nodes.numberIn(envelope, "voiceFlags") ?? 0;
  const codec = (flags & ENCODED) === 0 ? "pcm" : (flags & OPUS) !== 0 ? "opus" : "speex";
  const frames: Uint8Array[] = [];
  if (!nodes.hasChildren(data)) frames.push(nodes.bytes(data).slice());
  for (let node = data; node < nodes.nextOf(data); node++) {
    if (nodes.field(node).name === "data" && !nodes.hasChildren(node)) frames.push(nodes.bytes(node).slice());
  }
  const isRelayed = direction === "s2c";
  return [{ kind: "voice", from, codec, frames, isRelayed, key: `${from.id} ${digest(nodes.bytes(data))}` }];
}

/** A number that hardly any other bytes have: two mixing sums of 32 bits, of which 53 bits are used. */
function digest(bytes: Uint8Array): number {
  let one = 0x811c9dc5;
  let other = bytes.length;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(other ^ byte, 0x85ebca6b) ^ (other >>> 13);
  }
  return (one & 0x1fffff) * 0x100000000 + (other >>> 0);
}
