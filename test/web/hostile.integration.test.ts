import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { projectPath } from "../support/project-path.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";
import { crowd, large, MARKUP, markup } from "./hostile-captures.js";
import { isBuilt, openFiles, openInPage } from "./open-page.js";

const file = filesIn(temporaryFolder());
const VIEWS = [
  "Time line",
  "Sequence",
  "Players",
  "Chat",
  "Vault",
  "States",
  "Files",
  "Statistics",
  "Reference",
  "Messages",
];
const REGRESSIONS = projectPath("test/fuzz/regressions");

/** More elements than a page has that draws only what can be seen. */
const MOST_ELEMENTS = 6000;

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page, given hostile captures (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;
    const complaints: string[] = [];

    beforeAll(async () => {
      browser = await startChromium();
      page = await openInPage(browser, []);
      page.on("request", (request) => {
        if (!request.url().startsWith("blob:")) complaints.push(request.url());
      });
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => complaints.push(dialog.message()));
    }, 60_000);

    afterAll(() => browser.close());

    /** Looks at everything; what is captured has neither run nor become a part of the page. */
    async function visit(path: string): Promise<void> {
      await openFiles(page, [path]);
      for (const view of VIEWS) {
        await page.click(`nav.views >> text="${view}"`);
        await page.waitForTimeout(100);
        const facts = await page.evaluate(() => ({
          title: document.title,
          scripts: document.scripts.length,
          strangers: document.querySelectorAll("img, svg, iframe, object, embed, a[href], form").length,
          elements: document.querySelectorAll("*").length,
        }));
        expect(facts, view).toMatchObject({ title: "moul-dissect", scripts: 2, strangers: 0 });
        expect(facts.elements, view).toBeLessThan(MOST_ELEMENTS);
      }
      for (let step = 0; step < 5; step++) await page.keyboard.press("F8");
      expect(complaints).toEqual([]);
    }

    it("shows markup as the text that it is", async () => {
      await visit(file("markup.pcap", markup()));
      await page.focus("#messages");
      await page.keyboard.press("Home");
      for (let step = 0; step < 2; step++) await page.keyboard.press("F8");
      const texts = await page.textContent("body");
      expect(texts).toContain("onerror=");
      expect(texts).not.toContain("\u202e");
      expect(MARKUP).toContain("\u202e");
    });

    it("shows long names and many bytes without holding all of them in the page", async () => {
      await visit(file("large.pcap", large()));
      await page.focus("#messages");
      await page.keyboard.press("End");
      await page.waitForFunction(() =>
        document.querySelector(".bytes-pane .tab")?.textContent?.includes("1000022 bytes"),
      );
      expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(MOST_ELEMENTS);
    });

    it("shows a hundred thousand conversations", async () => {
      page.setDefaultTimeout(60_000);
      await visit(file("crowd.pcap", crowd(100_000)));
      expect(await page.textContent("#shown")).toMatch(/in 100000 conversations/);
    });

    it.each(readdirSync(REGRESSIONS))("survives what fuzzing has found: %s", async (name) => {
      await visit(join(REGRESSIONS, name));
    });

    it("says of what is no capture that it is none", async () => {
      const path = file("shopping.txt", new Uint8Array(0));
      writeFileSync(path, "milk, eggs");
      await openFiles(page, [path]);
      await page.click("text=/remark/");
      expect(await page.textContent(".remarks")).toMatch(/shopping\.txt: .*/);
      expect(await page.getAttribute("footer", "data-phase")).toBe("failed");
    });
  },
);
