import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SpeexDecoder } from "../../src/export/speex/decoder.js";

/**
 * Three frames of each submode: a rising tone with overtones and a little noise, made for this and encoded by speexenc.
 * The samples are every tenth of the last frame, as `speexdec --no-enh` decodes them.
 */
const ENCODED: readonly { readonly submode: number; readonly frames: string[]; readonly samples: number[] }[] = [
  {
    submode: 1,
    frames: ["0f3024c2ee0f", "0f3024b72e0f", "0f3024ab2e0f"],
    samples: [901, 862, 2, 4042, -3967, -1770, 947, 504, 335, -171, -1984, -1948, 744, 598, 359, 273],
  },
  {
    submode: 2,
    frames: ["173024c2c512583137dbb55590a5ac", "173024b6dd326f3997318ff591b9a8", "173024aaddd535ee3259d74fcfddc4"],
    samples: [-705, 502, 1724, 960, -464, -1774, -460, -27, 2421, 128, -433, -1608, -1222, 55, 2068, -4],
  },
  {
    submode: 3,
    frames: [
      "1f30256658da0d7315cc678d5de368a6bcd3e3d1",
      "1f302565fffa312aec5dcf6d6e327b7ab51ec18d",
      "1f30256567ed8d2694583e91562c639994f1f9d4",
    ],
    samples: [579, -127, 876, -1089, -1086, 425, 472, -493, 746, -679, -1349, 619, 324, -480, 371, -830],
  },
  {
    submode: 4,
    frames: [
      "273025664be76720fee62bb1394e5b356fd8102a328608ec13ef8527",
      "27302565fffb9a450d75c78e627dd6a5b89c013c3aed47b60704ff97",
      "2730256d2addceda0c2d1898faf649d5589b571a4de527c2ad5ad617",
    ],
    samples: [667, 94, 908, -707, -1417, 151, 430, -466, 1269, -859, -1384, 718, 65, -203, 574, -757],
  },
  {
    submode: 5,
    frames: [
      "2f305e915764e3016eab4f30a0b191960d85993789d5b8d3b64ebac0736bdbe9d7efb6bbfbb7",
      "2f302891575d5eebdad7a13185ed9d7b2adc1bee05969cc704d10626993ac2eaf86998520d87",
      "2f303a933756e2fc5432a76980ab71bb787d6b32731538c68663c1988b4a83ee03d71988b697",
    ],
    samples: [524, 116, 378, -994, 286, 545, 390, -440, 880, -817, 702, 313, -1232, 159, -26, 283],
  },
  {
    submode: 6,
    frames: [
      "37305e9157649f72ad77dfd8729035b1919bd145955a5244c97707c55963311114fb98ebdbe9e87e3ae025055ff7",
      "37302891575d5e9fcc02182208e393ee4f9579cc2b00ef8efc96b8d7fe5f2667c7c64a1ac2d5838be178a91e5567",
      "37303a9337d29ec76591f2e8af6e1d2b71ab2fe6f9760f9d459538d65cbe49eaf97277ca6bea348849f2027d4d37",
    ],
    samples: [474, -85, 20, -1152, 121, 5, -243, -476, 600, -966, 327, 401, -1216, 211, -425, 566],
  },
  {
    submode: 7,
    frames: [
      "3f305e915764e3016e2b4d70a09ac484131d9131919b0d85993780d29cbd0107425587d3b730e710de00da4cc1b60acc3feb52c3b9bb24e9db6f4ba05347",
      "3f302891575d5e9da77f21ab64634940f6743e6e0f662b56f81d848d2a0edb24ef96b8dfdad1c9a69928a571159ab1dac2e2566998520d0d30f9425b9d27",
      "3f303a9337d29ea05701a7d980f36309250bd1abaf9b3993964fd61549337e6166d538df9063c1988dcd7ba591004c6a9c62a7fde340616543d7ed88c507",
    ],
    samples: [410, 17, 872, -1092, -564, -42, -112, -482, 1142, -797, -163, -216, -985, -993, 256, 193],
  },
  {
    submode: 8,
    frames: ["473024c2ed1772ccd9f2", "473024b72dcfe65febfa", "473024ab2dccff65ef7a"],
    samples: [-1116, 379, 1273, 5275, -1726, -3509, -1034, 90, 187, 5764, -2844, -3801, -1455, 173, 475, 3650],
  },
  {
    submode: 0,
    frames: [
      "2f305e915764e3016eab4f30a0b191960d85993789d5b8d3b64ebac0736bdbe9d7efb6bbfbb7",
      "2f302891575d5eebdad7a13185ed9d7b2adc1bee05969cc704d10626993ac2eaf86998520d87",
      "07",
    ],
    samples: [-2349, -682, 317, 5468, -1531, -2828, 2951, 4597, 3391, -419, -1684, -768, 2371, 3212, 1218, 1139],
  },
];

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const framesOf = (submode: number) => (ENCODED.find((one) => one.submode === submode)?.frames ?? []).map(bytes);

/** The samples of frames, as numbers of 16 bits. */
function decoded(frames: readonly Uint8Array[], decoder = new SpeexDecoder()): number[] {
  return frames.flatMap((frame) => [...decoder.decode(frame)].map((sample) => Math.round(32_768 * sample)));
}

