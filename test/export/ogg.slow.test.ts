import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { opusInOgg, speexInOgg } from "../../src/export/ogg.js";
import { wav } from "../../src/export/wav.js";
import { packetsIn } from "../support/ogg.js";

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-ogg-"));
const path = (name: string) => join(folder, name);

function has(...programs: readonly string[]): boolean {
  return programs.every((program) => spawnSync("which", [program]).status === 0);
}

function ran(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}`);
}

/** Two seconds of a rising tone, 16 bits, one channel. */
function tone(rate: number): Uint8Array {
  const samples = new Int16Array(2 * rate);
  for (const index of samples.keys()) samples[index] = 8000 * Math.sin((index / rate) * (1200 + (300 * index) / rate));
  return wav(new Uint8Array(samples.buffer), rate);
}

/** Seconds of sound in a WAV file of 16 bits, one channel. */
function secondsOf(name: string): number {
  const bytes = readFileSync(path(name));
  return (bytes.length - bytes.indexOf("data") - 8) / 2 / bytes.readUInt32LE(24);
}

describe("speech in Ogg", () => {
  it.skipIf(!has("opusenc", "opusdec"))("is what opusdec plays: Opus (skipped without opus-tools)", () => {
    writeFileSync(path("in48.wav"), tone(48_000));
    ran("opusenc", "--quiet", "--framesize", "20", path("in48.wav"), path("theirs.opus"));
    const packets = packetsIn(readFileSync(path("theirs.opus")));
    writeFileSync(path("ours.opus"), opusInOgg(packets, 48_000));
    ran("opusdec", "--quiet", path("ours.opus"), path("opus.wav"));
    expect(packets.length).toBeGreaterThan(90);
    // What a decoder leaves out at the beginning is silence that was added.
    expect(secondsOf("opus.wav")).toBeCloseTo(packets.length * 0.02, 3);
  });

  it.skipIf(!has("speexenc", "speexdec"))("is what speexdec plays: Speex (skipped without speex)", () => {
    writeFileSync(path("in8.wav"), tone(8000));
    ran("speexenc", "--quiet", path("in8.wav"), path("theirs.spx"));
    const frames = packetsIn(readFileSync(path("theirs.spx")));
    writeFileSync(path("ours.spx"), speexInOgg(frames, 0));
    ran("speexdec", path("ours.spx"), path("speex.wav"));
    expect(frames.length).toBeGreaterThan(90);
    expect(secondsOf("speex.wav")).toBeCloseTo(frames.length * 0.02, 1);
  });

  it("is a page with the heads and an end even if nothing is said", () => {
    expect(packetsIn(opusInOgg([], 48_000))).toEqual([]);
    expect(opusInOgg([], 48_000).subarray(0, 4)).toEqual(Uint8Array.from(Buffer.from("OggS")));
  });
});
