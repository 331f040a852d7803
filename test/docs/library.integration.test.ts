import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundled } from "../support/bundled.js";
import { chromiumPath, openPage, startChromium } from "../support/chromium.js";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { programs } from "./library-programs.js";

/** Inside the package, its own name refers to the package. */
const folder = join(temporaryFolder(), "package");

describe("the programs on the page about the library", () => {
  beforeAll(() => {
    mkdirSync(folder);
    buildProgram(folder);
    for (const [, name = "", program = ""] of programs) writeFileSync(join(folder, name), program);
    for (const kind of ["pcap", "keys"]) copyFileSync(sample(`nagus-session.${kind}`), join(folder, `session.${kind}`));
  });

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
