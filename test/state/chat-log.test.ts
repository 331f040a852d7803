import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../../src/dissector/state-event.js";
import { ChatLog } from "../../src/state/chat-log.js";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

function said(text: string, isRelayed: boolean): ChatEvent {
  return { kind: "chat", from: { kind: "player", id: "7" }, to: [], channel: "age", text, isRelayed, key: `7 ${text}` };
}

const at = (stream: number) => ({ number: 1, origin: { frame: 1, seconds: 0, nanoseconds: 0 }, stream });

describe("what was said", () => {
  it("counts once, whether the original or its copies come first, or there are only copies", () => {
    const log = new ChatLog();
    expect(log.take(said("a", false), at(1))).toBeDefined();
    expect(log.take(said("a", true), at(2))).toBeUndefined();
    expect(log.take(said("a", true), at(3))).toBeUndefined();
    expect(log.take(said("b", true), at(2))).toBeDefined();
    expect(log.take(said("b", false), at(1))).toBeUndefined();
    expect(log.take(said("b", true), at(3))).toBeUndefined();
  });

  it("counts again if it is said again", () => {
    const log = new ChatLog();
    for (let time = 0; time < 3; time++) {
      expect(log.take(said("hi", false), at(1))).toBeDefined();
      expect(log.take(said("hi", true), at(2))).toBeUndefined();
    }
    expect(log.take(said("hi", true), at(2))).toBeDefined();
  });

  it.each([
    ["dirtsand-session.pcap", 6],
    // Its server does not relay what is not addressed to anybody else.
    ["nagus-session.pcap", 2],
  ])("is the same in each form, without copies: %s", async (name, relayed) => {
    const lines = async (...args: string[]) =>
      (await run(["chat", sample(name), ...args])).stdout.trimEnd().split("\n");
    const json = (await lines("--json")).map((line) => JSON.parse(line));
    expect(json).toHaveLength(6);
    expect(new Set(json.map(({ from, text }) => `${from.name} ${text}`))).toHaveProperty("size", 6);
    expect(json.every(({ relayed }) => relayed === false)).toBe(true);
    expect(await lines("--format", "csv")).toHaveLength(7);
    expect(await lines("--format", "markdown")).toHaveLength(6);
    const relayedOnly = await lines("-Y", "direction == s2c");
    expect(relayedOnly.filter((line) => line !== "")).toHaveLength(relayed);
  });
});
