import { describe, expect, it, vi } from "vitest";
import { interruptible, onInterrupt } from "../../src/cli/run/interrupt.js";
import { isPosix } from "../support/platform.js";

describe("a signal that ends the program", () => {
  it.each(isPosix ? (["SIGTERM", "SIGHUP"] as const) : (["SIGBREAK", "SIGHUP"] as const))(
    "is handled once: %s",
    (signal) => {
      const before = process.listenerCount(signal);
      let heard = 0;
      const unwatch = onInterrupt(() => heard++);
      expect(process.listenerCount(signal)).toBe(before + 1);
      process.listeners(signal).at(-1)?.(signal);
      expect([heard, process.listenerCount(signal)]).toEqual([1, before]);
      unwatch();
    },
  );

  it("does not end the program by itself while something is undone, though a second one comes", async () => {
    const before = process.listenerCount("SIGHUP");
    let whileUndone: number | undefined;
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      whileUndone = process.listenerCount("SIGHUP");
      throw new Error(`exit ${code}`);
    });
    const work = async () => void process.listeners("SIGHUP").at(-1)?.("SIGHUP");
    await expect(interruptible(work)).rejects.toThrow("exit 130");
    exit.mockRestore();
    expect([whileUndone, process.listenerCount("SIGHUP")]).toEqual([before + 1, before]);
  });
});
