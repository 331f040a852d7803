import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "../../src/common/nearest.js";

const NAMES = ["playerId", "playerName", "PlayerId", "plNetMsgVoice", "voiceData", "x"];

describe("the nearest names", () => {
  it.each([
    ["playreId", ["playerId", "PlayerId"]],
    ["playerid", ["PlayerId", "playerId"]],
    ["playerNam", ["playerName", "PlayerId", "playerId"]],
    ["Voice", ["voiceData", "plNetMsgVoice"]],
    ["y", ["x"]],
    ["nothing", []],
    ["", []],
  ])("to %s", (typed, expected) => {
    expect(nearest(typed, NAMES).toSorted()).toEqual(expected.toSorted());
  });

  it("are suggested once each", () => {
    expect(suggestion("abcdef", ["abcdeg", "abcdeg", "abcdeh", "abcxef"])).toBe(
      "; did you mean abcdeg, abcdeh or abcxef?",
    );
    expect(suggestion("abcdef", ["abcdeg"])).toBe("; did you mean abcdeg?");
    expect(suggestion("abcdef", ["xyz"])).toBe("");
  });
});
