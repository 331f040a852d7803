import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { applyFilter } from "./actions.js";
import { openFiles, pageFile } from "./open-page.js";

/** Options with which text is drawn alike wherever the browser runs. */
export const ALIKE = ["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"];

const FONT_FOLDER = projectPath("node_modules/@fontsource");
/** Fonts of the page's style that machines may have or not, in files that all have. */
const FONTS = [
  { families: ["system-ui", "Segoe UI", "Pinned"], file: "dejavu-sans" },
  { families: ["Cascadia Mono", "Consolas", "DejaVu Sans Mono"], file: "dejavu-mono" },
];

async function fontStyle(): Promise<string> {
  const faces = FONTS.flatMap(({ families, file }) =>
    [400, 700].map(async (weight) => {
      const bytes = await readFile(`${FONT_FOLDER}/${file}/files/${file}-latin-${weight}-normal.woff2`);
      const source = `url(data:font/woff2;base64,${bytes.toString("base64")})`;
      return families.map((name) => `@font-face { font-family: "${name}"; font-weight: ${weight}; src: ${source}; }`);
    }),
  );
  const body = "body { font-family: Pinned; } *, *::before { transition: none !important; caret-color: transparent; }";
  return [...(await Promise.all(faces)).flat(), body].join("\n");
}

/** Opens a session in a page that is drawn alike everywhere. */
export async function openAlike(browser: Browser): Promise<Page> {
  // The page's policy allows no fonts.
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: "light", bypassCSP: true });
  page.setDefaultTimeout(20_000);
  await page.goto(pathToFileURL(pageFile).href);
  await page.addStyleTag({ content: await fontStyle() });
  await openFiles(page, [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]);
  await page.evaluate(async () => {
    for (const face of document.fonts) await face.load();
  });
  return page;
}

/** Seconds before packets in which replies are, and one packet that is lost. */
const LATE_BY: ReadonlyMap<number, number> = new Map([
  [259, 0.4],
  [399, 1.5],
]);
const LOST: ReadonlySet<number> = new Set([582]);

/** Views of a session, each after the one before: what to do, and what it looks like then is in the picture. */
export const VISITS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  messages: async (page) => {
    await applyFilter(page, "result != kNetSuccess", "14 of");
    await page.waitForSelector("text=#38");
    await page.keyboard.press("F8");
    await page.waitForSelector("text=#59");
    await page.click("#line-2");
  },
  timeline: async (page) => {
    await page.click("text=Clear");
    await page.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("574 messages"));
    await page.keyboard.press("Alt+2");
    await page.waitForSelector(".lane-title");
  },
  sequence: async (page) => {
    await page.keyboard.press("Alt+3");
    await page.waitForSelector(".arrow");
  },
  players: async (page) => {
    await page.keyboard.press("Alt+4");
    await page.waitForSelector("text=kNetErrAuthenticationFailed");
  },
  chat: async (page) => {
    await page.keyboard.press("Alt+5");
    await page.waitForSelector(".chat li");
  },
  vault: async (page) => {
    await page.keyboard.press("Alt+6");
    await page.locator('[role="treeitem"]', { hasText: "10212" }).first().click();
    await page.waitForSelector("article h2");
  },
  states: async (page) => {
    await page.keyboard.press("Alt+7");
    await page.waitForSelector("text=AgeSDLHook");
  },
  files: async (page) => {
    await page.keyboard.press("Alt+8");
    await page.waitForSelector("text=physical.sdl");
  },
  statistics: async (page) => {
    await page.keyboard.press("Alt+9");
    await page.waitForSelector(".uplot canvas");
  },
  reference: async (page) => {
    await page.click('nav.views >> text="Reference"');
    await page.fill(".reference-list input", "plUoid");
    await page.click('.reference-list li >> text="plUoid"');
    await page.waitForSelector(".layout tbody tr");
  },
  help: async (page) => {
    await page.focus("body");
    await page.keyboard.press("Alt+1");
    await page.keyboard.press("F6");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open]");
  },
  dark: async (page) => {
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog[open]", { state: "detached" });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.keyboard.press("Alt+1");
    await page.waitForSelector(".message-list .row");
  },
  trouble: async (page) => {
    await page.emulateMedia({ colorScheme: "light" });
    const disturbed = { name: "disturbed.pcap", buffer: disturb(await readFile(sample("dirtsand-session.pcap"))) };
    await openFiles(page, [disturbed, sample("dirtsand-session.keys")]);
    await page.keyboard.press("Alt+2");
    await page.waitForSelector(".lane-title .sign:is(.slow, .very-slow) >> nth=1");
  },
};

/** A capture from whose packets some are lost, and others late. */
function disturb(capture: Buffer): Buffer {
  const parts = [capture.subarray(0, 24)];
  let lateBy = 0;
  for (let at = 24, frame = 1; at < capture.length; frame++) {
    const next = at + 16 + capture.readUInt32LE(at + 8);
    const packet = Buffer.from(capture.subarray(at, next));
    lateBy += LATE_BY.get(frame) ?? 0;
    packet.writeUInt32LE(packet.readUInt32LE(0) + Math.floor(lateBy), 0);
    const fraction = packet.readUInt32LE(4) + Math.round((lateBy % 1) * 1e6);
    packet.writeUInt32LE(packet.readUInt32LE(0) + Math.floor(fraction / 1e6), 0);
    packet.writeUInt32LE(fraction % 1e6, 4);
    if (!LOST.has(frame)) parts.push(packet);
    at = next;
  }
  return Buffer.concat(parts);
}

/** Draws a page once nothing moves any more. */
export async function picture(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll(".message-list .row")];
    return rows.every(({ childElementCount }) => childElementCount > 0);
  });
  let before: Buffer | undefined;
  for (;;) {
    const now = await page.screenshot({ caret: "hide", animations: "disabled" });
    if (before?.equals(now) === true) return now;
    before = now;
    await page.waitForTimeout(500);
  }
}
