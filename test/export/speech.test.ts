import { describe, expect, it } from "vitest";
import { SILENT_OPUS } from "../../src/export/ogg.js";
import { damageIn, secondsOf, speechFile } from "../../src/export/speech.js";
import { packetsIn } from "../support/ogg.js";

const SPEEX = Uint8Array.of(0x0e, 0x9d, 0x66, 0, 0, 0x0f);

/** The packets of a file, without the silence in front of Opus. */
function packetsOf(codec: "opus" | "speex", frames: readonly Uint8Array[]): number[][] {
  const packets = packetsIn(speechFile(codec, () => frames).bytes());
  return packets.slice(codec === "opus" ? 4 : 0).map((packet) => [...packet]);
}

describe("speech with damaged frames", () => {
  it("has packets in Ogg Opus that decoders take for lost, and none for those that are of no length", () => {
    const odd = [
      new Uint8Array(0),
      Uint8Array.of(0xfb),
      Uint8Array.of(0xf9, 1, 2, 3),
      new Uint8Array(70_000).fill(0xf8),
    ];
    const frames = [SILENT_OPUS, ...odd, SILENT_OPUS];
    expect(packetsOf("opus", frames)).toEqual([[...SILENT_OPUS], [0xfb, 2], [0xfb, 1], [...SILENT_OPUS]]);
    expect(damageIn("opus", frames)).toEqual(["4 frames cannot be decoded"]);
    expect(secondsOf("opus", frames)).toBeCloseTo(0.1);
  });

  it("has silence in Ogg Speex", () => {
    const frames = [SPEEX, new Uint8Array(0), Uint8Array.of(0x7f), SPEEX.subarray(0, 3), SPEEX];
    expect(packetsOf("speex", frames)).toEqual(Array(5).fill([...SPEEX]));
    expect(damageIn("speex", frames)).toEqual(["3 frames cannot be decoded"]);
  });

  it("has whole samples", () => {
    const frames = [Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)];
    expect([
      ...speechFile("pcm", () => frames)
        .bytes()
        .subarray(44),
    ]).toEqual([1, 2, 4, 5]);
    expect(secondsOf("pcm", frames)).toBe(2 / 8000);
    expect(damageIn("pcm", frames)).toEqual([]);
  });
});
