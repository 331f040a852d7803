import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { sample } from "../support/samples.js";
import { isBuilt, openInPage } from "./open-page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const VIEWS = [
  "Messages",
  "Time line",
  "Sequence",
  "Players",
  "Chat",
  "Vault",
  "States",
  "Files",
  "Statistics",
  "Reference",
];

/** The rules of WCAG AA, and the one of them to which colours matter. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
const COLOUR_RULES = ["color-contrast"];

/** What axe finds wrong by some rules, each in a line. */
async function faultsBy(page: Page, rules: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async (runOnly) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    },
    [...rules],
  );
}

/** What axe finds wrong in the light, and in the dark, where only the colours are others. */
async function faults(page: Page): Promise<string[]> {
  const light = await faultsBy(page, RULES);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await faultsBy(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page, for everyone (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await startChromium();
    }, 60_000);

    afterAll(() => browser.close());

    it("has names, roles and contrasts as WCAG AA wants them, light and dark", async () => {
      const page = await openInPage(browser, []);
      // By evaluation: the page allows no other script.
      await page.evaluate(AXE);
      expect(await faults(page)).toEqual([]);
      await page.setInputFiles("#files", [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]);
      await page.waitForSelector('[data-phase="done"]');
      for (const view of VIEWS) {
        await page.click(`nav.views >> text="${view}"`);
        if (view === "Messages") {
          await page.keyboard.press("Control+f");
          await page.waitForSelector("#find:focus");
          await page.fill("#filter", "result != kNetSucc");
          await page.waitForSelector("#offers");
          await page.focus("#tree");
          await page.keyboard.press("ArrowDown");
        }
        if (view === "Time line") {
          await page.waitForSelector("#time-line");
          await page.focus("#time-line");
          await page.keyboard.press("ArrowDown");
          await page.keyboard.press("ArrowRight");
        }
        await page.waitForTimeout(300);
        expect(await faults(page), view).toEqual([]);
      }
      await page.close();
    }, 120_000);

    it("fits into 900 pixels, and into half a window (200 % zoom)", async () => {
      const page = await openInPage(browser, [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]);
      for (const [width, height] of [
        [900, 700],
        [640, 400],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const view of VIEWS) {
          await page.click(`nav.views >> text="${view}"`);
          const isWider = await page.evaluate(
            () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
          );
          expect(isWider, `${view} at ${width}`).toBe(false);
          expect(await page.locator(".view").evaluate((element) => element.clientHeight)).toBeGreaterThan(60);
        }
      }
      await page.close();
    });
  },
);
