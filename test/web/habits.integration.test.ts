import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTraffic } from "../bench/traffic/traffic.js";
import { pcapFile } from "../support/captures.js";
import { chromiumPath, startChromium } from "../support/chromium.js";
import { packetsOf } from "../support/sample-packets.js";
import { SAMPLES, sample } from "../support/samples.js";
import { applyFilter, isSelected } from "./actions.js";
import { isBuilt, type MadeFile, openFiles, openInPage, pageFile } from "./open-page.js";

/** What people try who know Wireshark, or any other program with lists and trees. */
describe.skipIf(chromiumPath === undefined || !isBuilt)(
  "the page (skipped without chromium, and before a build)",
  () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await startChromium();
      page = await openInPage(browser, [sample("dirtsand-session.pcap"), sample("dirtsand-session.keys")]);
    }, 60_000);

    afterAll(() => browser.close());

    const filter = (expression: string, outcome: string) => applyFilter(page, expression, outcome);
    const selects = (number: number) => isSelected(page, number);
    const activeOf = (id: string) =>
      page.evaluate((name) => {
        const active = document.getElementById(name)?.getAttribute("aria-activedescendant") ?? "";
        return document.getElementById(active)?.textContent ?? "";
      }, id);

    it("goes to the next and the previous message from anywhere, and by links back to where it was", async () => {
      await page.focus("#filter");
      await page.keyboard.press("Control+ArrowDown");
      await selects(2);
      await page.keyboard.press("Control+ArrowUp");
      await selects(1);
      await filter("number == 38", "1 of 574");
      await selects(38);
      await page.click(".links >> text=answers #37");
      await selects(37);
      await page.keyboard.press("Alt+ArrowLeft");
      await selects(38);
      await page.keyboard.press("Alt+ArrowRight");
      await selects(37);
    });

    it("opens and closes fields by Enter, and goes to the field around one by Backspace", async () => {
      await filter("plNetMsgLoadClone", "11 of 574");
      await selects(323);
      await page.focus("#tree");
      await page.keyboard.press("End");
      await page.keyboard.press("Backspace");
      const lines = () => page.locator("#tree").evaluate((tree) => tree.querySelector(".rows")?.clientHeight ?? 0);
      const before = await lines();
      await page.keyboard.press("Enter");
      await expect.poll(lines).toBeLessThan(before);
      await page.keyboard.press("Enter");
      await expect.poll(lines).toBe(before);
      await filter("", "574 messages");
    });

    it("selects the field in which a text is found, and has the focus in its field again at Ctrl+F", async () => {
      await page.focus("#messages");
      await page.keyboard.press("Home");
      await page.keyboard.press("Control+f");
      await page.fill("#find", "kNetErrPlayerAlreadyExists");
      await page.keyboard.press("Enter");
      await selects(98);
      await page.waitForSelector('#tree .row.selected:has-text("kNetErrPlayerAlreadyExists")');
      await page.focus("#messages");
      await page.keyboard.press("Control+f");
      await page.waitForSelector("#find:focus");
      await page.keyboard.press("Escape");
    });

    it("finds the next message with the value of a field", async () => {
      const line = page.locator("#tree .row", { hasText: "kNetErrPlayerAlreadyExists" });
      await line.click({ button: "right" });
      await page.click('[role="menuitem"] >> text="Find next with this value"');
      // There is no other: around the end, it is the same.
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#find")?.value.startsWith("kNetErr"));
      await selects(98);
      await page.press("#find", "Escape");
    });

    it("finds and filters values with characters that filters escape", async () => {
      await filter('manifest.fileName == "dat\\\\Neighborhood.age"', "2 of 574");
      await page.locator("#tree .row", { hasText: "Neighborhood.age" }).first().click({ button: "right" });
      await page.click('[role="menuitem"] >> text="Find next with this value"');
      expect(await page.inputValue("#find")).toBe("dat\\Neighborhood.age");
      await page.waitForFunction(() => document.querySelector(".said")?.textContent === "");
      await page.press("#find", "Escape");
      await filter("", "574 messages");
    });

    it("walks through the tree of the vault to its end, past nodes that are in it several times", async () => {
      await page.keyboard.press("Alt+6");
      await page.waitForSelector('[role="treeitem"]');
      await page.focus("#vault");
      const rows = await page.evaluate(() => moulDissect().vault(Number.MAX_SAFE_INTEGER));
      const ids = rows.map(({ id }) => id);
      expect(new Set(ids).size).toBeLessThan(ids.length);
      const walked: string[] = [];
      for (const id of ids) {
        await page.keyboard.press("ArrowDown");
        await expect.poll(() => activeOf("vault")).toContain(id);
        walked.push(/\d+/.exec(await activeOf("vault"))?.[0] ?? "");
      }
      expect(walked).toEqual(ids);
      await expect.poll(() => page.locator('#vault [aria-selected="true"]').count()).toBe(1);
    });

    it("closes and opens nodes of the vault", async () => {
      await page.keyboard.press("Home");
      await expect.poll(() => activeOf("vault")).toContain("10124");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector('#vault [aria-selected="true"][aria-expanded="false"]');
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => activeOf("vault")).toContain("10186");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => activeOf("vault")).toContain("10001");
    });

    it("sorts a table by a column, figures from the largest on, and then as it was", async () => {
      await page.keyboard.press("Alt+9");
      const table = page.locator(".table-box", { hasText: "Messages" }).first();
      const column = (place: number) => table.locator(`tbody td:nth-child(${place})`).allTextContents();
      await page.waitForSelector(".table-box");
      const before = await column(2);
      await table.getByRole("button", { name: "Bytes" }).click();
      await table.locator('th[aria-sort="descending"]', { hasText: "Bytes" }).waitFor();
      const bytes = (await column(4)).map(Number);
      expect(bytes).toEqual(bytes.toSorted((one, other) => other - one));
      await table.getByRole("button", { name: "Bytes" }).click();
      await table.locator('th[aria-sort="ascending"]', { hasText: "Bytes" }).waitFor();
      expect((await column(4)).map(Number)).toEqual(bytes.toReversed());
      await table.getByRole("button", { name: "Bytes" }).click();
      await expect.poll(() => column(2)).toEqual(before);
    });

    it("says what statistics are of, and lists what is counted within the filter", async () => {
      await filter("moul.auth", "314 of 574");
      await page.waitForSelector("text=314 of 574 messages, those that pass the filter");
      await page.locator("table", { hasText: "Errors" }).getByText("Auth2Cli_AcctLoginReply").click();
      await page.waitForFunction(() => document.getElementById("shown")?.textContent?.startsWith("2 of 574"));
      expect(await page.inputValue("#filter")).toMatch(/^\(moul\.auth\) and message == /);
      await filter("number > 9999", "0 of 574");
      await page.keyboard.press("Alt+9");
      await page.waitForSelector('.statistics >> text="No message passes the filter."');
      await filter("", "574 messages");
    });

    it("shows no fields of a message that the list does not have", async () => {
      await page.keyboard.press("Alt+1");
      await filter("number > 9999", "0 of 574");
      await page.waitForSelector("text=Select a message to see its fields.");
      await filter("", "574 messages");
    });

    it("says of an encrypted capture which keys it lacks, and of another one why nothing is there", async () => {
      await openFiles(page, [sample("dirtsand-session.pcap")]);
      await page.click("text=3 remarks");
      await page.waitForSelector(".remarks >> text=no key of the game server was given");
      const empty = Buffer.from("d4c3b2a1020004000000000000000000ffff000001000000", "hex");
      await openFiles(page, [{ name: "empty.pcap", buffer: empty }]);
      for (const view of ["Alt+1", "Alt+2", "Alt+3", "Alt+4", "Alt+6", "Alt+9"]) {
        await page.keyboard.press(view);
        await page.waitForSelector("main >> text=there are no packets in the capture");
      }
      await page.waitForSelector('#shown:text-is("0 messages in 0 conversations")');
    });

    it("takes keys after the capture, and before it, and keeps the filter and the view", async () => {
      await openFiles(page, [sample("dirtsand-session.pcap")]);
      await filter("moul.auth", "20 of 80 messages");
      await page.keyboard.press("Alt+2");
      await page.setInputFiles("#files", sample("dirtsand-session.keys"));
      await page.waitForFunction(() => document.getElementById("shown")?.textContent === "314 of 574 messages pass");
      expect(await page.textContent('nav.views [aria-current="page"]')).toBe("Time line");
      const other = await openInPage(browser, []);
      await other.setInputFiles("#files", sample("nagus-session.keys"));
      await other.waitForSelector("text=none of these files is a capture");
      await other.setInputFiles("#files", sample("nagus-session.pcap"));
      await other.waitForFunction(() => /^\d{3} messages/.test(document.getElementById("shown")?.textContent ?? ""));
      expect(await other.locator(".remarks, .status-line >> text=remark").count()).toBe(0);
      await other.close();
    });

    it("reads the pieces of one recording in order of time, however they were dropped", async () => {
      const packets = await packetsOf("nagus-session.pcap");
      const pieceOf = (name: string, piece: typeof packets): MadeFile => {
        const records = piece.map(({ seconds, nanoseconds, data }) => {
          return { data, time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) };
        });
        return { name, buffer: Buffer.from(pcapFile(records, { linkType: packets[0]?.linkType ?? 0 })) };
      };
      const [first, second] = [pieceOf("a.pcap", packets.slice(0, 300)), pieceOf("b.pcap", packets.slice(300))];
      const other = await openInPage(browser, [sample("nagus-session.pcap"), sample("nagus-session.keys")]);
      const whole = await other.textContent("#shown");
      await openFiles(other, [second, sample("nagus-session.keys"), first]);
      expect(await other.textContent("#shown")).toBe(whole);
      expect(await other.locator(".status-line >> text=remark").count()).toBe(0);
      await other.close();
    });

    it("says how far it has looked as soon as the first filter is applied", async () => {
      const folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
      try {
        const { capture, keys } = makeTraffic(join(folder, "traffic"), { size: 3_000_000, hasTwin: false });
        const other = await openInPage(browser, [capture, keys]);
        const texts = await other.evaluateHandle(() => {
          const texts: (string | null)[] = [];
          const shown = document.getElementById("shown");
          const note = () => void texts.push(shown?.textContent ?? null);
          if (shown !== null) new MutationObserver(note).observe(shown, { subtree: true, characterData: true });
          return texts;
        });
        await applyFilter(other, 'objectName matches "nobody"', "0 of ");
        await other.waitForFunction(() => document.getElementById("shown")?.textContent?.endsWith("pass"));
        expect((await texts.jsonValue())[0]).toMatch(/^0 of \d+ \(looking at \d+\) messages pass$/);
        await other.close();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    it("takes keys and definitions that are dropped at the same moment", async () => {
      const other = await openInPage(browser, [sample("dirtsand-session.pcap")]);
      const files = ["dirtsand-session.keys", "sdl/xStateToggler.sdl"];
      const texts = await Promise.all(files.map(async (name) => [name, await readFile(sample(name), "utf8")] as const));
      await other.evaluate((dropped) => {
        for (const [name, text] of dropped) {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], name));
          const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
          document.querySelector("main")?.dispatchEvent(event);
        }
      }, texts);
      await other.waitForSelector('#shown:text-is("574 messages in 9 conversations")');
      const states = await other.evaluate(() => moulDissect().states(Number.MAX_SAFE_INTEGER));
      expect(states.find(({ set }) => set === "xStateToggler")?.variables.length).toBe(1);
      await other.close();
    });

    it("copies a line, also where the page came by plain HTTP from another machine", async () => {
      const other = await openInPage(browser, []);
      const html = await readFile(pageFile, "utf8");
      await other.route("http://shard.test/", (route) => route.fulfill({ contentType: "text/html", body: html }));
      await other.goto("http://shard.test/");
      expect(await other.evaluate(() => isSecureContext)).toBe(false);
      await openFiles(other, [sample("bz107e-ping.pcap")]);
      await other.locator("#tree .row").first().click({ button: "right" });
      await other.click('[role="menuitem"] >> text="Copy the line"');
      await other.focus("#filter");
      await other.keyboard.press("Control+v");
      expect(await other.inputValue("#filter")).toBe('version: "BZFS107e"');
      await other.close();
    });

    it("says where files can be dropped, and opens what is dropped", async () => {
      const other = await openInPage(browser, []);
      const bytes = [...(await readFile(sample("bz107e-ping.pcap")))];
      const drag = (type: string) =>
        other.evaluate(
          ([name, content]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([new Uint8Array(content)], "ping.pcap"));
            const event = new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer });
            document.querySelector("main")?.dispatchEvent(event);
          },
          [type, bytes] as const,
        );
      await drag("dragover");
      await other.waitForSelector("text=Drop captures, key files and .sdl files here.");
      await drag("drop");
      await other.waitForSelector('[data-phase="done"]');
      await other.waitForSelector(".drop-here", { state: "detached" });
      await other.waitForSelector(".status-line >> text=ping.pcap");
      await other.close();
    });

    it("knows players of any protocol in lanes and lifelines", async () => {
      await openFiles(page, [sample("bz107e-relay.pcap")]);
      await page.keyboard.press("Alt+2");
      await page.waitForSelector('.lane-title >> text="alpha tank"');
      await page.keyboard.press("Alt+3");
      await page.waitForSelector('.lifeline-titles >> text="rogue one"');
    });

    it("keeps the axis and all conversations together in sight where there are many lanes", async () => {
      await openFiles(
        page,
        SAMPLES.filter((name) => name.startsWith("bz")).map((name) => sample(name)),
      );
      await page.keyboard.press("Alt+2");
      await page.waitForSelector(".lane-title >> nth=30");
      const scroller = page.locator(".timeline .scroller");
      await scroller.evaluate((element) => {
        element.scrollTop = 300;
      });
      const top = (selector: string) =>
        page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
      const edge = await scroller.evaluate((element) => element.getBoundingClientRect().top);
      await expect.poll(() => top(".lane-title >> nth=0")).toBeLessThan(edge);
      expect([await top(".lane-head"), await top(".lane-all")]).toEqual([edge, edge]);
    });
  },
);
