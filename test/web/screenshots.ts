/**
 * Makes the pictures of the page: those in `docs`, and those that tests compare with what it looks like:
 * `npm run screenshots`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startChromium } from "../support/chromium.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { openInPage } from "./open-page.js";
import { ALIKE, openAlike, picture, VISITS } from "./pictures.js";

/** Those that the documents show. */
const IN_DOCUMENTS: ReadonlySet<string> = new Set(["messages", "timeline", "sequence", "vault"]);

const browser = await startChromium(ALIKE);
for (const { folder, page, isWanted } of [
  {
    folder: projectPath("docs/pictures"),
    page: await openInPage(browser, [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]),
    isWanted: (name: string) => IN_DOCUMENTS.has(name),
  },
  { folder: projectPath("test/web/pictures"), page: await openAlike(browser), isWanted: () => true },
]) {
  await mkdir(folder, { recursive: true });
  for (const [name, visit] of Object.entries(VISITS)) {
    await visit(page);
    const now = await picture(page);
    if (isWanted(name)) await writeFile(join(folder, `${name}.png`), now);
  }
}
await browser.close();
