import { describe, expect, it, vi } from "vitest";
import { check, decrypt, dissect, scrub, sessionKeys, statistics, streams } from "../../src/index.js";
import { sample } from "../support/samples.js";

const CAPTURE = sample("nagus-session.pcap");

/** What of the process a library has no business with. */
function state() {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return { listeners, exitCode: process.exitCode, folder: process.cwd(), title: process.title };
}

describe("the library", () => {
  it("prints nothing, and leaves the process as it was", async () => {
    const write = () => true;
    const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, "write").mockImplementation(write));
    const before = state();
    try {
      // A capture with problems of every kind is not among the samples; without keys, there is at least something to say.
      for (const capture of [CAPTURE, sample("nowhere.pcap")]) {
        const options = { keys: [], onProblem: () => {} };
        for (const yielded of [dissect, decrypt, scrub]) for await (const _ of yielded(capture, options));
        await streams(capture, options);
        await statistics(capture, options);
        await sessionKeys(capture, options);
        await check(capture, { captures: CAPTURE }, options);
      }
      expect(spies.map(({ mock }) => mock.calls)).toEqual([[], []]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(state()).toEqual(before);
  });
});
