import { describe, expect, it } from "vitest";
import { Backlog } from "../../../src/cli/threads/backlog.js";

describe("a helper", () => {
  it("continues until too much of its text waits to be written", () => {
    const helper = new Backlog();
    const program = new Backlog(helper.memory);
    for (let piece = 0; piece < 100; piece++) {
      helper.hold(1024 * 1024);
      program.written(1024 * 1024);
    }
    expect(new Int32Array(helper.memory)).toEqual(Int32Array.of(0));
  });
});
