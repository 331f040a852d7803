import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { bundled } from "../support/bundled.js";
import { chromiumPath, openPage, startChromium } from "../support/chromium.js";
import { projectPath } from "../support/project-path.js";
import { SAMPLES, sample } from "../support/samples.js";
import { linesOf } from "./lines.js";

const engine = await bundled("test/engine/page.ts");

describe("the engine", () => {
  it("is bundled for browsers without any module of Node.js", () => {
    expect(engine.imports).toEqual([]);
    expect(engine.code).not.toMatch(/["']node:/);
  });
});

describe.skipIf(chromiumPath === undefined)("in Chromium, the engine (skipped without chromium)", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await startChromium();
    page = await openPage(browser, { "engine.js": engine.code });
    await page.addScriptTag({ url: "engine.js", type: "module" });
  }, 60_000);

  afterAll(() => browser.close());

  it.each(SAMPLES)("makes the same lines of %s as in Node.js", async (name) => {
    const [keys] = await discoverKeys([sample(name)], {});
    const files = [`samples/${name}`, ...(keys === undefined ? [] : [keys.slice(projectPath("").length)])];
    const found = await page.evaluate((names) => globalThis.lines(names), files);
    const [capture, ...others] = await Promise.all(
      files.map(async (path) => ({ name: path, bytes: await readFile(projectPath(path)) })),
    );
    expect(found).toBe(capture && (await linesOf(capture, others)));
  });
});
