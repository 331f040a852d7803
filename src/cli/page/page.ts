import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Served } from "../../web/served.js";

/** Where the package has the page, from `dist/shared` and from `dist/src/cli/page`. */
const PLACES = ["../web/moul-dissect.html", "../../../web/moul-dissect.html", "../../../dist/web/moul-dissect.html"];

/** The element of the page that says what to open at once. */
const SERVED = '<script type="application/json" id="served">';

/** The part of its content security policy that forbids to load anything. */
const NO_CONNECTION = "connect-src 'none'";

/**
 * The page, with what it is to open at once.
 *
 * @param connects true if it has to load that from where it is served
 * @throws Error if the program was built without the page
 */
export async function pageWith(served: Served, connects: boolean): Promise<string> {
  const page = await emptyPage();
  // As JSON, and nothing in it ends the element.
  const json = JSON.stringify(served).replaceAll("<", "\\u003c");
  const filled = page.replace(SERVED, () => SERVED + json);
  return connects ? filled.replace(NO_CONNECTION, "connect-src 'self'") : filled;
}

async function emptyPage(): Promise<string> {
  for (const place of PLACES) {
    const page = await readFile(fileURLToPath(new URL(place, import.meta.url)), "utf8").catch(() => undefined);
    if (page !== undefined) return page;
  }
  throw new Error("the page is missing: this program was built without it (npm run build makes it)");
}
