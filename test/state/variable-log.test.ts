import { expect, it } from "vitest";
import type { VariablesEvent } from "../../src/dissector/state-event.js";
import { latestOf, VariableLog } from "../../src/state/variable-log.js";

/** What is known of a variable in the end. @param said its values, and whether the server has relayed them */
function latest(...said: readonly (readonly [value: number, isRelayed: boolean])[]) {
  const log = new VariableLog();
  for (const [index, [value, isRelayed]] of said.entries()) {
    const at = { number: index + 1, origin: { frame: index + 1, seconds: index, nanoseconds: 0 }, stream: 0 };
    log.take({ kind: "variables", object: "Door", set: "door", version: 1, isRelayed, values: { open: value } }, at);
  }
  const [door] = log.objects;
  const { latest, other } = latestOf(door?.values.get("open") ?? {});
  return { latest: [latest?.value, latest?.at.number], other: other && [other.value, other.at.number] };
}

it("what was said last counts, and since when it is known", () => {
  expect(latest([1, false], [1, true], [1, false])).toEqual({ latest: [1, 1], other: undefined });
  expect(latest([1, false], [0, true])).toEqual({ latest: [0, 2], other: [1, 1] });
});

it("a value that one side says again after the other one has said something else is the latest", () => {
  expect(latest([1, false], [0, true], [1, false])).toEqual({ latest: [1, 3], other: [0, 2] });
  expect(latest([1, false], [0, true], [1, false], [1, false])).toEqual({ latest: [1, 3], other: [0, 2] });
  expect(latest([1, false], [0, true], [1, false], [0, true])).toEqual({ latest: [0, 4], other: [1, 3] });
  expect(latest([1, false], [0, true], [1, false], [1, true])).toEqual({ latest: [1, 4], other: undefined });
});

it.each([
  ["the same name", { key: "one" }, { key: "other" }],
  [
    "the same age",
    { key: "one", place: { kind: "gameServerInstance", id: "1" } },
    { key: "one", place: { kind: "gameServerInstance", id: "2" } },
  ],
])("objects of %s have states of their own", (_what, one, other) => {
  const log = new VariableLog();
  const said = (number: number, which: Partial<VariablesEvent>, x: number) =>
    log.take(
      { kind: "variables", object: "Male", ...which, set: "physical", version: 1, isRelayed: false, values: { x } },
      { number, origin: { frame: number, seconds: number, nanoseconds: 0 }, stream: 0 },
    ).changed;
  expect([said(1, one, 5), said(2, other, 7), said(3, one, 5)]).toEqual([["x"], ["x"], []]);
  expect([...log.objects].map(({ values }) => values.get("x")?.sent?.value)).toEqual([5, 7]);
});
