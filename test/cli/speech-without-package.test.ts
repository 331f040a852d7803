import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { OpusDecoder } from "../../src/cli/objects/opus-decoder.js";
import { SILENT_OPUS } from "../../src/export/ogg.js";
import { pcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

afterEach(() => {
  vi.restoreAllMocks();
});

/** Class index of plNetMsgVoice. */
const VOICE = 0x0279;

it("without the package opus-decoder, objects --wav leaves Opus as it is, and says so", async () => {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: 0 }, receivers: [43] };
  const opus = { voiceFlags: 5, frameCount: 1, voiceData: { ignored: 0, data: SILENT_OPUS } };
  talk.says("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer: { ...known, playerId: 42, ...opus } });
  const capture = join(folder, "spoken.pcap");
  const records = packetsOf(talk).map((data, index) => ({ data, time: BigInt(index) * 20_000_000n }));
  writeFileSync(capture, pcapFile(records, { linkType: RAW }));
  const { load } = OpusDecoder;
  vi.spyOn(OpusDecoder, "load").mockImplementation(() => load(() => Promise.reject(new Error("Cannot find package"))));
  const { code, stdout, stderr } = await run(["objects", capture, "--list", "--wav"]);
  expect(code).toBe(0);
  expect(stdout).toContain(".opus");
  expect(stderr).toBe(
    "moul-dissect: Opus voice stays Opus: --wav needs the package opus-decoder for it (npm install opus-decoder)\n",
  );
});
