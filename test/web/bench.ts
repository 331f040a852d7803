/**
 * Measures the page in Chromium on captures of encrypted game traffic: time to the first messages and to all, memory,
 * and how long the page's own thread was busy at a stretch. `npm run bench:page -- --sizes 1,20,200`.
 *
 * With `--wiregasm folder`, it also measures Wireshark in WebAssembly on the same files: the folder is that of an unpacked
 * package `@goodtools/wiregasm`, which nothing here depends on.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { startChromium } from "../support/chromium.js";
import { memoryOfEmptyPage, memoryOfPage } from "./memory-of-page.js";
import { openInPage } from "./open-page.js";
import { measureWiregasm } from "./wiregasm.js";

const { values } = parseArgs({ options: { sizes: { type: "string", default: "1,20" }, wiregasm: { type: "string" } } });

/** What the page writes down while it reads. */
interface Found {
  longest: number;
  first: number;
  done: number;
  begin: number;
}

async function measurePage({ capture, keys, sdl }: Traffic): Promise<readonly (string | number | null)[]> {
  const browser = await startChromium();
  const empty = await memoryOfEmptyPage(browser);
  const page = await openInPage(browser, []);
  const found = await page.evaluateHandle(() => {
    const found: Found = { longest: 0, first: 0, done: 0, begin: 0 };
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
    return found;
  });
  page.setDefaultTimeout(600_000);
  await page.setInputFiles("#files", [capture, keys, sdl]);
  await page.waitForSelector('[data-phase="done"]');
  const { longest, first, done, begin } = await found.evaluate((all) => all);
  const messages = await page.textContent("#shown");
  const memory = (await memoryOfPage()) - empty;
  await browser.close();
  return [messages, ...[first - begin, done - begin, memory / 1e6, longest].map(Math.round)];
}

const folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
try {
  console.log("capture MB | messages | first messages ms | all ms | memory MB | longest task of the page ms");
  for (const size of values.sizes.split(",").map(Number)) {
    const traffic = makeTraffic(join(folder, `traffic-${size}`), { size: size * 1e6, hasTwin: false });
    console.log([size, ...(await measurePage(traffic))].join(" | "));
    if (values.wiregasm === undefined) continue;
    const { frames, startMs, ms, bytes } = await measureWiregasm(values.wiregasm, traffic.capture);
    const figures = [ms, ms, bytes / 1e6, startMs].map(Math.round);
    // It shows nothing before it has read everything; what it does with the page's thread is nobody's concern here.
    console.log([`${size} (wiregasm)`, `${frames} packets`, ...figures].join(" | "), "until it can open a file");
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
