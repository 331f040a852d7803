import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CaptureError,
  type DissectOptions,
  displayFilter,
  dissect,
  dissectCaptures,
  dissectors,
} from "../src/index.js";
import { sample } from "./support/samples.js";
import { temporaryFolder } from "./support/temporary-folder.js";

/** Length of the header of a pcap file, in bytes. */
const PCAP_HEADER = 24;

const folder = temporaryFolder();

/** The numbers of the messages, and what was thrown after them. */
async function outcome(messages: AsyncIterable<{ readonly number: number }>) {
  const numbers: number[] = [];
  try {
    for await (const { number } of messages) numbers.push(number);
  } catch (thrown) {
    return { numbers, thrown };
  }
  return { numbers, thrown: undefined };
}

describe("dissect", () => {
  const cut = join(folder, "cut.pcap");
  writeFileSync(cut, readFileSync(sample("dirtsand-plain.pcap")).subarray(0, 100_000));

  it("throws if there is no such capture", async () => {
    const { numbers, thrown } = await outcome(dissect(join(folder, "nowhere.pcap")));
    expect(numbers).toEqual([]);
    expect(thrown).toBeInstanceOf(CaptureError);
    expect(thrown).toMatchObject({ file: join(folder, "nowhere.pcap"), text: "there is no such file" });
  });

  it("finds the keys beside a capture, as the command line does, unless none are wanted", async () => {
    const count = async (options: DissectOptions) => {
      let [all, encrypted] = [0, 0];
      for await (const { status } of dissect(sample("dirtsand-session.pcap"), options)) {
        all++;
        if (status === "encrypted") encrypted++;
      }
      return { all, encrypted };
    };
    expect(await count({})).toEqual({ all: 574, encrypted: 0 });
    expect((await count({ keys: [] })).encrypted).toBeGreaterThan(0);
  });

  it("throws after the messages of a truncated capture", async () => {
    const { numbers, thrown } = await outcome(dissect(cut));
    expect(numbers.length).toBeGreaterThan(10);
    expect(thrown).toBeInstanceOf(CaptureError);
  });

  it("reports it instead on request", async () => {
    const problems: string[] = [];
    const { numbers, thrown } = await outcome(dissect(cut, { onProblem: ({ file }) => problems.push(file) }));
    expect({ problems, thrown }).toEqual({ problems: [cut], thrown: undefined });
    expect(numbers).toEqual((await outcome(dissect(cut))).numbers);
  });

  it("does not throw at a caller that stops early, and stops reading", async () => {
    // Several blocks of input, with an error at the end.
    const long = join(folder, "long.pcap");
    const whole = readFileSync(sample("dirtsand-plain.pcap"));
    const packets = whole.subarray(PCAP_HEADER);
    writeFileSync(long, Buffer.concat([whole, ...Array.from({ length: 20 }, () => packets)]).subarray(0, -1));
    const numbers: number[] = [];
    const problems: string[] = [];
    const closed: string[] = [];
    const network = { opened: () => ({ closed: (reason: string) => void closed.push(reason) }) };
    for await (const { number } of dissect(long, { network, onProblem: ({ text }) => problems.push(text) })) {
      numbers.push(number);
      if (number === 3) break;
    }
    const others: string[] = [];
    // Meanwhile the first run ends, before the end of the file.
    await outcome(dissect(long, { onProblem: ({ text }) => others.push(text) }));
    expect({ numbers, problems, others: others.length }).toEqual({ numbers: [1, 2, 3], problems: [], others: 1 });
    expect(closed).toContain("capture-end");
  });

  it("yields messages that pass the same filters as during the run", async () => {
    const path = sample("dirtsand-plain.pcap");
    const passes = await displayFilter(`conversation.player == "Alice of D'ni"`, dissectors);
    const live: number[] = [];
    await dissectCaptures([path], {}, (message) => void (passes(message) && live.push(message.number)));
    const copied: number[] = [];
    for await (const message of dissect(path)) if (passes(message)) copied.push(message.number);
    expect(live.length).toBeGreaterThan(100);
    expect(copied).toEqual(live);
  });
});
