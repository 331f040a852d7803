import { Flag } from "../../support/packets.js";
import type { Random } from "../../support/random.js";
import type { Level } from "../level.js";
import { Finding } from "../soundness.js";
import { damaged } from "./damage.js";
import { type Outcome, outcomeOf } from "./outcome.js";
import { framesOf, otherSide, type Part, partsOf, scriptOf } from "./script.js";
import type { Session, Side } from "./sessions.js";
import { fieldsOf } from "./tcp-fields.js";
import { PLAIN, randomRouting } from "./ways.js";

/** Good connections with segments that are damaged or lost: what is found was said, and what is missing is marked. */
export class Damaged implements Level {
  readonly name = "damaged";
  input = "";

  constructor(readonly sessions: readonly Session[]) {}

  run(random: Random): number {
    const session = random.pick(this.sessions);
    const parts = damaged(partsOf(session), random);
    const routing = random.chance(5) ? PLAIN : randomRouting(random);
    this.input = `${session.from}, ${routing.name}\n${scriptOf(parts, session)}`;
    const good = outcomeOf(framesOf(partsOf(session), PLAIN), session.keys);
    const frames = framesOf(parts, routing);
    const found = outcomeOf(frames, session.keys);
    checkSubset(good, found);
    for (const side of [0, 1] as const) checkMarked(session, parts, side, found);
    return frames.reduce((sum, { data }) => sum + data.length, 0);
  }
}

/** Checks that every message that is found intact is one of the good session. */
function checkSubset(good: Outcome, found: Outcome): void {
  const key = ({ sender, name, bytes }: Outcome["messages"][number]) => `${sender} ${name} ${bytes}`;
  const sent = new Set(good.messages.map(key));
  for (const message of found.messages) {
    if (message.status !== "ok" || sent.has(key(message))) continue;
    throw new Finding(`nobody has sent ${key(message).slice(0, 120)}`);
  }
}

/**
 * Checks that each byte of a side which the capture shows to exist is found, or in a gap, or counted as unaccepted: those
 * in intact segments, and those that intact segments acknowledge.
 */
function checkMarked(session: Session, parts: readonly Part[], side: Side, outcome: Outcome): void {
  const { bases, ends, streams } = session;
  let first = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const { side: sender, ip, what } of parts) {
    if (what !== "") continue;
    const { sequence, acknowledgment, flags, payload } = fieldsOf(ip);
    if (sender === side) {
      const at = (sequence - bases[side]) | 0;
      if ((flags & Flag.syn) !== 0) first = 0;
      else if (payload.length > 0) {
        first = Math.min(first, at);
        end = Math.max(end, at + payload.length);
      }
    } else if ((flags & Flag.ack) !== 0) {
      const acknowledged = (acknowledgment - bases[side]) | 0;
      // The FIN counts as one.
      end = Math.max(end, Math.min(acknowledged, streams[side].length));
    }
  }
  if (first >= end) return;
  const sender = ends[side];
  const heard = outcome.heard.get(sender) ?? [];
  const sum = (pieces: readonly (Uint8Array | number)[]) =>
    pieces.reduce((length: number, piece) => length + (typeof piece === "number" ? piece : piece.length), 0);
  const there = heard.reduce((length, { pieces }) => length + sum(pieces), 0) + (outcome.unaccepted.get(sender) ?? 0);
  // A single byte that only an acknowledgment shows may have been the FIN.
  if (there + lostAfterReset(session, parts, side, outcome) < end - first - 1) {
    throw new Finding(`${sender}: of ${end - first} bytes ${there} are found or marked (${otherSide(side)})`);
  }
}

/** Number of bytes that the capture lacks of what a side has sent after an RST that counts as the end. */
function lostAfterReset({ packets }: Session, parts: readonly Part[], side: Side, { closed }: Outcome): number {
  if (!closed.some((reason) => reason.endsWith(" rst"))) return 0;
  const reset = parts.find(({ ip, index }) => index !== undefined && (fieldsOf(ip).flags & Flag.rst) !== 0);
  const captured = new Set(parts.map(({ index }) => index));
  return packets.reduce((length, sent, index) => {
    const isAfter = reset?.index !== undefined && index > reset.index && sent.side === side;
    return isAfter && !captured.has(index) ? length + fieldsOf(sent.ip).payload.length : length;
  }, 0);
}
