import type { Direction, Opening, Window } from "../../src/session/dissector.js";
import { newest } from "./classic/versions.js";
import { type Messages, messageCandidate } from "./message-table.js";
import { HEADER_BYTES, MAX_MESSAGE_BYTES } from "./messages.js";
import { modern } from "./modern/tables.js";
import { windowOn } from "./window-on.js";

/** What messages in a row have to say, in bits, so that it is no chance: three or four of them have as many. */
const ENOUGH = 60;
/** What one protocol has to say more than the other. A message of the usual length says 10 bits more than another one. */
const CLEARLY_MORE = 5;
/** Where both protocols have said as much as this, nothing that sets them apart is waited for any more. */
const MOST = 4 * ENOUGH;
/** What they have to say on a port of which nothing is known. */
const ENOUGH_ANYWHERE = 2 * ENOUGH;
/** Where that leaves open who is the server, some 500 messages are waited for: as long as no player dies or comes back. */
const MOST_ANYWHERE = 200 * ENOUGH;
/** How many messages a table holds is no evidence: for each as many are assumed, in bits. */
const TABLE_BITS = 5;

/** Which protocol a connection without its beginning speaks. */
export type Spoken = "modern" | "classic";

/** What may be spoken; undefined: something with the ends exchanged. */
interface Candidate {
  readonly spoken: Spoken | undefined;
  readonly messages: Messages;
}

/** What messages say for each candidate, in bits: minus infinity for one that does not have all of them. */
type Evidence = readonly number[];

const candidates: readonly Candidate[] = [
  { spoken: "modern", messages: modern },
  { spoken: "classic", messages: newest.messages },
];
const eitherWay: readonly Candidate[] = [
  ...candidates,
  ...candidates.map(({ messages: { c2s, s2c } }) => ({ spoken: undefined, messages: { c2s: s2c, s2c: c2s } })),
];

/**
 * The protocol of which both directions are messages, one behind the other; "more" if there are too few of them, and
 * undefined if they are of none. A capture mostly begins between two packets, which is between two messages; where it
 * does not, as the opening is in midstream, the first message that is whole begins within the length of one.
 *
 * @param likely what is spoken if nothing sets the protocols apart
 * @param enough what the messages have to say, in bits
 */
export function spokenMidstream(
  opening: Pick<Opening, Direction | "final" | "midstream">,
  likely: Spoken,
  { enough = ENOUGH } = {},
): Spoken | "more" | undefined {
  const passed = opening.midstream ? MAX_MESSAGE_BYTES : 0;
  const evidence = evidenceIn(opening, candidates, (found) => isClear(found, ENOUGH, MOST), passed);
  const bits = most(evidence);
  if (bits < 0) return undefined;
  if (bits < enough) return "more";
  return leading(evidence, candidates)?.spoken ?? (opening.final || bits >= MOST ? likely : "more");
}

/**
 * The same on a port of which nothing is known. It takes more messages, and not only such as both sides say: nothing else
 * tells who is the server.
 */
export function spokenAnywhere(opening: Pick<Opening, Direction>): Spoken | "more" | undefined {
  const suffices = (found: Evidence) => isClear(found, ENOUGH_ANYWHERE, MOST_ANYWHERE);
  const evidence = evidenceIn(opening, eitherWay, suffices);
  if (most(evidence) >= 0 && !suffices(evidence)) return "more";
  return leading(evidence, eitherWay)?.spoken;
}

/**
 * What the messages of both directions say together, of each up to where that suffices.
 *
 * @param passed bytes that may stand before the first message of a direction
 */
function evidenceIn(
  opening: Pick<Opening, Direction>,
  among: readonly Candidate[],
  suffices: (found: Evidence) => boolean,
  passed = 0,
): Evidence {
  const s2c = evidenceOf("s2c", opening.s2c, among, suffices, passed);
  return evidenceOf("c2s", opening.c2s, among, suffices, passed).map((bits, index) => bits + (s2c[index] ?? 0));
}

/** What the messages in these bytes say: from the first byte on, or else from where they say most. */
function evidenceOf(
  direction: Direction,
  bytes: Uint8Array,
  among: readonly Candidate[],
  suffices: (found: Evidence) => boolean,
  passed: number,
): Evidence {
  const window = windowOn(bytes);
  // Only the head of a message says something.
  const said = new Map<number, Evidence>();
  const bitsAt = (start: number): Evidence => {
    const head = window.view.getUint32(start);
    const bits = said.get(head) ?? among.map((candidate) => bitsOf(direction, { ...window, start }, candidate));
    said.set(head, bits);
    return bits;
  };
  const none = among.map(() => 0);
  const atOnce = evidenceFrom(0, window, none, bitsAt, suffices);
  if (most(atOnce) >= 0 || passed === 0) return atOnce;
  // The first message may not have come yet.
  let best = bytes.length < passed + HEADER_BYTES ? none : atOnce;
  for (let start = 1; start <= passed && start + HEADER_BYTES <= window.end; start++) {
    // Most places are told by their length alone: all of them are looked at again with each packet.
    if (window.view.getUint16(start) > MAX_MESSAGE_BYTES - HEADER_BYTES || most(bitsAt(start)) < 0) continue;
    const found = evidenceFrom(start, window, none, bitsAt, suffices);
    best = best.map((bits, index) => Math.max(bits, (found[index] ?? 0) - Math.log2(passed)));
  }
  return best;
}

/**
 * What messages in a row say, the first of which begins at this place. Both protocols frame them alike, so that they are
 * the same messages for both.
 */
function evidenceFrom(
  first: number,
  { view, end }: Window,
  none: Evidence,
  bitsAt: (start: number) => Evidence,
  suffices: (found: Evidence) => boolean,
): Evidence {
  let evidence = none;
  for (
    let start = first;
    start + HEADER_BYTES <= end && !suffices(evidence);
    start += HEADER_BYTES + view.getUint16(start)
  ) {
    const further = bitsAt(start).map((bits, index) => bits + (evidence[index] ?? 0));
    // Undeclared messages say nothing against what is sure to be one of them.
    if (most(further) < 0 && most(evidence) >= ENOUGH) break;
    evidence = further;
    if (most(evidence) < 0) break;
  }
  return evidence;
}

/** What the message at this place says for a candidate. */
function bitsOf(direction: Direction, place: Window, { messages }: Candidate): number {
  const table = messages[direction];
  const found = messageCandidate(table, place);
  return typeof found === "object" ? found.bits + Math.log2(table.size) - TABLE_BITS : Number.NEGATIVE_INFINITY;
}

function most(evidence: Evidence): number {
  return Math.max(...evidence);
}

/** True if what messages say is enough and tells the candidates apart, or if it is so much that they will not do that. */
function isClear(evidence: Evidence, enough: number, atMost: number): boolean {
  const bits = most(evidence);
  return bits >= atMost || (bits >= enough && bits - next(evidence) >= CLEARLY_MORE);
}

/** What is said for the second one. */
function next(evidence: Evidence): number {
  const best = evidence.indexOf(most(evidence));
  return Math.max(...evidence.filter((_bits, index) => index !== best));
}

/** The candidate for which clearly more is said; undefined if there is none. */
function leading(evidence: Evidence, among: readonly Candidate[]): Candidate | undefined {
  const isLeading = most(evidence) - next(evidence) >= CLEARLY_MORE;
  return isLeading ? among[evidence.indexOf(most(evidence))] : undefined;
}
