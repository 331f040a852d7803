import { expect, it } from "vitest";
import { Diagnosis } from "../../src/diagnose/index.js";
import type { Message } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { filterText } from "../../src/output/diagnosis/finding-words.js";
import { filterWord } from "../../src/output/text/filter-word.js";
import { OpenRequests } from "../../src/output/text/open-requests.js";
import type { MessageContext } from "../../src/schema/language/message-context.js";
import { conversation } from "../support/made-captures.js";

/** A message of which only the context is of interest. */
function messageWith(number: number, context: MessageContext, more: Partial<Message> = {}): Message {
  const tree = { context, names: undefined, sources: [], outcome: "ok", notes: [], count: 0, outline: [] };
  const nodes = tree as unknown as NonNullable<Message["nodes"]>;
  const place = { number, origin: { frame: number, seconds: number, nanoseconds: 0 }, frames: [number] };
  const rest = { conversation: conversation(0), direction: "c2s", protocol: "toy.game", name: "Reply" } as const;
  return { ...place, ...rest, status: "ok", nodes, offset: 0, length: 1, notes: [], ...more };
}

function diagnosisOf(messages: readonly Message[], noticed = 100) {
  const diagnosis = new Diagnosis({ limits: defaultLimits, requests: new OpenRequests(), noticed });
  for (const message of messages) diagnosis.take(message, true);
  return diagnosis.findings;
}

function answered(number: number, milliseconds: number): Message {
  return messageWith(number, { answers: { number: 1, name: "Ask", milliseconds, isFirst: true, isPing: false } });
}

it("a reply is slow against the others of its kind, and only if a person would notice", () => {
  const usual = [1, 2, 3, 4].map((number) => answered(number, 30));
  expect(diagnosisOf([...usual, answered(5, 140)])).toEqual([]);
  expect(diagnosisOf([...usual, answered(5, 160)])).toMatchObject([
    { kind: "slow", message: "Ask", count: 1, filter: "number == 5", examples: [{ text: "160 ms" }] },
  ]);
  expect(diagnosisOf([...[1, 2, 3, 4].map((number) => answered(number, 1)), answered(5, 90)])).toEqual([]);
  // Of two, nobody can say what is usual.
  expect(diagnosisOf([answered(1, 1), answered(2, 900)])).toEqual([]);
  expect(diagnosisOf([answered(1, 1), answered(2, 1100)])).toMatchObject([{ kind: "slow", count: 1 }]);
});

it("slow replies are counted, even if there are more than can be named", () => {
  const replies = Array.from({ length: 1500 }, (_, index) => answered(index + 1, index % 3 === 0 ? 300 : 10));
  expect(diagnosisOf(replies)).toMatchObject([{ kind: "slow", count: 500, shown: 40 }]);
  // Those that a person notices, but that are not slow against the others, do not count.
  const noticed = Array.from({ length: 1500 }, (_, index) => answered(index + 1, index % 50 === 0 ? 900 : 150));
  expect(diagnosisOf(noticed)).toMatchObject([{ kind: "slow", count: 30, shown: 30 }]);
});

it("one end of another version than the server, or than most", () => {
  const build = (number: number, value: string, direction: "c2s" | "s2c" = "c2s") =>
    messageWith(number, { version: { of: "build", value } }, { direction });
  expect(diagnosisOf([build(1, "918"), build(2, "918")])).toEqual([]);
  expect(diagnosisOf([build(1, "918"), build(2, "918"), build(3, "903")])).toMatchObject([
    { kind: "version", what: "build 903, where most have 918", filter: "number == 3" },
  ]);
  expect(diagnosisOf([build(1, "918"), build(2, "918"), build(3, "903", "s2c")])).toMatchObject([
    { kind: "version", what: "build 918, where the server has 903", filter: "number in {1 .. 2}" },
  ]);
});

it("what is worse comes first, then what is more frequent", () => {
  const failed = (number: number, error: string, trouble?: "kick") =>
    messageWith(number, { error, ...(trouble && { trouble }) });
  const findings = diagnosisOf([failed(1, "a"), failed(2, "b"), failed(3, "b"), failed(4, "c", "kick")]);
  expect(findings.map(({ kind, what, count }) => [kind, what, count])).toEqual([
    ["kick", "c", 1],
    ["failed", "b", 2],
    ["failed", "a", 1],
  ]);
});

it("of too many requests without a reply, the filter names the first ones, and the text says so", () => {
  const asked = Array.from({ length: 50 }, (_, index) => messageWith(2 * index + 1, { asks: true }));
  const [finding] = diagnosisOf(asked);
  expect(finding).toMatchObject({ kind: "unanswered", count: 50, shown: 40 });
  expect(finding && filterText(finding)).toMatch(/^-Y "number in \{1, 3, .*, 79\}" \(the first 40\)$/);
});

it("captured names go into a filter as they are, whatever they contain, and mean nothing to any shell", () => {
  const [finding] = diagnosisOf([messageWith(1, { error: `it's "so"\\\n` })]);
  expect(finding && filterText(finding)).toBe(
    `-Y "message == 'Reply' and error == 'it\\u{27}s \\u{22}so\\u{22}\\u{5c}\\u{a}'"`,
  );
  const [other] = diagnosisOf([messageWith(1, { error: "$(id) `id` %PATH% !! ‘’“”" })]);
  expect(other && filterText(other)).not.toMatch(/[$`%!\u2018-\u201f]/);
});

it("a filter of the user's that shells do not agree on is in single quotes", () => {
  expect(filterWord('name matches "a$"')).toBe(`'name matches "a$"'`);
  expect(filterWord(`name == "it's"`)).toBe(`'name == "it'\\''s"'`);
  expect(filterWord('name matches r"x" and !gap')).toBe(`'name matches r"x" and !gap'`);
  expect(filterWord('name matches r"x"')).toBe(`'name matches r"x"'`);
  expect(filterWord('name != "x"')).toBe(`"name != 'x'"`);
});

it("a player who connects again soon", () => {
  const player = { kind: "player", id: "7" };
  const at = (number: number, stream: number, place: string) =>
    messageWith(number, { player, place: { kind: "room", id: place } }, { conversation: conversation(stream) });
  const [first, again, later] = [at(1, 0, "hall"), at(2, 1, "hall"), at(9000, 2, "hall")];
  expect(diagnosisOf([first, again, later])).toMatchObject([{ kind: "reconnect", count: 1, filter: "number == 2" }]);
  // Another place has a connection of its own.
  expect(diagnosisOf([first, at(2, 1, "garden")])).toEqual([]);
});
