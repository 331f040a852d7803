import { describe, expect, it } from "vitest";
import { WorkShare } from "../../../src/cli/threads/work-share.js";

/** The numbers of the messages, from 1 on, that a thread claims. */
function claimed(share: WorkShare, numbers: readonly number[]): number[] {
  return numbers.filter((number) => share.claims(number));
}

const MESSAGES = Array.from({ length: 2000 }, (_, index) => index + 1);

describe("threads that share memory", () => {
  it("claim each message once, whichever comes first", () => {
    const one = new WorkShare();
    const other = new WorkShare(one.memory);
    const [first, second]: [number[], number[]] = [[], []];
    // One is ahead at first, and then falls behind.
    first.push(...claimed(one, MESSAGES.slice(0, 600)));
    second.push(...claimed(other, MESSAGES.slice(0, 1500)));
    first.push(...claimed(one, MESSAGES.slice(600)));
    second.push(...claimed(other, MESSAGES.slice(1500)));
    expect([...first, ...second].sort((a, b) => a - b)).toEqual(MESSAGES);
    expect(first.length).toBeGreaterThan(0);
    expect(second.length).toBeGreaterThan(0);
  });

  it("leave everything to the only thread", () => {
    expect(claimed(new WorkShare(), MESSAGES)).toEqual(MESSAGES);
  });

  it("answer the same when asked again", () => {
    const one = new WorkShare();
    const other = new WorkShare(one.memory);
    expect([one.claims(1), one.claims(1), other.claims(1), other.claims(2), one.claims(2)]).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
  });
});
