import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { projectPath } from "../support/project-path.js";
import { isBuilt } from "./open-page.js";
import { ALIKE, openAlike, picture, VISITS } from "./pictures.js";

/** What the page looks like: `npm run screenshots` makes these. */
const KEPT = projectPath("test/web/pictures");
/** Where those are put that do not look like it. */
const OTHERS = projectPath("node_modules/.cache/moul-dissect/pictures");

/** How far the colour of a pixel may be off, from 0 to 1: versions of the browser smooth letters differently. */
const COLOUR = 0.2;
/** How many pixels may be off by more: those of a letter. A bar of another colour has more. */
const MOST = 40;

/** How many pixels of a picture are not as in the one that is kept; those that are not are put where one can look. */
async function pixelsOff(name: string, now: Buffer): Promise<number> {
  await mkdir(OTHERS, { recursive: true });
  await writeFile(join(OTHERS, `${name}.png`), now);
  const [kept, other] = [PNG.sync.read(await readFile(join(KEPT, `${name}.png`))), PNG.sync.read(now)];
  const { width, height } = kept;
  expect([other.width, other.height]).toEqual([width, height]);
  const difference = new PNG({ width, height });
  const off = pixelmatch(kept.data, other.data, difference.data, width, height, { threshold: COLOUR });
  await writeFile(join(OTHERS, `${name}.difference.png`), PNG.sync.write(difference));
  return off;
}

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await startChromium(ALIKE);
      page = await openAlike(browser);
    }, 60_000);

    afterAll(() => browser.close());

    it.each(Object.entries(VISITS))("looks as it did: %s", async (name, visit) => {
      await visit(page);
      const now = await picture(page);
      expect(existsSync(join(KEPT, `${name}.png`)), "a picture is kept").toBe(true);
      const off = await pixelsOff(name, now);
      expect(off, `pixels of ${join(OTHERS, `${name}.png`)} that are other than before`).toBeLessThanOrEqual(MOST);
    });
  },
);
