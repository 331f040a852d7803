import { describe, expect, it } from "vitest";
import { canLackNumbers } from "../../src/cli/dividing/numberless-lines.js";

/** Which columns may be printed before the numbers of their messages are known. */

describe("columns", () => {
  it.each([
    [["message", "number", "objectName"], undefined],
    [["time", ".number"], "playerId == 3 and not moul.auth"],
    [["error"], 'objectName matches "numbers"'],
  ])("may lack the numbers of messages: %s, filtered by %s", (field, filter) => {
    expect(canLackNumbers({ field, filter })).toBe(true);
  });

  it.each([
    ["the number of another message", ["answers"], undefined],
    ["the same by its whole name", ["answers.number"], undefined],
    ["that of an answer", ["answeredBy.number"], undefined],
    ["two numbers", ["number", "message", "number"], undefined],
    ["a summary, which may have numbers in it", ["summary"], undefined],
    ["a filter by number", ["message"], "number < 300"],
    ["a filter by what is answered", ["message"], "moul.auth and answers.number == 5"],
  ])("need the numbers of messages for %s", (_what, field, filter) => {
    expect(canLackNumbers({ field, filter })).toBe(false);
  });
});
