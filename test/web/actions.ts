import type { Page } from "playwright-core";

/** Applies a filter; waits until the page says what passes, in a text that begins with `outcome`. */
export async function applyFilter(page: Page, expression: string, outcome: string): Promise<void> {
  if (outcome === "") throw new Error("any text begins with that: there would be nothing to wait for");
  await page.fill("#filter", expression);
  await page.press("#filter", "Escape");
  await page.press("#filter", "Enter");
  await page.waitForFunction((start) => document.getElementById("shown")?.textContent?.startsWith(start), outcome);
}

/** Waits until the fields of a message are shown. */
export async function isSelected(page: Page, number: number): Promise<void> {
  await page.waitForFunction(
    (heading) => document.querySelector(".pane-head .heading")?.textContent === heading,
    `#${number}`,
  );
}
