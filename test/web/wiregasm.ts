import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startChromium } from "../support/chromium.js";
import { memoryOfEmptyPage, memoryOfPage } from "./memory-of-page.js";

/** How Wireshark in WebAssembly reads a capture. */
interface Measured {
  readonly frames: number;
  /** Until it can open a file. */
  readonly startMs: number;
  /** From opening a file to lines of it. */
  readonly ms: number;
  /** Above an empty page. */
  readonly bytes: number;
}

const ORIGIN = "http://wiregasm.test/";
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", wasm: "application/wasm" };

/** As in the package's own description: in a worker, a file is loaded as a whole, then lines can be asked for. */
const WORKER = `
importScripts("${ORIGIN}wiregasm.js");
const starting = loadWiregasm({ locateFile: (path) => "${ORIGIN}" + path, print() {}, printErr() {} });
starting.then((wg) => {
  wg.init();
  postMessage("started");
});
onmessage = async ({ data: file }) => {
  const wg = await starting;
  wg.FS.writeFile("/uploads/capture.pcap", new Uint8Array(await file.arrayBuffer()));
  const session = new wg.DissectSession("/uploads/capture.pcap");
  session.load();
  const { frames, matched } = session.getFrames("", 0, 100);
  postMessage({ first: frames.size(), matched });
};
`;

const PAGE = `<!doctype html><title>wiregasm</title><input id="files" type="file"><p id="rows"></p><script>
const worker = new Worker("worker.js");
const input = document.getElementById("files");
let begin = 0;
input.onchange = () => {
  begin = performance.now();
  worker.postMessage(input.files[0]);
};
worker.onmessage = ({ data }) => {
  const { dataset } = document.body;
  if (data === "started") dataset.started = performance.now();
  else Object.assign(dataset, { ms: performance.now() - begin, frames: data.matched });
};
</script>`;

/** Measures it in Chromium. @param folder that of the package */
export async function measureWiregasm(folder: string, capture: string): Promise<Measured> {
  const browser = await startChromium();
  const empty = await memoryOfEmptyPage(browser);
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  await page.context().route("**/*", async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    if (name === "") return route.fulfill({ contentType: "text/html", body: PAGE });
    if (name === "worker.js") return route.fulfill({ contentType, body: WORKER });
    return route.fulfill({ contentType, body: await readFile(join(folder, "dist", name)) });
  });
  await page.goto(ORIGIN);
  await page.waitForSelector("[data-started]");
  const startMs = Number(await page.getAttribute("body", "data-started"));
  await page.setInputFiles("#files", capture);
  await page.waitForSelector("[data-ms]");
  const ms = Number(await page.getAttribute("body", "data-ms"));
  const frames = Number(await page.getAttribute("body", "data-frames"));
  const bytes = (await memoryOfPage()) - empty;
  await browser.close();
  return { frames, startMs, ms, bytes };
}
