import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { OpusDecoder } from "../../src/cli/objects/opus-decoder.js";
import { VoiceToWav } from "../../src/cli/objects/voice-to-wav.js";
import { isOpusPacket, opusSamples } from "../../src/export/opus-packet.js";
import { pythonWith } from "../spark/python.js";
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
const python = pythonWith(["mutagen"]);
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

/** How long a file plays, as mutagen says. */
function durationOf(file: string): number {
  const script = "import mutagen, sys; print(mutagen.File(sys.argv[1]).info.length)";
  const { status, stdout, stderr } = spawnSync(python ?? "", ["-c", script, file], { encoding: "utf8" });
  if (status !== 0) throw new Error(`mutagen: ${stderr}`);
  return Number(stdout);
}

/** A pause before some of the messages. */
interface Pauses {
  readonly before: readonly number[];
  readonly milliseconds: bigint;
}

/** A capture in which a player says something, 20 milliseconds in each message. */
function spoken(
  name: string,
  messages: readonly Readonly<Record<string, unknown>>[],
  { before, milliseconds }: Pauses = { before: [], milliseconds: 0n },
): string {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  for (const message of messages) {
    const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: 0 }, playerId: 42 };
    const buffer = { ...known, receivers: [43], ...message };
    talk.says("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer });
  }
  const packets = packetsOf(talk);
  const first = packets.length - messages.length;
  const pausesUntil = (packet: number) => BigInt(before.filter((message) => first + message <= packet).length);
  const records = packets.map((data, index) => {
    return { data, time: BigInt(index) * 20_000_000n + pausesUntil(index) * milliseconds * 1_000_000n };
  });
  writeFileSync(path(name), pcapFile(records, { linkType: RAW }));
  return path(name);
}

/** The only file that `objects` takes out of a capture. */
async function takenOut(capture: string, ...options: readonly string[]): Promise<string> {
  const out = `${capture}.out${options.join("")}`;
  expect((await run(["objects", capture, "-o", out, ...options])).code).toBe(0);
  const files = readdirSync(join(out, "voices"));
  expect(files).toHaveLength(1);
  return join(out, "voices", files[0] ?? "");
}

/** Frames of Opus in which somebody says something. */
function opusFrames(name: string, words: string): Uint8Array[] {
  ran("espeak-ng", "-w", path(`${name}.wav`), words);
  ran("opusenc", "--quiet", "--framesize", "20", path(`${name}.wav`), path(`${name}.opus`));
  return packetsIn(readFileSync(path(`${name}.opus`)));
}

/** The same of Speex. */
function speexFrames(name: string, words: string): Uint8Array[] {
  opusFrames(name, words);
  ran("opusdec", "--quiet", "--rate", "8000", path(`${name}.opus`), path(`${name}8.wav`));
  ran("speexenc", path(`${name}8.wav`), path(`${name}.spx`));
  return packetsIn(readFileSync(path(`${name}.spx`)));
}

const inOpus = (data: Uint8Array) => ({ voiceFlags: 5, frameCount: 1, voiceData: { ignored: 0, data } });
const inSpeex = (data: Uint8Array) => ({ voiceFlags: 3, frameCount: 1, voiceData: [{ data }] });

/** How loud it is between two times in a file. */
function loudnessBetween({ rate, samples }: ReturnType<typeof samplesOf>, from: number, to: number): number {
  return loudness(samples.subarray(Math.round(from * rate), Math.round(to * rate)));
}

