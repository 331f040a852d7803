import { type Direction, directions, type Opening, type Window } from "moul-dissect/dissector";
import { newest } from "./classic/versions.js";
import { type Messages, messageCandidate } from "./message-table.js";
import { HEADER_BYTES, MAX_MESSAGE_BYTES } from "./messages.js";
import { modern } from "./modern/tables.js";
import { windowOn } from "./window-on.js";

/** Evidence that consecutive messages must give, in bits, to rule out chance: three or four of them give as much. */
const ENOUGH = 60;
/**
 * Evidence that one protocol must have over the other. A message of its minimum length gives 10 bits more than a longer
 * one.
 */
const CLEARLY_MORE = 5;
/** Once both protocols have this much evidence, there is no more waiting for something that sets them apart. */
const MOST = 4 * ENOUGH;
/** Evidence required on a port about which nothing is known. */
const ENOUGH_ANYWHERE = 2 * ENOUGH;
/**
 * What `MOST` is on such a port, some 500 messages: nothing shows which side is the server as long as no player dies or
 * comes back.
 */
const MOST_ANYWHERE = 200 * ENOUGH;
/** The size of a table is no evidence, so all tables are assumed to have the same size, in bits. */
const TABLE_BITS = 5;

/** The protocol of a connection whose beginning is missing. */
export type Spoken = "modern" | "classic";

/** A protocol that may be spoken; undefined: one with the two ends swapped. */
interface Candidate {
  readonly spoken: Spoken | undefined;
  readonly messages: Messages;
}

/** Evidence for each candidate, in bits; minus infinity for one that does not have all the messages. */
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
 * Returns the protocol in which both directions are consecutive messages; "more" if there are too few of them, and
 * undefined if they belong to none. A capture usually begins between two packets, and so between two messages; in an
 * opening in midstream it may not, and the first whole message begins within the length of one.
 *
 * @param likely the protocol to assume if nothing sets the two apart
 * @param enough the evidence required, in bits
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
 * The same on a port about which nothing is known. It takes more messages, some in each direction that says anything,
 * and not only ones that both sides send: nothing else shows which side is the server.
 */
export function spokenAnywhere(opening: Pick<Opening, Direction>): Spoken | "more" | undefined {
  const suffices = (found: Evidence) => isClear(found, ENOUGH_ANYWHERE, MOST_ANYWHERE);
  // If no message is cut, one direction may be enough, and the messages are shown as early as possible.
  const atOnce = evidenceIn(opening, eitherWay, suffices);
  if (most(atOnce) >= 0 && suffices(atOnce)) return leading(atOnce, eitherWay)?.spoken;
  const found = directions.map((direction) =>
    evidenceOf(direction, opening[direction], eitherWay, suffices, MAX_MESSAGE_BYTES),
  );
  const evidence = sum(found);
  // A direction that says something else first may be another protocol.
  const isSilent = directions.some(
    (direction, index) => opening[direction].length > 0 && most(found[index] ?? []) === 0,
  );
  if (isSilent && most(evidence) >= 0) return "more";
  if (most(evidence) >= 0 && !suffices(evidence)) return "more";
  return leading(evidence, eitherWay)?.spoken;
}

/**
 * The evidence of both directions together, each read until it suffices.
 *
 * @param passed bytes that may precede the first message of a direction
 */
function evidenceIn(
  opening: Pick<Opening, Direction>,
  among: readonly Candidate[],
  suffices: (found: Evidence) => boolean,
  passed = 0,
): Evidence {
  return sum(directions.map((direction) => evidenceOf(direction, opening[direction], among, suffices, passed)));
}

function sum([one = [], other = []]: readonly Evidence[]): Evidence {
  return one.map((bits, index) => bits + (other[index] ?? 0));
}

/** The evidence in these bytes: from the first byte on, or else from the place that gives the most. */
function evidenceOf(
  direction: Direction,
  bytes: Uint8Array,
  among: readonly Candidate[],
  suffices: (found: Evidence) => boolean,
  passed: number,
): Evidence {
  const window = windowOn(bytes);
  // Only the head of a message counts as evidence.
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
  // The first message may not have arrived yet.
  let best = bytes.length < passed + HEADER_BYTES ? none : atOnce;
  for (let start = 1; start <= passed && start + HEADER_BYTES <= window.end; start++) {
    // The length alone rules out most places, which matters because all of them are examined again with each packet.
    if (window.view.getUint16(start) > MAX_MESSAGE_BYTES - HEADER_BYTES || most(bitsAt(start)) < 0) continue;
    const found = evidenceFrom(start, window, none, bitsAt, suffices);
    best = best.map((bits, index) => Math.max(bits, (found[index] ?? 0) - Math.log2(passed)));
  }
  return best;
}

/**
 * The evidence of consecutive messages from this place on. Both protocols frame messages alike, so they find the same
 * ones.
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
    // Once a protocol is certain, an undeclared message is no evidence against it.
    if (most(further) < 0 && most(evidence) >= ENOUGH) break;
    evidence = further;
    if (most(evidence) < 0) break;
  }
  return evidence;
}

/** The evidence that the message at this place gives for a candidate. */
function bitsOf(direction: Direction, place: Window, { messages }: Candidate): number {
  const table = messages[direction];
  const found = messageCandidate(table, place);
  return typeof found === "object" ? found.bits + Math.log2(table.size) - TABLE_BITS : Number.NEGATIVE_INFINITY;
}

function most(evidence: Evidence): number {
  return Math.max(...evidence);
}

/** True if the evidence is enough and sets the candidates apart, or is so much that it never will. */
function isClear(evidence: Evidence, enough: number, atMost: number): boolean {
  const bits = most(evidence);
  return bits >= atMost || (bits >= enough && bits - next(evidence) >= CLEARLY_MORE);
}

/** The evidence for the second-best candidate. */
function next(evidence: Evidence): number {
  const best = evidence.indexOf(most(evidence));
  return Math.max(...evidence.filter((_bits, index) => index !== best));
}

/** The candidate with clearly more evidence than any other; undefined if there is none. */
function leading(evidence: Evidence, among: readonly Candidate[]): Candidate | undefined {
  const isLeading = most(evidence) - next(evidence) >= CLEARLY_MORE;
  return isLeading ? among[evidence.indexOf(most(evidence))] : undefined;
}
