import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { SessionApi } from "../../src/web/session-api.js";
import { projectPath } from "../support/project-path.js";

/** The page as it is built. */
export const pageFile = projectPath("dist/web/moul-dissect.html");
export const isBuilt = existsSync(pageFile);

declare global {
  /** The page's session. */
  function moulDissect(): {
    [K in keyof SessionApi]: (...args: Parameters<SessionApi[K]>) => Promise<Awaited<ReturnType<SessionApi[K]>>>;
  };
}

/** Opens the page from its file, and files in it; waits until they have been read. */
export async function openInPage(browser: Browser, files: readonly string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "light" });
  page.setDefaultTimeout(10_000);
  await page.goto(pathToFileURL(pageFile).href);
  if (files.length > 0) await openFiles(page, files);
  return page;
}

/** A file that is in no folder. */
export interface MadeFile {
  readonly name: string;
  readonly buffer: Buffer;
}

/** Opens files in an open page; waits until they have been read. */
export async function openFiles(page: Page, files: readonly (string | MadeFile)[]): Promise<void> {
  const mimeType = "application/octet-stream";
  const payloads = files.map(async (file) => {
    if (typeof file !== "string") return { ...file, mimeType };
    return { name: basename(file), mimeType, buffer: await readFile(file) };
  });
  await page.setInputFiles("#files", await Promise.all(payloads));
  await page.waitForSelector('[data-phase="done"], [data-phase="failed"]');
}
