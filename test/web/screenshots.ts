/** Makes the pictures of the page in `docs`: `npm run screenshots`. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startChromium } from "../support/chromium.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { openInPage } from "./open-page.js";

const FOLDER = projectPath("docs/pictures");

/** What is in each picture. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  messages: async (page) => {
    await page.fill("#filter", "result != kNetSuccess");
    await page.press("#filter", "Escape");
    await page.press("#filter", "Enter");
    await page.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("14 of"));
    await page.keyboard.press("F8");
    await page.click("#line-2");
  },
  timeline: async (page) => {
    await page.click("text=Clear");
    await page.keyboard.press("Alt+2");
    await page.waitForSelector(".lane-title");
  },
  sequence: async (page) => {
    await page.keyboard.press("Alt+3");
    await page.waitForSelector(".arrow");
  },
  vault: async (page) => {
    await page.keyboard.press("Alt+6");
    await page.locator('[role="treeitem"]', { hasText: "10212" }).first().click();
    await page.waitForSelector("article h2");
  },
};

const browser = await startChromium();
const page = await openInPage(browser, [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]);
for (const [name, prepare] of Object.entries(PICTURES)) {
  await prepare(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
await browser.close();
