import { expect, it } from "vitest";
import type { StepEvent } from "../../src/dissector/state-event.js";
import { Sessions } from "../../src/state/sessions.js";
import { conversation } from "../support/made-captures.js";

/** What became of steps of one kind: the numbers of request and reply. */
function stepsOf(...events: readonly Pick<StepEvent, "outcome" | "answers">[]) {
  const sessions = new Sessions();
  const one = conversation(0);
  for (const [index, event] of events.entries()) {
    const at = { number: index + 1, origin: { frame: index + 1, seconds: index, nanoseconds: 0 }, stream: 0 };
    sessions.step(one, "toy", { kind: "step", step: "ask", ...event }, at);
  }
  const [session] = sessions.all;
  return session?.parts[0]?.steps.map(({ asked, answered, outcome }) => [asked.number, answered?.number, outcome]);
}

const asked = { outcome: "asked" } as const;

it("of several requests that are open, the one that a reply answers is done", () => {
  expect(stepsOf(asked, asked, { outcome: "done", answers: 1 }, { outcome: "failed", answers: 2 })).toEqual([
    [1, 3, "done"],
    [2, 4, "failed"],
  ]);
});

it("where it is not known what a reply answers, it is the latest request", () => {
  expect(stepsOf(asked, asked, { outcome: "done" })).toEqual([
    [1, undefined, "asked"],
    [2, 3, "done"],
  ]);
});

it("a reply to a request that was not seen leaves others open", () => {
  expect(stepsOf(asked, { outcome: "done", answers: 0 })).toEqual([
    [1, undefined, "asked"],
    [2, 2, "done"],
  ]);
});
