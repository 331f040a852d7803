import { describe, expect, it } from "vitest";
import { onInterrupt } from "../../src/cli/run/interrupt.js";
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
});
