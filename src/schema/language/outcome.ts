/**
 * The result of decoding a message or a part of it, ordered by weight: the worst one is the status of the message.
 *
 * - `unknown`: well-formed, but not declared;
 * - `truncated`: the capture does not hold all of its bytes;
 * - `malformed`: the bytes are there and break the format, or exceed a limit, which a note names.
 */
export type Outcome = (typeof outcomes)[number];

/** All outcomes, the worst one last. */
export const outcomes = ["ok", "unknown", "truncated", "malformed"] as const;

const WEIGHT: Readonly<Record<Outcome, number>> = { ok: 0, unknown: 1, truncated: 2, malformed: 3 };

/** Returns the worse of two outcomes. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return WEIGHT[one] >= WEIGHT[other] ? one : other;
}
