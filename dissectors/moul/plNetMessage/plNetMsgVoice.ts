import { array, bytes, choice, derive, type FieldTree, flags, group, rest, u8, usually } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { bytesInHex } from "../common/bytesInHex.js";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plNetMessage } from "./plNetMessage.js";

/** Source: plAudio/plVoiceChat.h, plVoiceFlags. */
const plVoiceFlags = {
  kEncoded: 1 << 0,
  kEncodedSpeex: 1 << 1,
  kEncodedOpus: 1 << 2,
};

const { kEncoded, kEncodedOpus } = plVoiceFlags;

const pcm = bytes(rest).doc("Samples: 16 bits, 8 kHz, one channel.");

const speexFrame = group({
  byteCount: u8,
  data: bytes("byteCount").sensitive("voice"),
});

const speex = array(speexFrame, "frameCount").doc("Speex frames.");

const opus = group({
  ignored: u32.doc("0, so that a reader that expects Speex frames finds only empty ones."),
  data: bytes(rest).sensitive("voice").doc("An Opus packet."),
});

/** kEncoded is tested first; Opus takes precedence over Speex, which needs no flag of its own. */
const voiceData = choice(
  { field: "voiceFlags", mask: kEncoded | kEncodedOpus },
  { [kEncoded]: speex, [kEncoded | kEncodedOpus]: opus.inJson("opusData") },
  pcm.inJson("pcmData"),
);

/** All of the voice data; empty if its length is 0. */
function voiceBytes(nodes: FieldTree, node: number): Uint8Array | undefined {
  const data = nodes.child(node, "voiceData");
  if (data >= 0) return nodes.bytes(data);
  return nodes.numberIn(node, "voiceDataLength") === 0 ? new Uint8Array(0) : undefined;
}

/** What a player says. Source: specification "plNetMsgVoice"; corrections section 3; plNetMessage/plNetMessage.cpp. */
export const plNetMsgVoice = derive(
  "plNetMsgVoice",
  plNetMessage,
  {
    voiceFlags: flags(u8, plVoiceFlags).inSummary(),
    frameCount: u8.doc("Number of encoded frames; 0 for raw samples."),
    voiceDataLength: u16,
    voiceData: usually("voiceDataLength", voiceData, "listeners read only frameCount frames").sensitive("voice"),
    receiverCount: u8,
    receivers: array(kiNumber, "receiverCount").doc("Who can hear it.").inJson("receiverKiNumbers"),
  },
  { tag: 0x0279, derived: [bytesInHex("voiceDataHex", voiceBytes)] },
);
