/**
 * Measures the page in Chromium on captures of encrypted game traffic: time to the first messages and to all, memory,
 * and how long the page's own thread was busy at a stretch. `npm run bench:page -- --sizes 1,20,200`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeTraffic } from "../bench/traffic/traffic.js";
import { startChromium } from "../support/chromium.js";
import { openInPage } from "./open-page.js";

const { values } = parseArgs({ options: { sizes: { type: "string", default: "1,20" } } });

/** The most memory that the process of a page has had, in bytes: that with most, as others draw nothing. Only Linux tells. */
async function memoryOfPage(): Promise<number> {
  let most = 0;
  const { readdir } = await import("node:fs/promises");
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (!line.includes("--type=renderer")) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    most = Math.max(most, 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }
  return most;
}

const folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
try {
  console.log("capture MB | messages | first messages ms | all ms | memory MB | longest task of the page ms");
  for (const size of values.sizes.split(",").map(Number)) {
    const traffic = makeTraffic(join(folder, `traffic-${size}`), { size: size * 1e6, hasTwin: false });
    const browser = await startChromium();
    const page = await openInPage(browser, []);
    const empty = await memoryOfPage();
    await page.evaluate(() => {
      const found = { longest: 0, first: 0, done: 0, begin: 0 };
      Object.assign(globalThis, { found });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) found.longest = Math.max(found.longest, duration);
      }).observe({ entryTypes: ["longtask"] });
      document.getElementById("files")?.addEventListener(
        "change",
        () => {
          found.begin = performance.now();
        },
        { capture: true },
      );
      new MutationObserver(() => {
        if (found.first === 0 && document.querySelector(".message-list .row .name")) found.first = performance.now();
        if (found.done === 0 && document.querySelector('[data-phase="done"]')) found.done = performance.now();
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    page.setDefaultTimeout(600_000);
    await page.setInputFiles("#files", [traffic.capture, traffic.keys, traffic.sdl]);
    await page.waitForSelector('[data-phase="done"]');
    const { longest, first, done, begin } = await page.evaluate(
      () => (globalThis as unknown as { found: { longest: number; first: number; done: number; begin: number } }).found,
    );
    const messages = await page.textContent("#shown");
    const memory = await memoryOfPage();
    console.log(
      [
        size,
        messages,
        Math.round(first - begin),
        Math.round(done - begin),
        Math.round((memory - empty) / 1e6),
        Math.round(longest),
      ].join(" | "),
    );
    await browser.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