function loudness(samples: readonly number[]): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

type Bits = readonly [number: number, width: number];

/** A frame with something in front of it. */
function withBits(frame: Uint8Array, ...numbers: readonly Bits[]): Uint8Array {
  const text = [...numbers, ...[...frame].map((byte) => [byte, 8] as const)]
    .map(([value, width]) => value.toString(2).padStart(width, "0"))
    .join("");
  return Uint8Array.from(text.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
}

const ones = (count: number) => Array.from({ length: count }, (): Bits => [1, 1]);

describe("Speex", () => {
  it.each(ENCODED)("is decoded as speexdec does: submode $submode", ({ frames, samples }) => {
    const ours = decoded(frames.map(bytes)).slice(320);
    for (const [index, sample] of samples.entries()) {
      expect(Math.abs((ours[10 * index + 9] ?? Number.NaN) - sample), `sample ${index}`).toBeLessThanOrEqual(3);
    }
  });

  it("may have higher bands, which are left out", () => {
    const [frame = new Uint8Array(0)] = framesOf(3);
    const plain = decoded([frame]);
    expect(decoded([Uint8Array.of(...frame, 0b1001_0000, 1, 2, 3, 4)])).toEqual(plain);
    const widths = [4, 36, 112, 192, 352];
    for (const [submode, width] of widths.entries()) {
      const layer: Bits[] = [[0b1000 | submode, 4], ...ones(width - 4)];
      expect(decoded([withBits(frame, ...layer)]), `layer ${submode}`).toEqual(plain);
      expect(decoded([withBits(frame, ...layer, ...layer)]), `two layers ${submode}`).toEqual(plain);
      expect(decoded([withBits(frame, ...layer, ...layer, ...layer)]), `three layers ${submode}`).not.toEqual(plain);
    }
    for (const submode of [5, 6, 7])
      expect(loudness(decoded([withBits(frame, [0b1000 | submode, 4])]))).toBeLessThan(2);
  });

  it("may have signals in-band, which are left out", () => {
    const [frame = new Uint8Array(0)] = framesOf(5);
    const plain = decoded([frame]);
    const widths = [1, 1, 4, 4, 4, 4, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64];
    for (const [request, width] of widths.entries()) {
      const signal: Bits[] = [[14, 5], [request, 4], ...ones(width)];
      expect(decoded([withBits(frame, ...signal)]), `request ${request}`).toEqual(plain);
    }
    for (const length of [0, 1, 15]) {
      const signal: Bits[] = [[13, 5], [length, 4], ...ones(5 + 8 * length)];
      expect(decoded([withBits(frame, ...signal, ...signal)]), `${length} bytes`).toEqual(plain);
    }
  });

  it("goes on and fades where frames are lost, and then is as loud as before", () => {
    const frames = [...framesOf(5), ...framesOf(5)];
    const decoder = new SpeexDecoder();
    const before = loudness(decoded(frames, decoder));
    const lost = Array.from({ length: 12 }, () => loudness(decoded([new Uint8Array(0)], decoder)));
    expect(lost[0]).toBeGreaterThan(before / 4);
    for (const loud of lost) expect(loud).toBeLessThan(2 * before);
    expect(lost[11]).toBeLessThan(before / 100);
    const after = loudness(decoded(frames, decoder));
    expect(after / before).toBeGreaterThan(0.7);
    expect(after / before).toBeLessThan(1.4);
  });

  it("takes a frame that is cut, ends at once or has no such submode as one that is lost", () => {
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = framesOf(5);
    const lost = decoded([first, new Uint8Array(0)]);
    for (const damaged of [
      second.subarray(0, second.length - 1),
      Uint8Array.of(0x7f),
      ...[9, 10, 11, 12].map((submode) => Uint8Array.of(submode << 3, ...second.subarray(1))),
    ])
      expect(decoded([first, damaged])).toEqual(lost);
  });

  it("hisses where nothing is transmitted because nobody speaks", () => {
    const [, frame = new Uint8Array(0)] = framesOf(1);
    const nothing = Uint8Array.of(0);
    const follows = (bits: number) =>
      Uint8Array.of(...frame.subarray(0, 4), ((frame[4] ?? 0) & 0xfe) | (bits >> 3), (bits << 5) & 0xff);
    const paused = decoded([follows(15), nothing, nothing]);
    expect(decoded([follows(15), new Uint8Array(0), new Uint8Array(0)])).toEqual(paused);
    expect(decoded([follows(0), new Uint8Array(0), new Uint8Array(0)])).not.toEqual(paused);
    expect(loudness(paused.slice(320))).toBeGreaterThan(100);
  });

  it("may be any bytes", () => {
    const anyFrame = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      // Mostly a submode that there is, with bytes that suffice.
      fc
        .tuple(fc.nat(8), fc.uint8Array({ minLength: 62, maxLength: 62 }))
        .map(([submode, rest]) => Uint8Array.of((submode << 3) | ((rest[0] ?? 0) & 7), ...rest)),
    );
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 40 }), (frames) => {
        const decoder = new SpeexDecoder();
        for (const frame of frames) {
          const samples = decoder.decode(frame);
          expect(samples.length).toBe(160);
          expect(samples.every((sample) => sample >= -1 && sample <= 1)).toBe(true);
        }
      }),
    );
  });
});
