import type { Direction, Opening } from "../../src/session/dissector.js";
import { newest } from "./classic/versions.js";
import { type Messages, type MessageTable, messageCandidate } from "./message-table.js";
import { modern } from "./modern/tables.js";
import { windowOn } from "./window-on.js";

/** What messages in a row have to say, in bits, so that they are none by chance: three or four of them have as many. */
const ENOUGH = 60;

/** Which protocol a connection without its beginning speaks. */
export type Spoken = "modern" | "classic";

const candidates: readonly (readonly [Spoken, Messages])[] = [
  ["modern", modern],
  ["classic", newest.messages],
];

/**
 * The protocol of which both directions are messages, one behind the other; "more" if there are too few of them, and
 * undefined if they are of none. A capture mostly begins between two packets, which is between two messages.
 */
export function spokenMidstream(opening: Pick<Opening, Direction>): Spoken | "more" | undefined {
  let best: Spoken | undefined;
  let most = 0;
  for (const [spoken, messages] of candidates) {
    const [c2s, s2c] = [bitsOf(messages.c2s, opening.c2s), bitsOf(messages.s2c, opening.s2c)];
    if (c2s === undefined || s2c === undefined || c2s + s2c < most) continue;
    best = spoken;
    most = c2s + s2c;
  }
  return best !== undefined && most < ENOUGH ? "more" : best;
}

/** What the messages in these bytes say for their protocol, in bits; undefined if something else is among them. */
function bitsOf(table: MessageTable, bytes: Uint8Array): number | undefined {
  const window = windowOn(bytes);
  let sum = 0;
  for (let start = 0; start < bytes.length && sum < ENOUGH; ) {
    const candidate = messageCandidate(table, { ...window, start });
    if (candidate === "more") break;
    if (candidate?.length === undefined) return undefined;
    sum += candidate.bits;
    start += candidate.length;
  }
  return sum;
}
