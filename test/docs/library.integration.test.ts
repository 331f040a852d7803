import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { chromiumPath, openPage, startChromium } from "../support/chromium.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { makePackage, programs } from "./library-programs.js";

const folder = join(temporaryFolder(), "package");

describe("the programs on the page about the library", () => {
  beforeAll(() => makePackage(folder));

  it.skipIf(chromiumPath === undefined)(
    "do the same in a page (skipped without chromium)",
    async () => {
      const { code } = await bundled("src/engine.ts");
      const [, , html = ""] = programs.find(([, name]) => name === "page.html") ?? [];
      const browser = await startChromium();
      try {
        const opened = await openPage(browser, { "engine.js": code }, html);
        await opened.setInputFiles("input", [join(folder, "session.pcap"), join(folder, "session.keys")]);
        const failed = execFileSync(process.execPath, ["failed.js", "session.pcap"], { cwd: folder, encoding: "utf8" });
        expect(failed.length).toBeGreaterThan(1000);
        await expect.poll(() => opened.locator("pre").textContent(), { timeout: 20_000 }).toBe(failed);
      } finally {
        await browser.close();
      }
    },
    60_000,
  );
});
