import { expect, it } from "vitest";
import type { Difference } from "../../src/check/index.js";
import { differenceTexts } from "../../src/output/difference-text.js";
import { palette } from "../../src/output/palette.js";

const WHERE = { protocol: "toy", conversation: 1, streams: { expected: 0, found: 2 }, direction: "s2c" } as const;

function textOf(difference: Difference): string {
  return [...differenceTexts([difference], { colors: palette(false), expected: (at) => `line ${at}` })].join("");
}

it("for a message that moved shows where it was expected, and what surrounds it", () => {
  const before = { at: 7, message: "Hello", classes: [] };
  const moved = {
    ...WHERE,
    kind: "moved",
    message: "Word",
    classes: ["A", "B", "C", "D"],
    expected: 3,
    found: 8,
  } as const;
  expect(textOf({ ...moved, before, after: undefined })).toBe(
    "toy conversation 1 (stream 2), server to client\n" +
      "  #7 Hello\n" +
      "~ #8 Word A > B > C was expected elsewhere (line 3)\n\n",
  );
});

it("for a message with many changed fields shows the first ones, and how many more there are", () => {
  const fields = Array.from({ length: 22 }, (_, index) => ({ path: `field${index}`, expected: index, found: -1 }));
  const changed = { ...WHERE, kind: "changed", message: "Word", classes: [], expected: 3, found: 8, fields } as const;
  const lines = textOf({ ...changed, before: undefined, after: undefined }).split("\n");
  expect(lines.filter((line) => line.startsWith("      field"))).toHaveLength(20);
  expect(lines.slice(-6)).toEqual([
    "      field19",
    "        - 19",
    "        + -1",
    "      and 2 more fields; --json lists them",
    "",
    "",
  ]);
});
