import type { OpusDecoder as Decoder } from "opus-decoder";
import { isOpusPacket, opusSamples } from "../../export/opus-packet.js";
import { OPUS_RATE } from "../../export/speech.js";
import type { DecodedFrame, SpeechDecoder } from "../../export/wav.js";

/** Samples of 48 kHz, in which Opus counts, for each that is decoded. */
const PER_SAMPLE = 48_000 / OPUS_RATE;

const DAMAGED: DecodedFrame = { samples: new Float32Array(0), isDamaged: true };

/** Decodes Opus with the package opus-decoder, which need not be installed. */
export class OpusDecoder implements SpeechDecoder {
  readonly rate = OPUS_RATE;

  private constructor(readonly decoder: Decoder<typeof OPUS_RATE>) {}

  /** @returns undefined if the package is not installed @param loaded gives the package */
  static async load(loaded = () => import("opus-decoder")): Promise<OpusDecoder | undefined> {
    const module = await loaded().catch(() => undefined);
    if (module === undefined) return undefined;
    const decoder = new module.OpusDecoder({ channels: 1, sampleRate: OPUS_RATE });
    await decoder.ready;
    return new OpusDecoder(decoder);
  }

  /** Makes it ready for what somebody else says. */
  reset(): Promise<void> {
    return this.decoder.reset();
  }

  samplesOf(packet: Uint8Array): number {
    return opusSamples(packet) / PER_SAMPLE;
  }

  decode(packet: Uint8Array): DecodedFrame {
    if (!isOpusPacket(packet)) return DAMAGED;
    const { error } = console;
    // It prints what it returns as well.
    console.error = () => {};
    try {
      const { channelData, errors } = this.decoder.decodeFrame(packet);
      const [samples] = channelData;
      return errors.length > 0 || samples === undefined ? DAMAGED : { samples, isDamaged: false };
    } catch {
      // It throws where a packet is longer than it takes, which may be less than Opus allows.
      return DAMAGED;
    } finally {
      console.error = error;
    }
  }

  free(): void {
    this.decoder.free();
  }
}
