import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Progress } from "../../src/web/session-api.js";
import { Session } from "../../src/web/worker/session.js";
import { sample } from "../support/samples.js";

const whole = readFileSync(sample("dirtsand-plain.pcap"));
/** Ends inside a packet, and one of its messages is known only when it has ended. */
const cut = whole.subarray(0, 30_001);

/** What the page says in the end, if it keeps only so many messages. */
async function opened(bytes: Uint8Array, most?: number, names = ["a.pcap"]): Promise<Progress> {
  const told: Progress[] = [];
  const source = new Blob([new Uint8Array(bytes)]);
  const files = names.map((name) => ({ name, source, kind: "capture" as const }));
  await new Session(most).open(files, {}, (progress) => void told.push(progress));
  const last = told.at(-1);
  if (last === undefined) throw new Error("nothing was told");
  return last;
}

it.each([
  ["a whole capture", whole],
  ["one that is cut short", cut],
])("of %s, a page that has no room for the last messages says so", async (_what, bytes) => {
  const { messages } = await opened(bytes);
  for (const most of [messages - 1, messages >> 1]) {
    const full = await opened(bytes, most);
    expect(full).toMatchObject({ phase: "done", messages: most });
    expect(full.remarks).toContain(`only the first ${most} messages are shown: a tab cannot hold more`);
  }
});

it.each([
  ["a whole capture", whole],
  ["one that is cut short", cut],
])("of %s, a page that has just room for all says nothing about it", async (_what, bytes) => {
  const all = await opened(bytes);
  expect(await opened(bytes, all.messages)).toEqual(all);
});

it("says that there are more remarks than it shows", async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.pcap`);
  const { remarks } = await opened(Uint8Array.of(1), undefined, names(202));
  expect(remarks).toHaveLength(201);
  expect(remarks.at(-1)).toBe("only the first 200 remarks are shown");
  expect(
    (await opened(Uint8Array.of(1), undefined, names(200))).remarks.filter((text) => text.includes("only")),
  ).toEqual([]);
});
