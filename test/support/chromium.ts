import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { projectPath } from "./project-path.js";

/** The program, if it is installed; tests that need it are skipped where it is not. */
export const chromiumPath: string | undefined =
  spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout?.trim() || undefined;

/** What pages may do that protect themselves: no code from strings, nothing from elsewhere. */
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline'";
const ORIGIN = "http://engine.test/";

/** Starts the browser. @param args more options @throws Error if it is not installed */
export async function startChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ["--no-sandbox", "--disable-gpu", ...args],
  });
}

/**
 * Opens a page that can fetch the samples, and modules by the given names. No request leaves this machine.
 *
 * @param modules their code by the name of the file
 * @param html the page itself; by default, an empty one
 */
export async function openPage(
  browser: Browser,
  modules: Readonly<Record<string, string>>,
  html = "<!doctype html><title>engine</title>",
): Promise<Page> {
  const page = await browser.newPage();
  await page.route("**/*", async (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    const code = modules[path];
    if (!route.request().url().startsWith(ORIGIN)) return route.abort();
    if (path === "") {
      const headers = { "Content-Security-Policy": POLICY };
      return route.fulfill({ contentType: "text/html", headers, body: html });
    }
    if (code !== undefined) return route.fulfill({ contentType: "text/javascript", body: code });
    return route.fulfill({ body: await readFile(projectPath(path)) });
  });
  await page.goto(ORIGIN);
  return page;
}
