import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { speexInOgg } from "../../src/export/ogg.js";
import { SpeexDecoder } from "../../src/export/speex/decoder.js";
import { packetsIn } from "../support/ogg.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const PROGRAMS = ["espeak-ng", "speexenc", "speexdec"];
/** Samples of a second that espeak-ng makes. */
const SPOKEN_RATE = 22_050;
const isThere = PROGRAMS.every((program) => spawnSync("which", [program]).status === 0);

function ran(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}`);
}

function samplesOf(name: string): Int16Array {
  const bytes = readFileSync(path(name));
  return new Int16Array(Uint8Array.from(bytes.subarray(bytes.indexOf("data") + 8)).buffer);
}

/** Samples at another rate: each is what is between its neighbours. What is audible beyond half of the rate does no harm. */
function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  return Int16Array.from({ length: Math.floor((samples.length * to) / from) }, (_, index) => {
    const at = (index * from) / to;
    const [before = 0, after = 0] = samples.subarray(Math.floor(at), Math.floor(at) + 2);
    return before + (after - before) * (at % 1);
  });
}

/** A WAVE file of one channel. */
function waveFile(samples: Int16Array, rate: number): Buffer {
  const header = Buffer.from(
    "RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0",
    "latin1",
  );
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, new Uint8Array(samples.buffer)]);
}

/** What speexenc makes of the speech. */
function encoded(options: string, input = "said8.wav"): Uint8Array[] {
  ran("speexenc", ...options.split(" "), path(input), path("encoded.spx"));
  return packetsIn(readFileSync(path("encoded.spx")));
}

/** How much louder, in decibels, speech is than the difference between what speexdec and we make of it. */
function ratio(frames: readonly Uint8Array[]): number {
  writeFileSync(path("narrow.spx"), speexInOgg(frames, 0));
  ran("speexdec", "--no-enh", path("narrow.spx"), path("decoded.wav"));
  const theirs = samplesOf("decoded.wav");
  const decoder = new SpeexDecoder();
  const ours = frames.flatMap((frame) => [...decoder.decode(frame)]);
  expect(ours).toHaveLength(theirs.length);
  let signal = 0;
  let difference = 0;
  for (const [index, sample] of theirs.entries()) {
    signal += sample ** 2;
    difference += (sample - 32_768 * (ours[index] ?? 0)) ** 2;
  }
  expect(signal).toBeGreaterThan(0);
  return 10 * Math.log10(signal / difference);
}

const submodesOf = (frames: readonly Uint8Array[]) => new Set(frames.map(([first = 0]) => first >> 3));

const QUALITIES = Array.from({ length: 11 }, (_, quality) => `--quality ${quality}`);

describe.skipIf(!isThere)("Speex (skipped without espeak-ng and speex)", () => {
  beforeAll(() => {
    ran("espeak-ng", "-w", path("said.wav"), "Shorah. The door is open again, and nobody knows why she never arrived.");
    const said = samplesOf("said.wav");
    for (const rate of [8, 16]) {
      const speech = resampled(said, SPOKEN_RATE, rate * 1000);
      // With a second in which nobody speaks.
      const samples = new Int16Array(speech.length + rate * 1000);
      samples.set(speech);
      writeFileSync(path(`said${rate}.wav`), waveFile(samples, rate * 1000));
    }
  });

  it.each([
    ...QUALITIES,
    ...QUALITIES.map((quality) => `--vbr ${quality}`),
    ...QUALITIES.map((quality) => `--vad --dtx ${quality}`),
    "--vbr --dtx --quality 3",
    "--vbr --dtx",
    "--comp 1",
    "--comp 10",
    "--bitrate 15000",
    "--abr 11000",
  ])("of speexenc %s is decoded as speexdec does", (options) => {
    expect(ratio(encoded(options))).toBeGreaterThan(60);
  });

  it("was tried in all submodes", () => {
    const frames = [...QUALITIES, "--vad --dtx"].flatMap((options) => encoded(options));
    expect([...submodesOf(frames)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each(QUALITIES)("in wideband, %s, has a narrowband part that is decoded", (options) => {
    expect(ratio(encoded(`--wideband ${options}`, "said16.wav"))).toBeGreaterThan(60);
  });
});
