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
const PROGRAMS = ["espeak-ng", "ffmpeg", "speexenc", "speexdec"];
const isThere = PROGRAMS.every((program) => spawnSync("which", [program]).status === 0);

function ran(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}`);
}

function samplesOf(name: string): Int16Array {
  const bytes = readFileSync(path(name));
  return new Int16Array(Uint8Array.from(bytes.subarray(bytes.indexOf("data") + 8)).buffer);
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

describe.skipIf(!isThere)("Speex (skipped without espeak-ng, ffmpeg and speex)", () => {
  beforeAll(() => {
    ran("espeak-ng", "-w", path("said.wav"), "Shorah. The door is open again, and nobody knows why she never arrived.");
    // With a second in which nobody speaks.
    for (const rate of [8, 16])
      ran(
        "ffmpeg",
        "-v",
        "error",
        "-i",
        path("said.wav"),
        "-af",
        "apad=pad_dur=1",
        "-ar",
        `${rate}000`,
        path(`said${rate}.wav`),
      );
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
