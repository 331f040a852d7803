import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CaptureError, dissect } from "../src/index.js";
import { sample } from "./support/command-line.js";

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The numbers of the messages, and what was thrown behind them. */
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
    expect(thrown).toMatchObject({ file: join(folder, "nowhere.pcap"), text: "There is no such file." });
  });

  it("throws behind the messages of a capture that is cut off", async () => {
    const { numbers, thrown } = await outcome(dissect(cut));
    expect(numbers.length).toBeGreaterThan(10);
    expect(thrown).toBeInstanceOf(CaptureError);
  });

  it("tells it instead if that is wanted", async () => {
    const problems: string[] = [];
    const { numbers, thrown } = await outcome(dissect(cut, { onProblem: ({ file }) => problems.push(file) }));
    expect({ problems, thrown }).toEqual({ problems: [cut], thrown: undefined });
    expect(numbers).toEqual((await outcome(dissect(cut))).numbers);
  });

  it("does not throw at somebody who has seen enough", async () => {
    for await (const { number } of dissect(cut)) if (number === 3) break;
  });
});
