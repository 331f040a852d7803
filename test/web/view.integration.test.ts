import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { run } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { isBuilt } from "./open-page.js";

const program = projectPath("dist/bin/moul-dissect.js");

/** Starts `view`; returns the process, and the address that it prints. */
async function view(...args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const child = spawn(process.execPath, [program, "view", "--no-open", "-q", ...args]);
  const address = await new Promise<string>((resolve) => {
    child.stdout.once("data", (text: Buffer) => resolve(text.toString().trim()));
  });
  return { child, address };
}

async function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill("SIGINT");
  });
}

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "view and report (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await startChromium();
    }, 60_000);

    afterAll(() => browser.close());

    it("serve a session with its keys and a filter, ask nobody else, and end at an interrupt", async () => {
      const { child, address } = await view(sample("dirtsand-session.pcap"), "-Y", "result != kNetSuccess");
      const page = await browser.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(address);
      await page.waitForFunction(() => document.getElementById("shown")?.textContent === "14 of 574 messages pass");
      expect(requests.filter((url) => !url.startsWith(address) && !url.startsWith("blob:"))).toEqual([]);
      await page.close();
      expect(await ended(child)).toBe(0);
    });

    it("follow a recording", async () => {
      const bytes = readFileSync(sample("dirtsand-plain.pcap"));
      const { child, address } = await view("-");
      child.stdin?.write(bytes.subarray(0, 40_000));
      const page = await browser.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(address);
      await page.waitForFunction(() => /^[1-9]\d* messages/.test(document.getElementById("shown")?.textContent ?? ""));
      expect(await page.getAttribute("footer", "data-phase")).toBe("reading");
      const grown = async (more: number) => {
        const before = Number.parseInt((await page.textContent("#shown")) ?? "", 10);
        const from = sent;
        sent += more;
        child.stdin?.write(bytes.subarray(from, sent));
        await page.waitForFunction(
          (count) => Number.parseInt(document.getElementById("shown")?.textContent ?? "", 10) > count,
          before,
        );
      };
      let sent = 40_000;
      await grown(60_000);
      await grown(100_000);
      // The end is in sight, until somebody looks at something else.
      const list = page.locator("#messages");
      const below = () => list.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
      await expect.poll(below).toBeLessThan(2);
      expect(await list.evaluate((one) => one.scrollTop)).toBeGreaterThan(0);
      await list.evaluate((one) => one.scrollTo(0, 0));
      await page.fill("#filter", "number > 100000");
      await page.press("#filter", "Escape");
      await page.press("#filter", "Enter");
      await page.waitForSelector("text=No message passes the filter so far.");
      await page.click("text=Clear");
      await list.evaluate((one) => one.scrollTo(0, 0));
      child.stdin?.end(bytes.subarray(sent));
      await page.waitForSelector('[data-phase="done"]');
      expect(await list.evaluate((one) => one.scrollTop)).toBe(0);
      await page.close();
      await ended(child);
    });

    it("put a scrubbed session into a page of its own, which tells no name", async () => {
      const page = join(mkdtempSync(join(tmpdir(), "moul-dissect-")), "session.html");
      const { code } = await run(["report", sample("dirtsand-session.pcap"), "--scrub", "-o", page, "-q"]);
      expect(code).toBe(0);
      const tab = await browser.newPage();
      await tab.goto(pathToFileURL(page).href);
      await tab.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("574 messages"));
      const texts = await tab.evaluate(async () => JSON.stringify(await moulDissect().rows(0, 1000)));
      expect(texts).toContain("Auth2Cli_AcctLoginReply");
      expect(texts).not.toMatch(/Alice|Böb|Shorah/);
      await tab.close();
    });
  },
);
