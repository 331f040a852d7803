import { describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/program.js";
import { Progress, progressText } from "../../src/cli/progress.js";
import { run } from "../support/command-line.js";
import { FakeTerminal } from "../support/fake-terminal.js";
import { sample } from "../support/samples.js";

const CLEAR = "\r\u001b[K";

describe("progress", () => {
  it("shows share, rate and remaining time, or what is known without a size", () => {
    expect(progressText(430e6, 1e9, 2)).toBe("43% of 1.0 GB, 215 MB/s, 3 s left");
    expect(progressText(1e6, 1e9, 1)).toBe("0% of 1.0 GB, 1.0 MB/s, 16 min 39 s left");
    expect(progressText(1e6, 1e12, 10)).toBe("0% of 1.0 TB, 100 kB/s, 2777 h 46 min left");
    expect(progressText(1_234_567, undefined, 2)).toBe("1.2 MB, 617 kB/s");
    expect(progressText(500, 100, 1)).toBe("500 bytes, 500 bytes/s");
    expect(progressText(2e15, undefined, 1)).toBe("2000 TB, 2000 TB/s");
  });

  it("is silent for a second, then shown from time to time, and removed at the end", () => {
    let now = 0;
    const terminal = new FakeTerminal();
    const progress = new Progress(terminal, [100e6, 100e6], () => now);
    const reached = (at: number, capture: number, bytes: number) => {
      now = at;
      progress.reached({ capture, bytes });
    };
    reached(900, 0, 10e6);
    progress.clear();
    expect(terminal.text).toBe("");
    reached(1000, 0, 50e6);
    reached(1100, 0, 60e6);
    reached(2000, 1, 0);
    expect(terminal.text).toBe(`${CLEAR}25% of 200 MB, 50 MB/s, 3 s left${CLEAR}50% of 200 MB, 50 MB/s, 2 s left`);
    progress.clear();
    progress.clear();
    expect(terminal.text.endsWith(`left${CLEAR}`)).toBe(true);
  });

  it.each([
    ["a narrow terminal", 12, "123 MB, 41 "],
    ["a terminal of unknown width, which is taken for one of 80 columns", 0, "123 MB, 41 MB/s"],
  ])("stays on its line on %s", (_what, columns, shown) => {
    let now = 0;
    const terminal = new FakeTerminal(columns);
    const progress = new Progress(terminal, [undefined], () => now);
    now = 3000;
    progress.reached({ capture: 0, bytes: 123_456_789 });
    expect(terminal.text).toBe(`${CLEAR}${shown}`);
  });

  it("is shown only on a terminal, and only if it is wanted", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 1500;
      return now;
    });
    try {
      const args = ["stats", sample("nagus-session.pcapng")];
      const said = async (...options: readonly string[]) => {
        const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
        await main([...args, ...options], { stdout, stderr, env: {} });
        return stderr.text;
      };
      const shown = await said();
      expect(shown).toMatch(/\d+% of \d+ kB, /);
      expect(shown.endsWith(CLEAR)).toBe(true);
      expect(await said("--no-progress")).toBe("");
      expect(await said("--quiet")).toBe("");
      expect((await run(args)).stderr).toBe("");
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("shows nothing for work that ends at once", async () => {
    // However busy the machine is, no time passes.
    vi.spyOn(performance, "now").mockReturnValue(1);
    try {
      const [stdout, stderr] = [new FakeTerminal(), new FakeTerminal()];
      expect(await main(["stats", sample("nagus-plain.pcap")], { stdout, stderr, env: {} })).toBe(0);
      expect(stderr.text).toBe("");
    } finally {
      vi.restoreAllMocks();
    }
  });
});
