import type { Match } from "./compare.js";
import { type ForeignFrame, type ForeignPart, GAP, gapText } from "./views.js";

/** What kind a difference is of; with a reason if it is none to be mended. */
export interface Kind {
  readonly name: string;
  readonly reason?: string;
}

/** What one sender has sent in conversations that differ. */
interface Case {
  /** In each of this program's conversations, and together. */
  readonly each: readonly string[];
  readonly own: string;
  readonly parts: readonly ForeignPart[];
  readonly foreign: string;
  readonly match: Match;
  /** tshark's packets of the conversations, by their number. */
  readonly frames: ReadonlyMap<number, ForeignFrame>;
}

type Rule = (difference: Case) => Kind | undefined;

const FIN = 1;
const RST = 4;
/** A gap that is longer than a window without scaling needs more than an acknowledgment to be believed (RFC 9293). */
const LONGEST_GAP = 65_535;

/** The first that fits counts. */
const RULES: readonly Rule[] = [notFound, onlyOwn, severalPaths, severalConversations, resetText, afterEnd, gaps, cut];

/** @param each what the sender has sent in each of this program's conversations */
export function kindOf(match: Match, each: readonly string[], parts: readonly ForeignPart[]): Kind {
  const frames = match.foreign.flatMap((conversation) => conversation.frames);
  const difference: Case = {
    match,
    each,
    own: each.join(""),
    parts,
    foreign: textOf(parts),
    frames: new Map(frames.map((frame) => [frame.number, frame])),
  };
  for (const rule of RULES) {
    const kind = rule(difference);
    if (kind !== undefined) return kind;
  }
  return { name: match.own.some(({ differing }) => differing > 0) ? "other, bytes that came again differ" : "other" };
}

function notFound({ match, frames }: Case): Kind | undefined {
  if (match.own.length > 0) return undefined;
  const layers = [...new Set([...frames.values()].map(({ protocols }) => around(protocols)))];
  if (layers.every((text) => /:icmp(v6)?:/.test(text))) {
    return { name: "quoted in an ICMP message", reason: "a quotation is not a segment of the connection (RFC 792)" };
  }
  return { name: `not found: ${layers.join(" / ")}` };
}

function onlyOwn({ match, own }: Case): Kind | undefined {
  if (match.foreign.length > 0) return undefined;
  if (withoutGaps(own) !== "") return { name: "found by this program only" };
  return gapKind(own);
}

function severalPaths({ match, each, foreign }: Case): Kind | undefined {
  const paths = new Set(match.own.map(({ path }) => path));
  if (paths.size < 2) return undefined;
  const copies = each.filter((text) => text !== "");
  if (copies.length > 1 && copies.every((text) => text === foreign)) {
    return { name: "captured on several paths", reason: "each copy is a conversation of its own path" };
  }
  return { name: `different paths: ${[...paths].join(" | ")}` };
}

function severalConversations({ match, own, foreign }: Case): Kind | undefined {
  const [ours, theirs] = [match.own.length, match.foreign.length];
  if (ours === 1 && theirs === 1) return undefined;
  const name = `${ours} conversations, ${theirs} in tshark`;
  if (own !== foreign) return { name };
  return { name: `${name}, the same bytes`, reason: "ports used again: the programs part them elsewhere" };
}

function resetText({ own, parts, frames }: Case): Kind | undefined {
  const data = parts.filter(({ frame }) => ((frames.get(frame)?.flags ?? 0) & RST) === 0);
  if (data.length === parts.length || textOf(data) !== own) return undefined;
  return { name: "text on an RST", reason: "it is for people, not part of the stream (RFC 9293, section 3.5.3)" };
}

function afterEnd({ own, parts, frames }: Case): Kind | undefined {
  let length = 0;
  const rest = parts.filter(({ bytes }) => {
    length += bytes.length;
    return length > own.length;
  });
  const [first] = rest;
  if (first === undefined || textOf(parts.slice(0, parts.length - rest.length)) !== own) return undefined;
  const flags = [...frames.values()].filter(({ number }) => number < first.frame).reduce((all, f) => all | f.flags, 0);
  if ((flags & RST) !== 0) {
    return { name: "data after a reset", reason: "a closed connection takes none (RFC 9293, section 3.10.7.1)" };
  }
  if ((flags & FIN) === 0) return undefined;
  return { name: "data after a FIN", reason: "a sender's FIN is its last (RFC 9293, section 3.6)" };
}

/** The same bytes, or more in this program, with other gaps. */
function gaps({ own, foreign, frames }: Case): Kind | undefined {
  const [bytes, others] = [withoutGaps(own), withoutGaps(foreign)];
  if (bytes === others) {
    if ([...frames.values()].some(({ isCut }) => isCut)) {
      return { name: "cut packets", reason: "tshark closes up what the snap length has cut" };
    }
    if (own.startsWith(foreign)) return gapKind(own.slice(foreign.length));
    if (own.endsWith(foreign)) return gapKind(own.slice(0, own.length - foreign.length));
    if (foreign === gapText(1) + own) {
      return { name: "keep-alive at the beginning", reason: "its number is one too low (RFC 9293, section 3.8.4)" };
    }
    return { name: "the same bytes, other gaps" };
  }
  if (own.startsWith(foreign)) {
    const rest = own.slice(foreign.length);
    const gap = rest.match(GAP)?.[0];
    if (gap === undefined || !rest.startsWith(gap)) return { name: "goes on in this program" };
    return { ...gapKind(gap), name: "data after a gap that nobody acknowledged" };
  }
  const theirs = piecesOf(foreign);
  const ours = piecesOf(own);
  if (ours.length < theirs.length) return undefined;
  for (let at = 0; at < theirs.length; at++) {
    if (theirs[at] !== undefined && theirs[at] !== ours[at]) return undefined;
  }
  return { name: "gap filled later", reason: "data recorded after its acknowledgment is kept" };
}

function cut({ frames }: Case): Kind | undefined {
  return [...frames.values()].some(({ isCut }) => isCut) ? { name: "other, with cut packets" } : undefined;
}

function gapKind(text: string): Kind {
  const missing = [...text.matchAll(GAP)].reduce((sum, [, length]) => sum + Number(length), 0);
  if (missing > LONGEST_GAP) return { name: "long gap" };
  return { name: "acknowledged, not captured", reason: "tshark does not tell a gap at the beginning or the end" };
}

/** A stream byte by byte, undefined where one is missing. */
function piecesOf(text: string): (number | undefined)[] {
  const pieces: (number | undefined)[] = [];
  let from = 0;
  for (const match of text.matchAll(GAP)) {
    for (let at = from; at < match.index; at++) pieces.push(text.charCodeAt(at));
    for (let missing = Math.min(Number(match[1]), 1 << 22); missing > 0; missing--) pieces.push(undefined);
    from = match.index + match[0].length;
  }
  for (let at = from; at < text.length; at++) pieces.push(text.charCodeAt(at));
  return pieces;
}

function withoutGaps(text: string): string {
  return text.replace(GAP, "");
}

function textOf(parts: readonly ForeignPart[]): string {
  return parts.map(({ bytes }) => bytes).join("");
}

/** The layers around the innermost TCP. */
function around(protocols: string): string {
  return protocols.replace(/:tcp(?!.*:tcp\b).*/, "");
}
