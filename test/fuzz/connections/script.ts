import { Flag } from "../../support/packets.js";
import type { Random } from "../../support/random.js";
import type { Frame } from "./outcome.js";
import type { Sent, Session, Side } from "./sessions.js";
import { fieldsOf, isTcp } from "./tcp-fields.js";
import type { Routing, Way } from "./ways.js";

const ETHERNET = 1;

/** A packet on its way into a capture: one of a session, perhaps changed, or one that was made up. */
export interface Part extends Sent {
  /** Its index among the packets of the session; undefined if it was made up. */
  readonly index: number | undefined;
  /** What was done to it, if anything. */
  readonly what: string;
}

export function partsOf({ packets }: Session): Part[] {
  return packets.map((sent, index) => ({ ...sent, index, what: "" }));
}

export function otherSide(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/**
 * The frames that parts make, in order, with times that never go back. What was made up takes a way that a packet of
 * its side has taken before: with numbers that do not fit, on a way of its own, it is a connection of its own.
 */
export function framesOf(parts: readonly Part[], routing: Routing): Frame[] {
  let last = 0;
  const taken: [Way[], Way[]] = [[], []];
  return parts.flatMap(({ side, ip, microseconds, index }) => {
    const first = taken[side][0] ?? taken[otherSide(side)][0];
    const ways = index === undefined && first !== undefined ? [first] : routing.waysOf(side);
    if (index !== undefined) taken[side].push(...ways);
    return ways.map(({ around }) => {
      last = Math.max(microseconds, last + 1);
      return { linkType: ETHERNET, data: around(ip), microseconds: last };
    });
  });
}

/** Swaps some neighbours of different directions. */
export function swapped(parts: readonly Part[], random: Random): Part[] {
  const swapped = [...parts];
  for (let times = 1 + random.below(4); times > 0 && parts.length > 1; times--) {
    const at = random.below(parts.length - 1);
    const [one, other] = [swapped[at], swapped[at + 1]];
    if (one === undefined || other === undefined || one.side === other.side) continue;
    swapped[at] = { ...other, microseconds: one.microseconds, what: `${other.what} (swapped)` };
    swapped[at + 1] = { ...one, microseconds: other.microseconds };
  }
  return swapped;
}

const FLAGS = [
  ["F", Flag.fin],
  ["S", Flag.syn],
  ["R", Flag.rst],
  ["P", Flag.push],
  [".", Flag.ack],
] as const;

/** One line per packet: side, flags, numbers relative to the first bytes, and what was done to it. */
export function scriptOf(parts: readonly Part[], { bases }: Session): string {
  const lines = parts.map(({ side, ip, index, what, microseconds }) => {
    if (!isTcp(ip)) return what;
    const { sequence, acknowledgment, flags, payload } = fieldsOf(ip);
    const letters = FLAGS.flatMap(([letter, flag]) => ((flags & flag) === 0 ? [] : [letter])).join("");
    const at = (sequence - bases[side]) | 0;
    const ack = (flags & Flag.ack) === 0 ? "" : ` ack ${(acknowledgment - bases[otherSide(side)]) | 0}`;
    const from = (microseconds - (parts[0]?.microseconds ?? 0)) / 1e6;
    return `${from.toFixed(3)} ${side === 0 ? "c" : "s"} ${letters} ${at}+${payload.length}${ack} ${index ?? "made up"} ${what}`;
  });
  return lines.map((line, at) => `${at + 1}: ${line.trim()}`).join("\n");
}
