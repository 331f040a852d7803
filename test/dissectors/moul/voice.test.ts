import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pcapFile } from "../../support/captures.js";
import { run } from "../../support/command-line.js";
import { MoulTalk, packetsOf } from "../../support/moul-session.js";
import { RAW } from "../../support/network.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();

/** Class index of plNetMsgVoice. */
const VOICE = 0x0279;

const FRAME = Uint8Array.of(0x0e, 0x9d, 0x66, 0, 0, 0x0f);
const COUNTED = [FRAME.length, ...FRAME];

/** What `objects --list` says of a message with voice. */
async function listed(voiceFlags: number, frameCount: number, data: readonly number[]): Promise<string> {
  const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: 0 }, playerId: 42 };
  // As samples, which are any bytes; the flags are put in afterwards.
  const said = { voiceFlags: 0, frameCount: 0xee, voiceData: Uint8Array.from(data), receivers: [43] };
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  const bytes = talk.message("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer: { ...known, ...said } });
  bytes.set([voiceFlags, frameCount], bytes.indexOf(0xee) - 1);
  const capture = join(folder, "spoken.pcap");
  const records = packetsOf(talk.plain("c2s", bytes)).map((packet) => ({ data: packet }));
  writeFileSync(capture, pcapFile(records, { linkType: RAW }));
  return (await run(["objects", capture, "--list"])).stdout;
}

describe("voice", () => {
  it("of Speex is what listeners read: the frames that are there, if more are said to be", async () => {
    expect(await listed(3, 3, [...COUNTED, ...COUNTED])).toMatch(/0\.0 s; 2 frames\)$/m);
    expect(await listed(3, 3, [...COUNTED, ...COUNTED.slice(0, 4)])).toMatch(/2 frames; 1 frame cannot be decoded\)$/m);
    expect(await listed(3, 0, COUNTED)).toBe("");
  });

  it("is not what is too short for a packet of Opus", async () => {
    expect(await listed(5, 1, [0, 0, 0, 0, 0xf8, 0xff, 0xfe])).toMatch(/0\.0 s; 1 frame\)$/m);
    expect(await listed(5, 1, [0xf8, 0xff, 0xfe])).toBe("");
  });
});
