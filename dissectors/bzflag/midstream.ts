import type { Direction, Opening, Window } from "../../src/session/dissector.js";
import { newest } from "./classic/versions.js";
import { headAt, type Messages, messageCandidate } from "./message-table.js";
import { modern } from "./modern/tables.js";
import { windowOn } from "./window-on.js";

/** What messages in a row have to say, in bits, so that it is no chance: three or four of them have as many. */
const ENOUGH = 60;
/** What one protocol has to say more than the other. A message of the usual length says 10 bits more than another one. */
const CLEARLY_MORE = 5;
/** Where both protocols have said as much as this, nothing that sets them apart is waited for any more. */
const MOST = 4 * ENOUGH;

/** Which protocol a connection without its beginning speaks. */
export type Spoken = "modern" | "classic";

/** What messages say for each protocol, in bits; nothing is said for one that does not have all of them. */
type Evidence = ReadonlyMap<Spoken, number>;

const candidates: ReadonlyMap<Spoken, Messages> = new Map([
  ["modern", modern],
  ["classic", newest.messages],
]);

/**
 * The protocol of which both directions are messages, one behind the other; "more" if there are too few of them, and
 * undefined if they are of none. A capture mostly begins between two packets, which is between two messages.
 *
 * @param likely what is spoken if nothing sets the protocols apart
 * @param enough what the messages have to say, in bits
 */
export function spokenMidstream(
  opening: Pick<Opening, Direction | "final">,
  likely: Spoken,
  enough = ENOUGH,
): Spoken | "more" | undefined {
  const evidence = both(evidenceIn("c2s", opening.c2s), evidenceIn("s2c", opening.s2c));
  if (evidence.size === 0) return undefined;
  if (most(evidence) < enough) return "more";
  return leading(evidence) ?? (opening.final || most(evidence) >= MOST ? likely : "more");
}

/** What the messages in these bytes say. Both protocols frame them alike, so that they are the same messages for both. */
function evidenceIn(direction: Direction, bytes: Uint8Array): Evidence {
  const window = windowOn(bytes);
  let evidence: Evidence = new Map([...candidates.keys()].map((spoken) => [spoken, 0]));
  let start = 0;
  for (let head = headAt(window); head !== undefined && !suffices(evidence); head = headAt({ ...window, start })) {
    const further = withMessage(evidence, direction, { ...window, start });
    // Undeclared messages say nothing against what is sure to be one of them.
    if (further.size === 0 && most(evidence) >= ENOUGH) break;
    evidence = further;
    start += head.length;
  }
  return evidence;
}

/** What is said together with the message at this place. */
function withMessage(evidence: Evidence, direction: Direction, window: Window): Evidence {
  const further = new Map<Spoken, number>();
  for (const [spoken, messages] of candidates) {
    const bits = evidence.get(spoken);
    const candidate = messageCandidate(messages[direction], window);
    if (bits !== undefined && typeof candidate === "object") further.set(spoken, bits + candidate.bits);
  }
  return further;
}

function both(one: Evidence, other: Evidence): Evidence {
  const sums = new Map<Spoken, number>();
  for (const [spoken, bits] of one) {
    const others = other.get(spoken);
    if (others !== undefined) sums.set(spoken, bits + others);
  }
  return sums;
}

function most(evidence: Evidence): number {
  return Math.max(0, ...evidence.values());
}

/** The protocol for which clearly more is said; undefined if there is none. */
function leading(evidence: Evidence): Spoken | undefined {
  const [[best, bits] = [], [, next = Number.NEGATIVE_INFINITY] = []] = [...evidence].sort(([, a], [, b]) => b - a);
  return bits !== undefined && bits - next >= CLEARLY_MORE ? best : undefined;
}

function suffices(evidence: Evidence): boolean {
  const bits = most(evidence);
  return evidence.size === 0 || bits >= MOST || (bits >= ENOUGH && leading(evidence) !== undefined);
}
