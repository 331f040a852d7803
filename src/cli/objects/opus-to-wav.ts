import type { OpusDecoder } from "opus-decoder";
import { counted } from "../../common/counted.js";
import { opusSamples, wav } from "../../export/ogg.js";
import { OPUS_RATE } from "../../export/speech.js";
import { UsageError } from "../usage-error.js";

/** Samples of 48 kHz, in which Opus counts, for each that is written. */
const PER_SAMPLE = 48_000 / OPUS_RATE;

/** Decodes Opus with the package opus-decoder, which need not be installed. */
export class OpusToWav {
  private constructor(
    readonly decoder: OpusDecoder<typeof OPUS_RATE>,
    readonly mostBytes: number,
  ) {}

  /**
   * @param mostBytes of a file: a packet of one byte may stand for 120 ms
   * @param loaded gives the package
   * @throws UsageError if the package is not installed
   */
  static async load(mostBytes: number, loaded = () => import("opus-decoder")): Promise<OpusToWav> {
    const { OpusDecoder: Decoder } = await loaded().catch(() => {
      throw new UsageError("--wav needs the package opus-decoder: npm install opus-decoder");
    });
    const decoder = new Decoder({ channels: 1, sampleRate: OPUS_RATE });
    await decoder.ready;
    return new OpusToWav(decoder, mostBytes);
  }

  /** One stretch of speech as a WAV file, and what is to be said about it. */
  async wavOf(packets: readonly Uint8Array[]): Promise<{ readonly content: Uint8Array; readonly remarks: string[] }> {
    await this.decoder.reset();
    const whole = packets.reduce((sum, packet) => sum + opusSamples(packet) / PER_SAMPLE, 0);
    const samples = new Int16Array(Math.min(whole, Math.floor(this.mostBytes / 2)));
    let at = 0;
    let damaged = 0;
    for (const packet of packets) {
      if (at >= samples.length) break;
      const length = opusSamples(packet) / PER_SAMPLE;
      const decoded = length === 0 ? undefined : this.#decoded(packet);
      // What cannot be decoded is silence, so that the rest is where it belongs.
      if (decoded === undefined) damaged++;
      else write(decoded, samples.subarray(at, at + length));
      at += length;
    }
    return {
      content: wav(new Uint8Array(samples.buffer), OPUS_RATE),
      remarks: [
        ...(damaged > 0 ? [`${counted(damaged, "frame")} cannot be decoded`] : []),
        ...(samples.length < whole ? ["cut at --limit transferBytes=N"] : []),
      ],
    };
  }

  /** The samples of a packet, from -1 to 1; undefined if it is damaged. */
  #decoded(packet: Uint8Array): Float32Array | undefined {
    const { error } = console;
    // It prints what it returns as well.
    console.error = () => {};
    try {
      const { channelData, errors } = this.decoder.decodeFrame(packet);
      return errors.length > 0 ? undefined : channelData[0];
    } finally {
      console.error = error;
    }
  }

  free(): void {
    this.decoder.free();
  }
}

/** Writes samples from -1 to 1 as numbers of 16 bits. */
function write(decoded: Float32Array, samples: Int16Array): void {
  for (const index of samples.keys()) {
    samples[index] = Math.round(32_767 * Math.max(-1, Math.min(1, decoded[index] ?? 0)));
  }
}
