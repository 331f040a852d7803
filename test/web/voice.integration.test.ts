import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "../../dissectors/moul/index.js";
import { SILENT_OPUS } from "../../src/export/ogg.js";
import { pcapFile } from "../support/captures.js";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { packetsIn } from "../support/ogg.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isBuilt, openInPage } from "./open-page.js";

/** Class index of plNetMsgVoice. */
const VOICE = 0x0279;
const FRAMES = 100;
/** Milliseconds in the middle during which nobody speaks. */
const PAUSE = 1000n;

/** A tone, encoded by `speexenc --quality 0`. */
const TONE = Uint8Array.of(0x0f, 0x30, 0x24, 0xc2, 0xee, 0x0f);

/** A capture in which two players say something at the same time, one in Opus and one in Speex, with a pause. */
function spoken(): Uint8Array {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  const encodings = [
    { playerId: 42, voiceFlags: 5, frameCount: 1, voiceData: { ignored: 0, data: SILENT_OPUS } },
    { playerId: 43, voiceFlags: 3, frameCount: 1, voiceData: [{ data: TONE }] },
  ];
  for (let frame = 0; frame < FRAMES; frame++) {
    for (const encoding of encodings) {
      const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: frame } };
      talk.says("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer: { ...known, receivers: [44], ...encoding } });
    }
  }
  const packets = packetsOf(talk);
  const first = packets.length - FRAMES * encodings.length;
  const records = packets.map((data, index) => {
    const frame = Math.floor((index - first) / encodings.length);
    const milliseconds = BigInt(Math.max(0, frame)) * 20n + (frame >= FRAMES / 2 ? PAUSE : 0n);
    return { data, time: milliseconds * 1_000_000n };
  });
  return pcapFile(records, { linkType: RAW });
}

const SECONDS = FRAMES * 0.02 + Number(PAUSE) / 1000;

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "voice in the page (skipped without chromium, and before a build)",
  () => {
    const folder = temporaryFolder();
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await startChromium(["--autoplay-policy=no-user-gesture-required"]);
      const capture = join(folder, "spoken.pcap");
      writeFileSync(capture, spoken());
      page = await openInPage(browser, [capture]);
      await page.click('nav.views >> text="Files"');
      await page.waitForSelector('th:has-text(".opus")');
    }, 60_000);

    afterAll(() => browser.close());

    it.each([
      { codec: "Opus", row: "42", ending: ".opus" },
      { codec: "Speex", row: "43", ending: ".spx" },
    ])("plays, with its pauses, if it is $codec", async ({ row, ending }) => {
      const isNew = page.waitForFunction((name) => {
        const audio = document.querySelector("audio");
        return audio?.getAttribute("aria-label")?.startsWith(name) === true && audio.duration > 0;
      }, row);
      await page.click(`button[aria-label^="Play ${row}"][aria-label$="${ending}"]`);
      await isNew;
      const audio = await page.evaluate(() => {
        const element = document.querySelector("audio");
        return { duration: element?.duration ?? 0, error: element?.error?.message };
      });
      expect(audio.error).toBeUndefined();
      expect(Math.abs(audio.duration - SECONDS)).toBeLessThan(0.1);
      await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0.1);
    });

    it("is heard if it is Speex", async () => {
      const loudest = await page.evaluate(async () => {
        const audio = document.querySelector("audio");
        if (audio === null) return 0;
        const context = new AudioContext();
        const analyser = context.createAnalyser();
        context.createMediaElementSource(audio).connect(analyser);
        audio.currentTime = 0;
        await audio.play();
        const samples = new Float32Array(analyser.fftSize);
        let most = 0;
        while (most === 0 && !audio.ended) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          analyser.getFloatTimeDomainData(samples);
          most = samples.reduce((loud, sample) => Math.max(loud, Math.abs(sample)), 0);
        }
        return most;
      });
      expect(loudest).toBeGreaterThan(0.01);
    });

    it("is saved as it was sent", async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click('button[aria-label^="Save 43"][aria-label$=".spx"]'),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.spx$/);
      const saved = readFileSync(await download.path());
      expect(saved.subarray(0, 4).toString()).toBe("OggS");
      const frames = packetsIn(saved).map((frame) => Buffer.from(frame).toString("hex"));
      expect(frames.filter((frame) => frame === Buffer.from(TONE).toString("hex"))).toHaveLength(FRAMES);
    });
  },
);