describe.skipIf(!isThere || python === undefined)(
  "speech (skipped without espeak-ng, opus-tools, speex and mutagen)",
  () => {
    it("in Opus is played by opusdec", async () => {
      const frames = opusFrames("said", "Shorah. The door is open again, and she never arrived.");
      const taken = await takenOut(spoken("opus.pcap", frames.map(inOpus)));
      ran("opusdec", "--quiet", "--rate", "48000", path("said.opus"), path("theirs.wav"));
      ran("opusdec", "--quiet", "--rate", "48000", taken, path("ours.wav"));
      const [theirs, ours] = [samplesOf("theirs.wav"), samplesOf("ours.wav")];
      expect(frames.length).toBeGreaterThan(100);
      expect(ours.samples.length / 48_000).toBeCloseTo(frames.length * 0.02, 3);
      expect(Math.abs(ours.samples.length - theirs.samples.length) / 48_000).toBeLessThan(0.1);
      expect(loudness(ours.samples)).toBeGreaterThan(500);
      expect(loudness(ours.samples) / loudness(theirs.samples)).toBeCloseTo(1, 1);
    });

    it("in Speex is played by speexdec", async () => {
      const frames = speexFrames("asked", "Where is the book to the city?");
      const taken = await takenOut(spoken("speex.pcap", frames.map(inSpeex)));
      ran("speexdec", path("asked.spx"), path("theirs8.wav"));
      ran("speexdec", taken, path("ours8.wav"));
      const [theirs, ours] = [samplesOf("theirs8.wav"), samplesOf("ours8.wav")];
      expect(ours.rate).toBe(theirs.rate);
      expect(Math.abs(ours.samples.length - theirs.samples.length) / ours.rate).toBeLessThan(0.1);
      expect(loudness(ours.samples)).toBeGreaterThan(500);
      expect(loudness(ours.samples) / loudness(theirs.samples)).toBeCloseTo(1, 1);
    });

    it.each([
      {
        codec: "Opus",
        framesOf: opusFrames,
        messagesOf: (frames: Uint8Array[]) => frames.map(inOpus),
        ending: ".opus",
        decoder: "opusdec",
      },
      {
        codec: "Speex",
        framesOf: speexFrames,
        messagesOf: (frames: Uint8Array[]) => frames.map(inSpeex),
        ending: ".spx",
        decoder: "speexdec",
      },
    ])("has its pauses, or none, in $codec", async ({ codec, framesOf, messagesOf, ending, decoder }) => {
      const frames = framesOf(`pause ${codec}`, "This was said without a pause.");
      const spokenFor = frames.length * 0.02;
      const half = Math.floor(frames.length / 2);
      const pauses = { before: [half, half + 20], milliseconds: 1500n };
      const capture = spoken(`pauses ${codec}.pcap`, messagesOf(frames), pauses);
      for (const [option, silence] of [
        ["keep", 3],
        ["cut", 0],
      ] as const) {
        const taken = await takenOut(capture, "--silence", option);
        expect(taken.endsWith(ending)).toBe(true);
        ran(decoder, ...(codec === "Opus" ? ["--quiet", "--rate", "48000"] : []), taken, path("pauses.wav"));
        const { rate, samples } = samplesOf("pauses.wav");
        expect(Math.abs(samples.length / rate - spokenFor - silence), option).toBeLessThan(0.06);
        expect(Math.abs(durationOf(taken) - spokenFor - silence), option).toBeLessThan(0.12);
        const { stdout } = await run(["objects", capture, "--list", "--silence", option]);
        expect(stdout).toContain(`${(spokenFor + silence).toFixed(1)} s; ${frames.length} frames)`);
      }
      ran(
        decoder,
        ...(codec === "Opus" ? ["--quiet", "--rate", "48000"] : []),
        await takenOut(capture),
        path("pauses.wav"),
      );
      const whole = samplesOf("pauses.wav");
      const begin = half * 0.02;
      expect(loudnessBetween(whole, begin + 0.2, begin + 1.4)).toBeLessThan(20);
      expect(loudnessBetween(whole, begin + 2.1, begin + 3.2)).toBeLessThan(20);
      expect(loudnessBetween(whole, 0.1, begin)).toBeGreaterThan(500);
      expect(loudnessBetween(whole, begin + 3.5, spokenFor + 2.9)).toBeGreaterThan(150);
    });

    it("is two files if the pause is longer", async () => {
      const frames = opusFrames("long", "Before. After.");
      const half = Math.floor(frames.length / 2);
      const capture = spoken("long.pcap", frames.map(inOpus), { before: [half], milliseconds: 2500n });
      const out = `${capture}.out`;
      await run(["objects", capture, "-o", out]);
      const files = readdirSync(join(out, "voices"));
      expect(files).toHaveLength(2);
      const lengths = files.map((file) => durationOf(join(out, "voices", file)));
      expect(Math.abs(lengths.reduce((sum, length) => sum + length) - frames.length * 0.02)).toBeLessThan(0.2);
    });

    it("in Opus is WAV if that is wanted, as opusdec decodes it", async () => {
      const frames = opusFrames("wanted", "Read the journal in the library.");
      const capture = spoken("wanted.pcap", frames.map(inOpus));
      const taken = await takenOut(capture, "--wav");
      expect(taken.endsWith(".wav")).toBe(true);
      expect(durationOf(taken)).toBeCloseTo(frames.length * 0.02, 3);
      ran("opusdec", "--quiet", "--rate", "24000", await takenOut(capture), path("wanted.theirs.wav"));
      writeFileSync(path("wanted.ours.wav"), readFileSync(taken));
      const [theirs, ours] = [samplesOf("wanted.theirs.wav"), samplesOf("wanted.ours.wav")];
      expect(ours.rate).toBe(24_000);
      expect(Math.abs(ours.samples.length - theirs.samples.length)).toBeLessThan(10);
      expect(loudness(ours.samples) / loudness(theirs.samples)).toBeCloseTo(1, 1);
    });

    it("in Speex is WAV if that is wanted, as speexdec decodes it, with its pauses or without", async () => {
      const frames = speexFrames("also", "The journal is in the library.");
      const half = Math.floor(frames.length / 2);
      const capture = spoken("also.pcap", frames.map(inSpeex), { before: [half], milliseconds: 1500n });
      for (const [silence, seconds] of [
        ["keep", 1.5],
        ["cut", 0],
      ] as const) {
        const encoded = await takenOut(capture, "--silence", silence);
        const taken = await takenOut(capture, "--wav", "--silence", silence);
        expect(taken.endsWith(".wav")).toBe(true);
        expect(Math.abs(durationOf(taken) - frames.length * 0.02 - seconds)).toBeLessThan(0.06);
        ran("speexdec", "--no-enh", encoded, path("also.theirs.wav"));
        writeFileSync(path("also.ours.wav"), readFileSync(taken));
        const [theirs, ours] = [samplesOf("also.theirs.wav"), samplesOf("also.ours.wav")];
        expect(ours.rate).toBe(8000);
        expect(ours.samples.length).toBe(theirs.samples.length);
        const differences = ours.samples.map((sample, index) => sample - (theirs.samples[index] ?? 0));
        expect(loudness(theirs.samples) / loudness(differences)).toBeGreaterThan(1000);
      }
      expect((await run(["objects", capture, "--list", "--wav"])).stderr).toBe("");
    });
  },
);

