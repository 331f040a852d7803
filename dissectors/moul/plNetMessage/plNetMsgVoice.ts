import { array, bytes, choice, derive, flags, rest, struct, type Type, u8, within } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";
import { plNetMessage } from "./plNetMessage.js";

/** Source: plAudio/plVoiceChat.h, plVoiceFlags. */
export const plVoiceFlags = {
  kEncoded: 1 << 0,
  kEncodedSpeex: 1 << 1,
  kEncodedOpus: 1 << 2,
};

const { kEncoded, kEncodedOpus } = plVoiceFlags;

const pcm = bytes(rest).doc("Samples: 16 bits, 8 kHz, one channel.");

const speexFrame = struct("speexFrame", {
  byteCount: u8,
  data: bytes("byteCount"),
});

const speex = array(speexFrame, "frameCount").doc("Speex frames.");

const opus = struct("opus", {
  ignored: u32.doc("0, so that a reader that expects Speex frames finds only empty ones."),
  data: bytes(rest).doc("An Opus packet."),
});

/** The codec for each value of the flags: encoded or not decides first, Opus wins over Speex, which needs no flag. */
const byFlags: Record<number, Type<unknown>> = {};
for (let value = 0; value < 256; value++) {
  if ((value & kEncoded) === 0) byFlags[value] = pcm;
  else byFlags[value] = (value & kEncodedOpus) === 0 ? speex : opus;
}

/** What somebody says. Source: specification "plNetMsgVoice"; corrections section 3; plNetMessage/plNetMessage.cpp. */
export const plNetMsgVoice = derive(
  "plNetMsgVoice",
  plNetMessage,
  {
    voiceFlags: flags(u8, plVoiceFlags).inSummary(),
    frameCount: u8.doc("Number of encoded frames; 0 for raw samples."),
    voiceDataLength: u16,
    voiceData: within("voiceDataLength", choice("voiceFlags", byFlags)),
    receiverCount: u8,
    receivers: array(u32, "receiverCount").doc("KI numbers of the avatars who can hear it."),
  },
  { tag: 0x0279 },
);
