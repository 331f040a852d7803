import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { sample } from "../support/samples.js";
import { applyFilter, isSelected } from "./actions.js";
import { isBuilt, openInPage } from "./open-page.js";

describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "a visit (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;
    const requests: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      browser = await startChromium();
      page = await openInPage(browser, []);
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
    }, 60_000);

    afterAll(() => browser.close());

    const text = (selector: string) => page.textContent(selector);
    const filter = (expression: string, outcome: string) => applyFilter(page, expression, outcome);
    const marked = () => page.locator("#bytes .digits .marked").allTextContents();
    const selects = (number: number) => isSelected(page, number);

    it("opens captures and keys by the same button, and says how many messages there are", async () => {
      expect(await text("h1")).toBe("moul-dissect");
      await page.setInputFiles("#files", [sample("dirtsand-session.keys"), sample("dirtsand-session.pcap")]);
      await page.waitForSelector('[data-phase="done"]');
      await page.waitForSelector('#shown:text-is("574 messages in 9 conversations")');
      await page.waitForSelector('.message-list .row.selected .number:text-is("1")');
    });

    it("walks through the list by keys, and shows fields and bytes of what is selected", async () => {
      await page.focus("#messages");
      await page.keyboard.press("End");
      await selects(574);
      await page.keyboard.press("Home");
      await page.keyboard.press("F8");
      await selects(2);
      await page.waitForSelector('.message-list .row.selected .number:text-is("2")');
      await page.waitForSelector("#tree .row >> nth=2");
    });

    it("marks the bytes of a field, and selects the field of a byte", async () => {
      await filter("plNetMsgGameMessage", "91 of 574");
      await selects(323);
      await page.click('#tree .row:has-text("classIndex:")');
      await expect.poll(marked).toEqual(["b3", "03", "00", "00"]);
      await page.locator("#bytes .digits .byte").first().click();
      await page.waitForSelector('#tree .row.selected:has-text("messageType:")');
      await filter("", "574 messages");
    });

    it("shows bytes that were inflated beside the message's own", async () => {
      await filter("number == 331", "1 of 574");
      await selects(331);
      await page.waitForSelector('[role="tab"][aria-selected="true"] >> text="Message (357 bytes)"');
      await page.click('[role="tab"] >> text=/^inflated 1 .530 bytes.$/i');
      await page.locator("#bytes .digits .byte").first().click();
      await page.waitForSelector('#tree .row.selected:has-text("headerFlags: 32768")');
      await expect.poll(marked).toEqual(["00", "80"]);
      await filter("", "574 messages");
    });

    it("completes filters, words mistakes as the command line does, and lists what passes", async () => {
      await page.fill("#filter", "result != kNetErrFile");
      await page.waitForSelector('#offers >> text="kNetErrFileNotFound"');
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>("#filter")?.value === "result != kNetErrFileNotFound",
      );
      // Its problem is gone: what is seen below is that of the next text.
      await page.waitForFunction(() => document.querySelector("#filter.wrong") === null);
      await page.fill("#filter", "result == kNetSucces");
      await page.waitForSelector("#filter.wrong");
      await page.waitForSelector('#offers >> text="kNetSuccess"');
      await page.press("#filter", "Escape");
      await page.press("#filter", "Enter");
      await page.waitForFunction(() => document.getElementById("filter-problem")?.textContent?.includes("kNetSuccess"));
      await filter("result != kNetSuccess", "14 of 574");
      await page.waitForFunction(() => document.querySelectorAll(".message-list .row.is-failed").length === 14);
    });

    it("says once that nothing passes a filter, and no longer when something does", async () => {
      await filter("number > 9999", "0 of 574");
      await page.waitForSelector('.message-list .hint >> text="No message passes the filter."');
      await page.waitForSelector(".said:empty", { state: "attached" });
      await filter("", "574 messages");
      await page.waitForSelector(".message-list .hint", { state: "detached" });
      await filter("result != kNetSuccess", "14 of 574");
    });

    it("filters by a value of the tree, and leads from a reply to its request", async () => {
      await page.focus("#messages");
      await page.keyboard.press("Home");
      await selects(38);
      const line = page.locator("#tree .row", { hasText: "result:" });
      await line.click();
      await line.click({ button: "right" });
      await page.click('[role="menuitem"] >> text="Filter for result == kNetErrFileNotFound"');
      await page.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("3 of 574"));
      await page.click(".links >> text=answers #37");
      await selects(37);
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#filter")?.value === "");
      await page.click(".links >> text=answered by #38");
      await selects(38);
    });

    it("finds names, values and bytes", async () => {
      await page.keyboard.press("Control+f");
      await page.fill("#find", "prüfen");
      await page.keyboard.press("Enter");
      await selects(447);
      await page.fill("#find", "no such thing");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector(".said")?.textContent === 'nothing has "no such thing"');
      await page.keyboard.press("Escape");
    });

    it("draws conversations over time, and lists the one that is pressed", async () => {
      await page.keyboard.press("Alt+2");
      await page.waitForSelector(".lane-title");
      await expect.poll(() => page.locator(".lane-title").count()).toBe(9);
      await page.locator(".lane-title", { hasText: "moul.file" }).click();
      await page.waitForFunction(() => /^\d+ of 574/.test(document.getElementById("shown")?.textContent ?? ""));
      expect(await page.inputValue("#filter")).toBe("stream == 2");
      await filter("", "574 messages");
    });

    it("leads through the cells of the time line by keys, and lists what happens in one", async () => {
      await page.keyboard.press("Alt+2");
      await page.waitForSelector("#time-line");
      await page.focus("#time-line");
      const current = () =>
        page.evaluate(() => {
          const id = document.getElementById("time-line")?.getAttribute("aria-activedescendant") ?? "";
          return document.getElementById(id)?.textContent ?? "";
        });
      const press = async (key: string, text: RegExp) => {
        await page.keyboard.press(key);
        await page.waitForFunction((source) => {
          const id = document.getElementById("time-line")?.getAttribute("aria-activedescendant") ?? "";
          return new RegExp(source).test(document.getElementById(id)?.textContent ?? "");
        }, text.source);
      };
      await expect.poll(current).toMatch(/^All conversations, 0\.000 s, \d+ messages/);
      await press("ArrowDown", /^Stream 0 moul\.gatekeeper/);
      await press("Control+End", /^Stream 8 /);
      await press("Control+Home", /^All/);
      for (const lane of [0, 1, 2, 3, 4]) await press("ArrowDown", new RegExp(`^Stream ${lane} `));
      const before = await current();
      await page.keyboard.press("ArrowRight");
      await expect.poll(current).not.toBe(before);
      expect(await current()).toMatch(/^Stream 4 /);
      expect(await page.locator("#time-line .cell").evaluate((cell) => getComputedStyle(cell).opacity)).toBe("1");
      expect(await page.locator("#time-line").ariaSnapshot()).toContain(await current());
      const count = Number(/(\d+) messages?/.exec(await current())?.[1]);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => / of 574/.test(document.getElementById("shown")?.textContent ?? ""));
      expect(await page.inputValue("#filter")).toMatch(/^stream == 4 and time >= \S+ and time <= \S+$/);
      expect(Number.parseInt((await text("#shown")) ?? "", 10)).toBe(count);

      await page.keyboard.press("Alt+2");
      await page.focus("#time-line");
      await press("End", /^All conversations/);
      await page.keyboard.press("+");
      await page.waitForSelector('button:enabled >> text="All"');
      await page.keyboard.press("Space");
      await page.waitForFunction(
        () => Number(document.querySelector(".pane-head .heading")?.textContent?.slice(1)) > 500,
      );
      await filter("", "574 messages");
      await page.keyboard.press("Alt+1");
      await page.focus("#messages");
      await page.keyboard.press("Home");
    });

    it("draws a sequence diagram of the list", async () => {
      await page.keyboard.press("Alt+3");
      await page.waitForSelector(".arrow");
      const titles = await page.locator(".lifeline-titles span").allTextContents();
      expect(titles).toEqual(expect.arrayContaining(["Alice of D'ni", "moul.gatekeeper", "moul.auth", "moul.game"]));
    });

    it("tells who played, what was said, and what the vault and the states were", async () => {
      await page.keyboard.press("Alt+4");
      await page.waitForFunction(() =>
        document.querySelector("main")?.textContent?.includes("kNetErrAuthenticationFailed"),
      );
      await page.keyboard.press("Alt+5");
      await page.waitForFunction(() => document.querySelectorAll(".chat li").length === 6);
      await page.keyboard.press("Alt+6");
      await page.locator('[role="treeitem"]', { hasText: "10212" }).first().click();
      await page.waitForFunction(() =>
        document.querySelector("article")?.textContent?.includes("changed: vagahfah 25"),
      );
      await page.click("text=as it was after the selected message");
      await page.waitForFunction(() => !document.querySelector("article")?.textContent?.includes("vagahfah"));
      await page.keyboard.press("Alt+7");
      await page.waitForFunction(() => document.querySelector("main")?.textContent?.includes("AgeSDLHook"));
    });

    it("saves files", async () => {
      await page.keyboard.press("Alt+8");
      const download = page.waitForEvent("download");
      await page.getByLabel(/^Save .*physical\.sdl$/).click();
      expect((await download).suggestedFilename()).toBe("physical.sdl");
    });

    it("counts, and lists what is counted", async () => {
      await page.keyboard.press("Alt+9");
      await page.locator("table", { hasText: "Errors" }).getByText("Auth2Cli_AcctLoginReply").first().click();
      await page.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("2 of 574"));
      await filter("", "574 messages");
    });

    it("explains what is declared, with an example from the capture", async () => {
      await page.click('nav.views >> text="Reference"');
      await page.fill(".reference-list input", "plUoid");
      await page.click('.reference-list li >> text="plUoid"');
      await page.waitForSelector('h2:text("plUoid")');
      await expect.poll(() => page.locator(".layout tbody tr").count()).toBe(9);
      const example = /#\d+/.exec((await page.getByText(/^Show one/).textContent()) ?? "")?.[0];
      await page.getByText(/^Show one/).click();
      await page.waitForFunction(
        (number) => document.querySelector(".pane-head .heading")?.textContent === number,
        example,
      );
      const lines = await page.evaluate(async () => {
        const number = Number(document.querySelector(".pane-head .heading")?.textContent?.slice(1));
        const detail = await moulDissect().detailAt(number - 1);
        return detail?.lines.map(({ path }) => path.split(".").at(-1));
      });
      expect(lines).toContain("objectName");
    });

    it("says in place of the list why a file has no messages", async () => {
      const mimeType = "text/plain";
      await page.setInputFiles("#files", { name: "notes.txt", mimeType, buffer: Buffer.from("shopping: milk\n") });
      await page.waitForSelector('[data-phase="failed"]');
      await page.waitForSelector(".message-list .hint");
      expect(await text(".message-list .hint")).toMatch(/^There are no messages\.notes\.txt: .*pcap/);
    });

    it("asks nobody for anything, and nothing goes wrong", () => {
      expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([]);
      expect(complaints).toEqual([]);
    });
  },
);
