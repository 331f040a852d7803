/**
 * How a message, or a part of it, came out. Ordered by weight: the worst one is the status of the message.
 *
 * - `unknown`: well-formed, but not declared;
 * - `truncated`: the capture does not hold all of its bytes;
 * - `malformed`: the bytes are there and break the format, or go beyond a limit: then a note names the limit.
 */
export type Outcome = (typeof outcomes)[number];

/** All of them, the worst one last. */
export const outcomes = ["ok", "unknown", "truncated", "malformed"] as const;

const WEIGHT: Readonly<Record<Outcome, number>> = { ok: 0, unknown: 1, truncated: 2, malformed: 3 };

/** The worse one of two outcomes. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return WEIGHT[one] >= WEIGHT[other] ? one : other;
}
