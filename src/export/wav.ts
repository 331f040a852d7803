/** Bytes in front of the samples. */
const HEAD = 44;

/** Samples of 16 bits, little-endian, one channel, as a WAV file. @param rate samples of a second */
export function wav(samples: Uint8Array, rate: number): Uint8Array {
  const file = new Uint8Array(HEAD + samples.length);
  const view = new DataView(file.buffer);
  const text = new TextEncoder();
  file.set(text.encode("RIFF"));
  view.setUint32(4, HEAD - 8 + samples.length, true);
  file.set(text.encode("WAVEfmt "), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  file.set(text.encode("data"), 36);
  view.setUint32(40, samples.length, true);
  file.set(samples, HEAD);
  return file;
}

/** What makes samples of frames, one after the other. */
export interface SpeechDecoder {
  /** Samples of a second. */
  readonly rate: number;
  /** Number of samples that a frame stands for. */
  samplesOf(frame: Uint8Array): number;
  /** The samples of the next frame, from -1 to 1; what lacks is silence. */
  decode(frame: Uint8Array): DecodedFrame;
}

/** A frame of speech, decoded. */
export interface DecodedFrame {
  /** From -1 to 1. */
  readonly samples: Float32Array;
  readonly isDamaged: boolean;
}

/** Speech as a WAV file. */
export interface DecodedSpeech {
  readonly content: Uint8Array;
  /** Number of damaged frames. */
  readonly damaged: number;
  /** True if there is more of it than fits. */
  readonly isCut: boolean;
}

/** Decodes frames to a WAV file. @param mostBytes of samples: a frame of one byte may stand for 120 milliseconds */
export function decodedSpeech(frames: readonly Uint8Array[], decoder: SpeechDecoder, mostBytes: number): DecodedSpeech {
  const whole = frames.reduce((sum, frame) => sum + decoder.samplesOf(frame), 0);
  const samples = new Int16Array(Math.min(whole, Math.floor(mostBytes / 2)));
  let at = 0;
  let damaged = 0;
  for (const frame of frames) {
    if (at >= samples.length) break;
    const decoded = decoder.decode(frame);
    const end = at + decoder.samplesOf(frame);
    if (decoded.isDamaged) damaged++;
    write(decoded.samples, samples.subarray(at, end));
    at = end;
  }
  return { content: wav(new Uint8Array(samples.buffer), decoder.rate), damaged, isCut: samples.length < whole };
}

/** Writes samples from -1 to 1 as numbers of 16 bits. */
function write(decoded: Float32Array, samples: Int16Array): void {
  for (const index of samples.keys()) {
    samples[index] = Math.round(32_767 * Math.max(-1, Math.min(1, decoded[index] ?? 0)));
  }
}
