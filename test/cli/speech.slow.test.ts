import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { packetsIn } from "../support/ogg.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Speech, from a voice that says something, through messages and a capture, to what other programs play. */

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const PROGRAMS = ["espeak-ng", "opusenc", "opusdec", "speexenc", "speexdec"];
const isThere = PROGRAMS.every((program) => spawnSync("which", [program]).status === 0);

function ran(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}`);
}

/** Class index of plNetMsgVoice. */
const VOICE = 0x0279;

/** The samples of a WAV file of 16 bits, one channel. */
function samplesOf(name: string): { readonly rate: number; readonly samples: Int16Array } {
  const bytes = readFileSync(path(name));
  const data = bytes.subarray(bytes.indexOf("data") + 8);
  return { rate: bytes.readUInt32LE(24), samples: new Int16Array(Uint8Array.from(data).buffer, 0, data.length >> 1) };
}

/** How loud samples are: the root of their mean square. */
function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** A capture in which a player says something, 20 milliseconds in each message. */
function spoken(name: string, messages: readonly Readonly<Record<string, unknown>>[]): string {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  for (const message of messages) {
    const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: 0 }, playerId: 42 };
    const buffer = { ...known, receivers: [43], ...message };
    talk.says("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer });
  }
  const records = packetsOf(talk).map((data, index) => ({ data, time: BigInt(index) * 20_000_000n }));
  writeFileSync(path(name), pcapFile(records, { linkType: RAW }));
  return path(name);
}

/** The only file that `objects` takes out of a capture. */
async function takenOut(capture: string): Promise<string> {
  const out = `${capture}.out`;
  expect((await run(["objects", capture, "-o", out])).code).toBe(0);
  const files = readdirSync(join(out, "voices"));
  expect(files).toHaveLength(1);
  return join(out, "voices", files[0] ?? "");
}

describe.skipIf(!isThere)("speech (skipped without espeak-ng, opus-tools and speex)", () => {
  it("in Opus is played by opusdec", async () => {
    ran("espeak-ng", "-w", path("said.wav"), "Shorah. The door is open again, and she never arrived.");
    ran("opusenc", "--quiet", "--framesize", "20", path("said.wav"), path("said.opus"));
    const frames = packetsIn(readFileSync(path("said.opus")));
    const messages = frames.map((data) => ({ voiceFlags: 5, frameCount: 1, voiceData: { ignored: 0, data } }));
    const taken = await takenOut(spoken("opus.pcap", messages));
    ran("opusdec", "--quiet", "--rate", "48000", path("said.opus"), path("theirs.wav"));
    ran("opusdec", "--quiet", "--rate", "48000", taken, path("ours.wav"));
    const [theirs, ours] = [samplesOf("theirs.wav"), samplesOf("ours.wav")];
    expect(frames.length).toBeGreaterThan(100);
    expect(Math.abs(ours.samples.length - theirs.samples.length) / 48_000).toBeLessThan(0.1);
    expect(loudness(ours.samples)).toBeGreaterThan(500);
    expect(loudness(ours.samples) / loudness(theirs.samples)).toBeCloseTo(1, 1);
  });

  it("in Speex is played by speexdec", async () => {
    ran("espeak-ng", "-w", path("asked.wav"), "Where is the book to the city?");
    ran("opusenc", "--quiet", path("asked.wav"), path("asked.opus"));
    ran("opusdec", "--quiet", "--rate", "8000", path("asked.opus"), path("asked8.wav"));
    ran("speexenc", path("asked8.wav"), path("asked.spx"));
    const frames = packetsIn(readFileSync(path("asked.spx")));
    const messages = frames.map((data) => ({ voiceFlags: 3, frameCount: 1, voiceData: [{ data }] }));
    const taken = await takenOut(spoken("speex.pcap", messages));
    ran("speexdec", path("asked.spx"), path("theirs8.wav"));
    ran("speexdec", taken, path("ours8.wav"));
    const [theirs, ours] = [samplesOf("theirs8.wav"), samplesOf("ours8.wav")];
    expect(ours.rate).toBe(theirs.rate);
    expect(Math.abs(ours.samples.length - theirs.samples.length) / ours.rate).toBeLessThan(0.1);
    expect(loudness(ours.samples)).toBeGreaterThan(500);
    expect(loudness(ours.samples) / loudness(theirs.samples)).toBeCloseTo(1, 1);
  });
});
