import type { StateEvent } from "moul-dissect/dissector";
import type { FieldTree } from "moul-dissect/schema";
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
  const frames = codec === "pcm" ? [nodes.bytes(data).slice()] : framesIn(nodes, data);
  if (codec === "speex" && !nodes.hasChildren(data))
    frames.push(...speexFrames(nodes.bytes(data), nodes.numberIn(envelope, "frameCount") ?? 0));
  const isRelayed = direction === "s2c";
  return [{ kind: "voice", from, codec, frames, isRelayed, key: `${from.id} ${digest(nodes.bytes(data))}` }];
}

/** Encoded frames, as they were read. */
function framesIn(nodes: FieldTree, data: number): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let node = data; node < nodes.nextOf(data); node++) {
    if (nodes.field(node).name === "data" && !nodes.hasChildren(node)) frames.push(nodes.bytes(node).slice());
  }
  return frames;
}

/** Frames of Speex where fewer are there than are said to be, as listeners read them. The last one may be cut. */
function speexFrames(bytes: Uint8Array, count: number): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; frames.length < count && at < bytes.length; ) {
    const end = at + 1 + (bytes[at] ?? 0);
    frames.push(bytes.slice(at + 1, end));
    at = end;
  }
  return frames;
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