describe("speech as WAV", () => {
  const silence = Uint8Array.of(0xf8, 0xff, 0xfe);

  it("has silence in place of Opus that cannot be decoded, and is no longer than the limit", async () => {
    const toWav = new VoiceToWav(48_000);
    // 20 ms of silence each; code 3 without a count, more than 120 ms, nothing at all.
    const odd = [Uint8Array.of(0xfb), Uint8Array.of(0xfb, 63), new Uint8Array(0), Uint8Array.of(0xf9, 1, 2, 3)];
    const { content, remarks } = (await toWav.wavOf("opus", [silence, ...odd, silence])) ?? {};
    expect(remarks).toEqual(["4 frames cannot be decoded"]);
    expect(content?.length).toBe(44 + 2 * 24 * (20 + 40 + 20));
    const long = await toWav.wavOf("opus", Array<Uint8Array>(60).fill(silence));
    expect(long?.remarks).toEqual(["cut at --limit transferBytes=N"]);
    expect(long?.content.length).toBe(44 + 48_000);
    await toWav.free();
  });

  it("has silence in place of Opus that is longer than its decoder takes", async () => {
    const toWav = new VoiceToWav(48_000);
    // Three frames of 1275 bytes, which Opus allows, and one that is longer than that.
    const long = [Uint8Array.of(0xfb, 3, ...new Uint8Array(3 * 1275)), Uint8Array.of(0xf8, ...new Uint8Array(65_000))];
    const { content, remarks } = (await toWav.wavOf("opus", [silence, ...long, silence])) ?? {};
    expect(remarks?.length).toBe(1);
    expect(content?.length).toBe(44 + 2 * 24 * (20 + 60 + 20 + 20));
    await toWav.free();
  });

  it("takes for packets of Opus what libopus does", async () => {
    const { decoder } = (await OpusDecoder.load()) ?? {};
    const byte = fc.oneof(fc.nat(255), fc.nat(9), fc.constant(255));
    const packets = fc.array(byte, { minLength: 1, maxLength: 700 }).map((bytes) => Uint8Array.from(bytes));
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    fc.assert(
      fc.property(packets, (packet) => {
        const { errors, samplesDecoded } = decoder?.decodeFrame(packet) ?? {};
        expect(isOpusPacket(packet)).toBe(errors?.length === 0);
        if (errors?.length === 0) expect(samplesDecoded).toBe(opusSamples(packet) / 2);
      }),
      { numRuns: 3000 },
    );
    vi.restoreAllMocks();
    decoder?.free();
  });

  it("counts Speex that cannot be decoded, and is no longer than the limit", async () => {
    const toWav = new VoiceToWav(3200);
    const frame = Uint8Array.of(0x0e, 0x9d, 0x66, 0, 0, 0x0f);
    const odd = [new Uint8Array(0), frame.subarray(0, 3), Uint8Array.of(0x7f)];
    const { content, remarks } = (await toWav.wavOf("speex", [frame, ...odd, frame])) ?? {};
    expect(remarks).toEqual(["3 frames cannot be decoded"]);
    expect(content?.length).toBe(44 + 5 * 320);
    const long = await toWav.wavOf("speex", Array<Uint8Array>(11).fill(frame));
    expect(long?.remarks).toEqual(["cut at --limit transferBytes=N"]);
    expect(long?.content.length).toBe(44 + 3200);
  });

  it("is not made of Opus without the package for it, nor of samples", async () => {
    const toWav = new VoiceToWav(1000, () => OpusDecoder.load(() => Promise.reject(new Error("Cannot find package"))));
    expect(await toWav.wavOf("pcm", [new Uint8Array(320)])).toBeUndefined();
    expect(toWav.lacksOpus).toBe(false);
    expect(await toWav.wavOf("opus", [silence])).toBeUndefined();
    expect(toWav.lacksOpus).toBe(true);
    await toWav.free();
  });

  it.each(["opus", "speex"] as const)("may be of any bytes: %s", async (codec) => {
    const toWav = new VoiceToWav(10_000_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), async (packets) => {
        const { content } = (await toWav.wavOf(codec, packets)) ?? {};
        expect(content?.length).toBeGreaterThanOrEqual(44);
      }),
    );
    await toWav.free();
  });
});
