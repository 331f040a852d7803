import type { MessageContext } from "moul-dissect/schema";

/** The context of a greeting that leaves no place for the player. */
export const REFUSED: MessageContext = { error: "refused", trouble: "refusal" };

/** The context of a message that refuses a player: an error, named after the reason. */
export function refusal(code: number | undefined, reasons: Readonly<Record<string, number>>): MessageContext {
  const [name] = Object.entries(reasons).find(([, number]) => number === code) ?? [];
  const error = name ?? (code === undefined ? "without a reason" : `reason ${code}`);
  return { error, trouble: "refusal" };
}
