import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import type { Row } from "../../src/web/session-api.js";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { run } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { SAMPLES, sample } from "../support/samples.js";
import { isBuilt, openFiles, openInPage } from "./open-page.js";

/** The filters of the recipes, as `docs/filters.md` has them. */
const RECIPES = [
  ...readFileSync(projectPath("docs/filters.md"), "utf8").matchAll(/^\$ moul-dissect (\S+) -Y "([^"]+)"/gm),
];

/** What the worker puts into texts in place of colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the marks
const MARKS = /[\u0000-\u0007\u000e-\u0011]/g;

async function withKeys(name: string): Promise<string[]> {
  return [sample(name), ...(await discoverKeys([sample(name)], {}))];
}

/** A row as `--format summary` prints it, but for the blanks between columns. */
function lineOf({ number, time, stream, client, isFromServer, protocol, name, summary, mark }: Row): string {
  const way = isFromServer ? "<" : ">";
  return [number, time, stream, client, way, protocol, name, summary, mark].filter((cell) => cell !== "").join(" ");
}

/** The lines of a message as `--format tree` prints them, but for their byte ranges. */
function treeOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(MARKS, ""));
}

const single = (text: string) => text.trim().replace(/ +/g, " ");

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;
    let opened = "";

    beforeAll(async () => {
      browser = await startChromium();
      page = await openInPage(browser, []);
    }, 60_000);

    afterAll(() => browser.close());

    /** Opens a sample, unless the page has it already. */
    async function open(name: string): Promise<void> {
      if (name !== opened) await openFiles(page, await withKeys(name));
      opened = name;
    }

    it.each(SAMPLES)("lists the messages of %s as the command line does, with the same trees", async (name) => {
      await open(name);
      // As one text: handing over so many objects takes much longer.
      const text = await page.evaluate(async () => {
        const session = moulDissect();
        const rows = await session.rows(0, 1e6);
        const details = await Promise.all(rows.map(({ place }) => session.detailAt(place)));
        const trees = details.flatMap((detail) =>
          detail === undefined ? [] : [[detail.heading, ...detail.lines.map((line) => line.text)]],
        );
        return JSON.stringify({ rows, trees });
      });
      const found: { readonly rows: readonly Row[]; readonly trees: readonly string[][] } = JSON.parse(text);
      const summary = (await run([sample(name), "--format", "summary"])).stdout.trimEnd().split("\n");
      expect(found.rows.map((row) => single(lineOf(row)))).toEqual(summary.map(single));
      const trees = (await run([sample(name), "--format", "tree"])).stdout.trimEnd().split("\n\n");
      const withoutRanges = (line: string) => single(line.replace(/^ *(?:\d+:)?\d+\.\.\d+ /, ""));
      expect(found.trees.map((lines) => treeOf(lines).map(single))).toEqual(
        trees.map((tree) => tree.split("\n").map(withoutRanges)),
      );
    });

    it.each(RECIPES.map(([, file = "", filter = ""]) => [filter, file]))(
      "finds with %s what the command line finds",
      async (filter, file) => {
        const name = file.replace("samples/", "");
        await open(name);
        await page.fill("#filter", filter);
        await page.press("#filter", "Escape");
        await page.press("#filter", "Enter");
        const expected = (await run([sample(name), "-Y", filter, "-e", "number"])).stdout
          .trim()
          .split("\n")
          .map(Number);
        await page.waitForFunction(
          (text) => document.getElementById("shown")?.textContent?.startsWith(text),
          `${expected.length} of`,
        );
        const numbers = await page.evaluate(async () => (await moulDissect().rows(0, 1e6)).map(({ number }) => number));
        expect(numbers).toEqual(expected);
      },
    );
  },
);
