import { concat } from "../common/concat.js";
import { counted } from "../common/counted.js";
import { opusInOgg, SILENT_OPUS, speexInOgg } from "./ogg.js";
import { isOpusPacket, lostOpus, opusSamples } from "./opus-packet.js";
import { SPEEX_RATE, SPEEX_SAMPLES, SpeexDecoder } from "./speex/decoder.js";
import { isSpeexFrame } from "./speex/frame-header.js";
import { decodedSpeech, type SpeechDecoder, wav } from "./wav.js";

/** How speech is encoded. */
export type Codec = "opus" | "speex" | "pcm";

/** What becomes of the pauses in speech. */
export const silences = ["keep", "cut"] as const;
export type Silence = (typeof silences)[number];

/** Frames that came together. */
interface Part {
  /** Seconds since the first part came. */
  readonly seconds: number;
  readonly frames: readonly Uint8Array[];
}

/** Rate of recordings with Opus in MOUL clients, which players show. Source: plAudible/plVoiceChat. */
export const OPUS_RATE = 24_000;
/** Rate of plain samples. */
const SAMPLE_RATE = 8000;
const OPUS_SAMPLES = 48_000;

/** Seconds of a frame of Speex, and of any piece of silence. */
const FRAME = 0.02;
/** Seconds by which frames may be late without anybody having been silent: networks do not deliver on time. */
const JITTER = 0.1;

/** Times are sums of numbers such as 0.02. */
const ROUNDING = 1e-6;

/** What `speexenc --quality 0` makes of silence in narrowband. */
const SILENT_SPEEX = Uint8Array.of(0x0e, 0x9d, 0x66, 0, 0, 0x0f);
/** Plain samples have two bytes each. */
const SILENT_SAMPLES = new Uint8Array(2 * SAMPLE_RATE * FRAME);

const silent: Readonly<Record<Codec, Uint8Array>> = { opus: SILENT_OPUS, speex: SILENT_SPEEX, pcm: SILENT_SAMPLES };

/** How long some frames play. */
export function secondsOf(codec: Codec, frames: readonly Uint8Array[]): number {
  return frames.reduce((sum, frame) => sum + frameSeconds(codec, frame), 0);
}

function frameSeconds(codec: Codec, frame: Uint8Array): number {
  if (codec === "opus") return opusSamples(frame) / OPUS_SAMPLES;
  return codec === "speex" ? FRAME : Math.floor(frame.length / 2) / SAMPLE_RATE;
}

/** True if a decoder takes a frame for one. */
function isDecodable(codec: Codec, frame: Uint8Array): boolean {
  if (codec === "opus") return isOpusPacket(frame);
  return codec === "pcm" || isSpeexFrame(frame);
}

/** What is to be said about frames that no decoder takes. @param damaged how many they are */
export function damageText(damaged: number): string[] {
  return damaged === 0 ? [] : [`${counted(damaged, "frame")} cannot be decoded`];
}

/** The same of frames that are not decoded here. */
export function damageIn(codec: Codec, frames: readonly Uint8Array[]): string[] {
  return damageText(frames.filter((frame) => !isDecodable(codec, frame)).length);
}

/**
 * The frames of what somebody says, in order. If pauses are kept, there is silence between them, so that each part ends
 * when it came.
 */
export function framesOf(codec: Codec, parts: readonly Part[], silence: Silence): Uint8Array[] {
  const frames: Uint8Array[] = [];
  let end: number | undefined;
  for (const part of parts) {
    const length = secondsOf(codec, part.frames);
    const begin = part.seconds - length;
    end ??= begin;
    if (silence === "keep" && begin - end > JITTER) {
      const count = Math.floor((begin - end) / FRAME + ROUNDING);
      for (let piece = 0; piece < count; piece++) frames.push(silent[codec]);
      end += count * FRAME;
    }
    for (const frame of part.frames) frames.push(frame);
    end += length;
  }
  return frames;
}

/** Decodes Speex. Where a frame is damaged, what was said before goes on and fades. */
export function speexDecoder(): SpeechDecoder {
  const decoder = new SpeexDecoder();
  return {
    rate: SPEEX_RATE,
    samplesOf: () => SPEEX_SAMPLES,
    decode: (frame) => ({ samples: decoder.decode(frame), isDamaged: !isSpeexFrame(frame) }),
  };
}

/** A file that players know. */
export interface SpeechFile {
  /** How its name ends. */
  readonly ending: string;
  readonly bytes: () => Uint8Array;
}

/** Frames as players take them: some pass over damaged ones, and what follows would come too early, and some end there. */
function playable(codec: Codec, frames: readonly Uint8Array[]): Uint8Array[] {
  const known = codec === "opus" ? frames.filter((frame) => opusSamples(frame) > 0) : frames;
  return known.map((frame) => {
    if (codec === "pcm") return frame.subarray(0, 2 * Math.floor(frame.length / 2));
    if (isDecodable(codec, frame)) return frame;
    return codec === "opus" ? lostOpus(frame) : SILENT_SPEEX;
  });
}

/** Frames of speech as a file, in which silence, or what a decoder makes of a lost frame, stands for a damaged one. */
export function speechFile(codec: Codec, frames: () => readonly Uint8Array[]): SpeechFile {
  switch (codec) {
    case "opus":
      return { ending: ".opus", bytes: () => opusInOgg(playable(codec, frames()), OPUS_RATE) };
    case "speex":
      return { ending: ".spx", bytes: () => speexInOgg(playable(codec, frames()), 0) };
    case "pcm":
      return { ending: ".wav", bytes: () => wav(concat(playable(codec, frames())), SAMPLE_RATE) };
  }
}

/** What browsers play. */
export interface PlayableSpeech {
  readonly type: string;
  readonly bytes: () => Uint8Array;
}

/** Frames of speech as browsers play them, which do not know Speex. @param mostBytes of what is decoded for them */
export function playableSpeech(codec: Codec, frames: () => readonly Uint8Array[], mostBytes: number): PlayableSpeech {
  if (codec === "speex")
    return { type: "audio/wav", bytes: () => decodedSpeech(frames(), speexDecoder(), mostBytes).content };
  return { type: codec === "opus" ? "audio/ogg; codecs=opus" : "audio/wav", bytes: speechFile(codec, frames).bytes };
}
