import { expect, it } from "vitest";
import type { Difference } from "../../src/check/index.js";
import { differenceTexts } from "../../src/output/text/difference-text.js";
import { colorless } from "../../src/output/text/palette.js";

const WHERE = { protocol: "toy", conversation: 1, streams: { expected: 0, found: 2 }, direction: "s2c" } as const;

function textOf(difference: Difference): string {
  return [...differenceTexts([difference], { colors: colorless, expected: (at) => `line ${at}` })].join("");
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

it.each([
  ["c2s", "client to server"],
  ["s2c", "server to client"],
  // To a group, or to the sender itself.
  ["none", "without a direction"],
] as const)("says who sent a message: %s", (direction, text) => {
  const missing = { ...WHERE, direction, kind: "missing", message: "Word", classes: [], expected: 3 } as const;
  expect(textOf({ ...missing, before: undefined, after: undefined })).toMatch(
    new RegExp(`^toy conversation 1 \\(stream 2\\), ${text}\n`),
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

it.each([
  ["", "a", '""', '"a"'],
  ["a", "a ", '"a"', '"a "'],
  ["10", 10, '"10"', "10"],
  ["a\n", "a\\n", '"a\\n"', '"a\\\\n"'],
  ["kNetSuccess", "\u001b", "kNetSuccess", "\\u001b"],
  ["1", "2", "1", "2"],
  [0, -0, "0", "-0"],
] as const)("shows texts in quotes where that makes a difference: %j, %j", (expected, found, one, other) => {
  const fields = [{ path: "text", expected, found }];
  const changed = { ...WHERE, kind: "changed", message: "Word", classes: [], expected: 3, found: 8, fields } as const;
  expect(textOf({ ...changed, before: undefined, after: undefined })).toContain(`- ${one}\n        + ${other}\n`);
});

it("for a conversation that is missing or was not expected shows how many messages it had", () => {
  const { direction: _, ...where } = WHERE;
  const streams = { expected: 0, found: undefined };
  expect(textOf({ ...where, streams, kind: "missing conversation", messages: 3 })).toBe(
    "toy conversation 1\n- the whole conversation is missing: 3 messages\n\n",
  );
  expect(textOf({ ...where, kind: "added conversation", messages: 1 })).toBe(
    "toy conversation 1 (stream 2)\n+ the whole conversation was not expected: 1 message\n\n",
  );
});

it.each([
  ["beginning", `x${"a".repeat(300)}`, `y${"a".repeat(300)}`, `x${"a".repeat(159)}…`, `y${"a".repeat(159)}…`],
  [
    "middle",
    `${"a".repeat(200)}x${"b".repeat(300)}`,
    `${"a".repeat(200)}y${"b".repeat(300)}`,
    `…${"a".repeat(40)}x${"b".repeat(119)}…`,
    `…${"a".repeat(40)}y${"b".repeat(119)}…`,
  ],
  ["end", `${"a".repeat(200)}x`, `${"a".repeat(200)}`, `…${"a".repeat(159)}x`, `…${"a".repeat(159)}`],
  ["absence", "a".repeat(200), undefined, `${"a".repeat(160)}…`, undefined],
])("of long values shows the part with the difference: %s", (_name, expected, found, one, other) => {
  const fields = [{ path: "text", expected, found }];
  const changed = { ...WHERE, kind: "changed", message: "Word", classes: [], expected: 3, found: 8, fields } as const;
  const lines = textOf({ ...changed, before: undefined, after: undefined }).split("\n");
  expect(lines.slice(2, -2)).toEqual([
    "      text",
    `        - ${one}`,
    ...(other === undefined ? [] : [`        + ${other}`]),
  ]);
});

it("of long values does not split a surrogate pair", () => {
  const start = `${"📖".repeat(95)}x${"📖".repeat(5)}`;
  const fields = [{ path: "text", expected: start + "📖".repeat(200), found: `${start}!` }];
  const changed = { ...WHERE, kind: "changed", message: "Word", classes: [], expected: 3, found: 8, fields } as const;
  const lines = textOf({ ...changed, before: undefined, after: undefined }).split("\n");
  expect(lines.slice(3, 5)).toEqual([
    `        - …${"📖".repeat(15)}x${"📖".repeat(65)}…`,
    `        + …${"📖".repeat(15)}x${"📖".repeat(5)}!`,
  ]);
});

it("for a label that stands for another one elsewhere shows that one", () => {
  const fields = [{ path: "node", expected: 1, elsewhere: 7, found: 8 }];
  const changed = { ...WHERE, kind: "changed", message: "Word", classes: [], expected: 3, found: 8, fields } as const;
  const lines = textOf({ ...changed, before: undefined, after: undefined }).split("\n");
  expect(lines.slice(2, -2)).toEqual(["      node", "        - 1 (elsewhere: 7)", "        + 8"]);
});
