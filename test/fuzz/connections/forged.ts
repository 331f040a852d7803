import { Flag } from "../../support/packets.js";
import type { Random } from "../../support/random.js";
import type { Level } from "../level.js";
import { Finding } from "../soundness.js";
import { FORGES, WRONG } from "./forge.js";
import { type Outcome, outcomeOf } from "./outcome.js";
import { framesOf, type Part, partsOf, scriptOf, swapped } from "./script.js";
import type { Session } from "./sessions.js";
import { fieldsOf, isTcp } from "./tcp-fields.js";
import { PLAIN, type Routing, randomRouting } from "./ways.js";

/** Good connections with segments between theirs that both ends ignore: all of the connection has to be found. */
export class Forged implements Level {
  readonly name = "forged";
  input = "";

  constructor(readonly sessions: readonly Session[]) {}

  run(random: Random): number {
    const session = random.pick(this.sessions);
    let parts = withForged(session, random);
    const disordered = random.chance(2) ? swapped(parts, random) : parts;
    // What precedes the first SYN is another connection's.
    if (disordered[0]?.index !== undefined) parts = disordered;
    const routing = randomRouting(random);
    try {
      return check(session, parts, routing);
    } catch (error) {
      this.input = shrunk(session, parts, routing);
      throw error;
    }
  }
}

/** Checks that nothing but the good connection is found; returns the number of bytes that were read. */
function check(session: Session, parts: readonly Part[], routing: Routing): number {
  const frames = framesOf(parts, routing);
  const good = outcomeOf(framesOf(partsOf(session), PLAIN), session.keys);
  checkWhole(session, good);
  const found = outcomeOf(frames, session.keys);
  checkWhole(session, found);
  checkMessages(session, good, found);
  return frames.reduce((sum, { data }) => sum + data.length, 0);
}

/** What is left of an input that fails without what does not matter, as text. */
function shrunk(session: Session, parts: readonly Part[], routing: Routing): string {
  const failure = (fewer: readonly Part[], way: Routing): string | undefined => {
    try {
      check(session, fewer, way);
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
  const way = failure(parts, PLAIN) === undefined ? routing : PLAIN;
  let least = parts;
  for (const part of parts) {
    const without = least.filter((one) => one !== part);
    if (part.index === undefined && failure(without, way) !== undefined) least = without;
  }
  const inOrder = [...least].sort((one, other) => one.microseconds - other.microseconds);
  if (failure(inOrder, way) !== undefined) least = inOrder;
  return `${failure(least, way)}\n${session.from}, ${way.name}\n${scriptOf(least, session)}`;
}

/** The packets of a session with some between them that change nothing. */
function withForged(session: Session, random: Random): Part[] {
  const parts = partsOf(session);
  for (let times = random.below(4); times > 0; times--) {
    const { length } = session.packets;
    const at = 1 + random.below(random.chance(5) ? 6 : length - 1);
    const forged = random.pick(FORGES)(session, at, random);
    if (forged === undefined || agrees(parts, forged)) continue;
    const place = parts.findIndex(({ index }) => index === at);
    const before = parts[Math.max(place - 1, 0)];
    parts.splice(place, 0, { ...forged, microseconds: (before?.microseconds ?? 0) + 1 });
  }
  return parts;
}

/**
 * Whether a made-up segment agrees with one that is there: together they can look like another connection, like a great
 * loss, or like the end. It takes a SYN and what goes on from it, data after an RST, another RST that acknowledges more,
 * or two with numbers of their own.
 */
function agrees(parts: readonly Part[], added: Omit<Part, "microseconds">): boolean {
  const made = [...parts, added].filter(({ ip, index }) => index === undefined && isTcp(ip));
  const has = (flag: number) => made.some(({ ip }) => (fieldsOf(ip).flags & flag) !== 0);
  const hasPayload = made.some(({ ip }) => fieldsOf(ip).payload.length > 0);
  const wrong = made.filter(({ what }) => what.endsWith(WRONG)).length;
  const resets = made.filter(({ ip }) => (fieldsOf(ip).flags & Flag.rst) !== 0).length;
  const isMisleading = has(Flag.syn) || (resets > 0 && hasPayload) || (resets > 1 && wrong > 0) || wrong > 1;
  return made.length > 1 && isMisleading;
}

/** Checks that both streams are found, complete and in one conversation each, and no other bytes. */
function checkWhole({ streams, ends }: Session, { heard }: Outcome): void {
  for (const [side, sender] of ends.entries()) {
    const wanted = Buffer.from(streams[side] ?? []);
    const found = heard.get(sender) ?? [];
    const gaps = found.flatMap(({ pieces }) => pieces.filter((piece) => typeof piece === "number"));
    if (gaps.length > 0) throw new Finding(`${sender} has gaps: ${gaps}`);
    const streamsFound = found.map(({ pieces }) => Buffer.concat(pieces.filter((piece) => typeof piece !== "number")));
    const [first] = streamsFound;
    if (streamsFound.length === 1 && first !== undefined && first.equals(wanted)) continue;
    throw new Finding(`${sender} has ${streamsFound.map(({ length }) => length)} of ${wanted.length} bytes`);
  }
}

/** Checks that the messages of each end are those of the good session. */
function checkMessages({ ends }: Session, good: Outcome, found: Outcome): void {
  const line = ({ name, status, place, bytes }: Outcome["messages"][number]) => `${name} ${status} ${place} ${bytes}`;
  for (const sender of ends) {
    const wanted = good.messages.filter((message) => message.sender === sender).map(line);
    const there = found.messages.filter((message) => message.sender === sender).map(line);
    const at = wanted.findIndex((message, index) => there[index] !== message);
    if (at >= 0 || there.length !== wanted.length) {
      throw new Finding(`${sender}: message ${at} is ${there[at]?.slice(0, 80)}, not ${wanted[at]?.slice(0, 80)}`);
    }
  }
}
