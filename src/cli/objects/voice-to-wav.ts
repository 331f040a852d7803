import { type Codec, damageText, speexDecoder } from "../../export/speech.js";
import { type DecodedSpeech, decodedSpeech } from "../../export/wav.js";
import { OpusDecoder } from "./opus-decoder.js";

/** Makes WAV files of encoded voice: of Speex always, of Opus if there is a package for it. */
export class VoiceToWav {
  #opus: Promise<OpusDecoder | undefined> | undefined;
  #lacksOpus = false;

  /** @param mostBytes of the samples of a file @param loadOpus returns undefined if its package is not installed */
  constructor(
    readonly mostBytes: number,
    readonly loadOpus: () => Promise<OpusDecoder | undefined> = () => OpusDecoder.load(),
  ) {}

  /** True if there was Opus, and no package for it. */
  get lacksOpus(): boolean {
    return this.#lacksOpus;
  }

  /** One stretch of speech as a WAV file, and what is to be said about it; undefined if it stays what it is. */
  async wavOf(
    codec: Codec,
    frames: readonly Uint8Array[],
  ): Promise<{ readonly content: Uint8Array; readonly remarks: string[] } | undefined> {
    if (codec === "pcm") return undefined;
    const decoder = codec === "speex" ? speexDecoder() : await this.#readyOpus();
    return decoder === undefined ? undefined : remarked(decodedSpeech(frames, decoder, this.mostBytes));
  }

  async #readyOpus(): Promise<OpusDecoder | undefined> {
    this.#opus ??= this.loadOpus();
    const opus = await this.#opus;
    if (opus === undefined) this.#lacksOpus = true;
    await opus?.reset();
    return opus;
  }

  async free(): Promise<void> {
    (await this.#opus)?.free();
  }
}

function remarked({ content, damaged, isCut }: DecodedSpeech): { content: Uint8Array; remarks: string[] } {
  return {
    content,
    remarks: [...damageText(damaged), ...(isCut ? ["cut at --limit transferBytes=N"] : [])],
  };
}
