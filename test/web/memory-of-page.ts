import { readdir, readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";

/** The most memory that the process of a page has had, in bytes: that with most, as others draw nothing. Only Linux tells. */
export async function memoryOfPage(): Promise<number> {
  let most = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (!line.includes("--type=renderer")) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    most = Math.max(most, 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }
  return most;
}

/** What the process of a page takes that shows nothing. */
export async function memoryOfEmptyPage(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  await page.goto("data:text/html,<title>empty</title>");
  const empty = await memoryOfPage();
  await page.close();
  return empty;
}
