import { expect } from "vitest";

/**
 * Expects a value to be another one, as `expect(actual).toBe(expected)` does, for what is compared thousands of times: to
 * note that something is expected takes longer than many things that are tested.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}
