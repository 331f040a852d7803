import { expect, it } from "vitest";
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
