import type { Circumstances } from "moul-dissect/schema";

/** The circumstances of a greeting that leaves no place for the player. */
export const REFUSED: Circumstances = { error: "refused" };

/** The circumstances of a message that refuses a player: an error, named after the reason. */
export function refusal(code: number | undefined, reasons: Readonly<Record<string, number>>): Circumstances {
  const [name] = Object.entries(reasons).find(([, number]) => number === code) ?? [];
  return { error: name ?? (code === undefined ? "without a reason" : `reason ${code}`) };
}
