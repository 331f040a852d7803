import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { isBuilt, openFiles, openInPage } from "./open-page.js";

const CAPTURES = ["dirtsand-session.pcap", "nagus-session.pcap", "bz107e-relay.pcap", "bz0221-glclient.pcap"];

async function linesOf(command: string, capture: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await run([command, sample(capture), ...options]);
  return stdout.split("\n").filter((line) => line !== "");
}

const single = (text: string) => text.trim().replace(/ +/g, " ");

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await startChromium();
      page = await openInPage(browser, []);
    }, 60_000);

    afterAll(() => browser.close());

    const open = async (capture: string) => {
      const path = sample(capture);
      await openFiles(page, [path, ...(await discoverKeys([path], {}))]);
    };

    it.each(CAPTURES)("tells of %s who played as `players` does, in the same seconds", async (capture) => {
      await open(capture);
      const { rows, leftOut } = await page.evaluate(() => moulDissect().players());
      const shown = rows.flatMap(({ who, parts }) => [
        who,
        ...parts.flatMap(({ stream, client, protocol, seconds, lines }) => [
          `${seconds.toFixed(6)} ${protocol} stream ${stream}, ${client}`,
          ...lines.map(({ seconds, what, outcome, result, numbers }) => {
            const listed = numbers.map((number) => `#${number}`).join(", ");
            return `${seconds.toFixed(6)} ${what}${outcome === undefined ? "" : `: ${result}`} ${listed}`;
          }),
        ]),
      ]);
      const printed = await linesOf("players", capture);
      // How a conversation ended has the last sign of life in words.
      expect(shown.map(single)).toEqual(printed.map((line) => single(line.replace(/; last sign of life \S+,/, ""))));
      expect(leftOut).toBe(0);
    });

    it.each(CAPTURES)("shows of %s the objects that `objects` does", async (capture) => {
      await open(capture);
      const { rows } = await page.evaluate(() => moulDissect().objects());
      const printed = (await linesOf("objects", capture, "--list", "--json")).map((line) => JSON.parse(line));
      expect(
        rows.map(({ kind, name, bytes, seconds = null, number, state }) => ({
          kind,
          name,
          bytes,
          seconds,
          number,
          state,
        })),
      ).toEqual(
        printed.map(({ kind, name, bytes, seconds, number, state }) => ({ kind, name, bytes, seconds, number, state })),
      );
    });

    it("saves a packed file unpacked, as the list says that it is", async () => {
      await open("dirtsand-session.pcap");
      await page.keyboard.press("Alt+8");
      const download = page.waitForEvent("download");
      await page.getByLabel("Save UruLauncher.exe").click();
      const file = await download;
      expect(file.suggestedFilename()).toBe("UruLauncher.exe");
      expect((await readFile(await file.path())).length).toBe(243_000);
      // What was refused has nothing to save.
      expect(await page.locator("tr", { hasText: "nothere.gz" }).textContent()).toContain(
        "refused: kNetErrFileNotFound",
      );
      expect(await page.locator("tr", { hasText: "nothere.gz" }).locator(".actions").count()).toBe(0);
    });

    it.each(["", "moul.auth", "result != kNetSuccess", "stream == 5", "number > 9999"])(
      "counts what passes %j as `stats` does",
      async (filter) => {
        await open("dirtsand-session.pcap");
        await page.fill("#filter", filter);
        await page.press("#filter", "Escape");
        await page.press("#filter", "Enter");
        const ending = filter === "" ? /^574 messages/ : /^\d+ of 574 messages pass$/;
        await page.waitForFunction(
          (text) => new RegExp(text).test(document.getElementById("shown")?.textContent ?? ""),
          ending.source,
        );
        const counted = await page.evaluate(() => moulDissect().statistics());
        const [printed = ""] = await linesOf(
          "stats",
          "dirtsand-session.pcap",
          "--json",
          ...(filter ? ["-Y", filter] : []),
        );
        const report = JSON.parse(printed);
        expect(report.messages).toMatchObject(counted.messages);
        expect(counted.of).toBe(574);
        const counts = ({ count, bytes }: { count: number; bytes: number }) => `${count} ${bytes}`;
        const shown = counted.types.map((row) => `${row.protocol} ${row.name} ${counts(row)}`);
        const types: { protocol: string; message: string; count: number; bytes: number }[] = report.types;
        expect(shown).toEqual(types.map((row) => `${row.protocol} ${row.message} ${counts(row)}`));
        expect(counted.classes.map(({ count }) => count)).toEqual(
          report.classes.map(({ count }: { count: number }) => count),
        );
        expect(counted.errors.length).toBe(report.errors.length);
        expect(counted.rates.values.reduce((sum, value) => sum + value, 0)).toBe(report.messages.count);
        expect(counted.unanswered === undefined).toBe(filter !== "");
      },
    );
  },
);
