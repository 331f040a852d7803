import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dissectCaptures, type Message } from "../../src/index.js";
import { jsonLine, jsonTreeLine } from "../../src/output/json/json.js";
import { colorless } from "../../src/output/text/palette.js";
import { TimeColumn } from "../../src/output/text/time-column.js";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { textTree } from "../support/shown.js";

/**
 * The output for the recorded sessions: the files in `samples/expected/` show what users see, and are meant to be read.
 * `npm run golden` rewrites them; a change in them is a change for users.
 */

const EXPECTED = fileURLToPath(new URL("../../samples/expected/", import.meta.url));

/** The output for a sample, which must cause no error. */
async function output(capture: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run([sample(capture), ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** The summary of a capture without the times, which differ between recorders. */
async function timeless(capture: string): Promise<string> {
  return (await output(capture, "--format", "summary")).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z| \(#\d+, [^)]*\)/g, "");
}

/** The first messages of game connections, as written by a function. */
async function gameMessages(
  capture: string,
  write: (message: Message) => string,
  most = Number.POSITIVE_INFINITY,
): Promise<string> {
  let text = "";
  let count = 0;
  await dissectCaptures([sample(capture)], { keys: keysOf(capture) }, (message) => {
    if (message.protocol === "moul.game" && count++ < most) text += write(message);
  });
  return text;
}

function keysOf(capture: string): string[] {
  return capture.startsWith("dirtsand-session") ? [sample("dirtsand-session.keys")] : [];
}

describe("the summary of", () => {
  it.each(["nagus-session.pcap", "nagus-plain.pcap", "dirtsand-session.pcap", "dirtsand-plain.pcap"])(
    "%s is as expected",
    async (capture) => {
      const summary = await output(capture, "--format", "summary");
      await expect(summary).toMatchFileSnapshot(`${EXPECTED}${capture}.summary.txt`);
    },
  );

  it.each(["nagus-session.pcapng", "nagus-session.any.pcap"])(
    "%s, recorded at the same time, is that of nagus-session.pcap",
    async (capture) => {
      expect(await timeless(capture)).toBe(await timeless("nagus-session.pcap"));
    },
  );
});

describe("the game connections of nagus-plain.pcap", () => {
  it("are as expected as trees", async () => {
    const style = { colors: colorless, times: new TimeColumn("absolute"), hex: false };
    const trees = await gameMessages("nagus-plain.pcap", (message) => textTree(message, style));
    await expect(trees).toMatchFileSnapshot(`${EXPECTED}nagus-plain.pcap.game.tree.txt`);
  });

  it("are as expected as JSON", async () => {
    const json = await gameMessages("nagus-plain.pcap", (message) => jsonLine(message));
    await expect(json).toMatchFileSnapshot(`${EXPECTED}nagus-plain.pcap.game.jsonl`);
  });
});

describe("dirtsand-session.pcap", () => {
  it("begins as expected in the view with bytes beside the fields", async () => {
    const hex = await output("dirtsand-session.pcap", "--hex", "-c", "31");
    await expect(hex).toMatchFileSnapshot(`${EXPECTED}dirtsand-session.pcap.hex.txt`);
  });

  it("is as expected as annotated JSON trees where the game begins", async () => {
    const trees = await gameMessages("dirtsand-session.pcap", (message) => jsonTreeLine(message), 30);
    expect(trees).toContain('"kind":"inflated"');
    await expect(trees).toMatchFileSnapshot(`${EXPECTED}dirtsand-session.pcap.game.json-tree.jsonl`);
  });
});
