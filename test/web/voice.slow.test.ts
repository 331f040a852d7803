import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "../../dissectors/moul/index.js";
import { SILENT_OPUS } from "../../src/export/ogg.js";
import { pcapFile } from "../support/captures.js";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { isBuilt, openInPage } from "./open-page.js";

/** Class index of plNetMsgVoice. */
const VOICE = 0x0279;
const FRAMES = 100;
/** Milliseconds in the middle during which nobody speaks. */
const PAUSE = 1000n;

/** A capture in which two players say something, each with a pause. */
function spoken(): Uint8Array {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  for (let frame = 0; frame < FRAMES; frame++) {
    const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: frame } };
    const opus = { playerId: 42, voiceFlags: 5, frameCount: 1, voiceData: { ignored: 0, data: SILENT_OPUS } };
    talk.says("Cli2Game_PropagateBuffer", { classIndex: VOICE, buffer: { ...known, receivers: [43], ...opus } });
  }
  const speex = { voiceFlags: 3, frameCount: 1, voiceData: [{ data: Uint8Array.of(0x0e, 0x9d, 0x66, 0, 0, 0x0f) }] };
  const known = { class: "plNetMsgVoice", flags: 0x1001, timeSent: { seconds: 0, microseconds: 0 } };
  talk.says("Cli2Game_PropagateBuffer", {
    classIndex: VOICE,
    buffer: { ...known, receivers: [42], playerId: 43, ...speex },
  });
  const packets = packetsOf(talk);
  const middle = packets.length - 1 - FRAMES / 2;
  const records = packets.map((data, index) => {
    const milliseconds = BigInt(index) * 20n + (index >= middle ? PAUSE : 0n);
    return { data, time: milliseconds * 1_000_000n };
  });
  return pcapFile(records, { linkType: RAW });
}

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

    it("plays, with its pauses, if it is Opus", async () => {
      await page.click('button[aria-label^="Play 42"]');
      await page.waitForFunction(() => (document.querySelector("audio")?.duration ?? 0) > 0);
      const audio = await page.evaluate(() => {
        const element = document.querySelector("audio");
        return { duration: element?.duration ?? 0, error: element?.error?.message };
      });
      expect(audio.error).toBeUndefined();
      expect(Math.abs(audio.duration - FRAMES * 0.02 - Number(PAUSE) / 1000)).toBeLessThan(0.1);
      await page.waitForFunction(() => (document.querySelector("audio")?.currentTime ?? 0) > 0.1);
    });

    it("can only be saved if it is Speex, and says so", async () => {
      const row = page.locator('tr:has(th:has-text(".spx"))');
      expect(await row.locator('button:has-text("Play")').count()).toBe(0);
      expect(await row.textContent()).toContain("Browsers do not play it.");
      expect(await row.locator('button:has-text("Save")').count()).toBe(1);
    });
  },
);
