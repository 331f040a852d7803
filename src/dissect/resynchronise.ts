import type { Direction } from "../network/conversation.js";
import { type Decoder, Extent, type Window } from "../schema/decode.js";
import type { StructType } from "../schema/struct.js";
import type { PacketStart } from "../session/direction-stream.js";
import type { ConversationDissector } from "../session/dissector.js";
import { evidence } from "./evidence.js";
import { looksLikeText } from "./looks-like-text.js";
import { PacketPlaces } from "./packet-places.js";
import { checkedCandidate } from "./step-check.js";

/** Evidence, in bits, that settles a boundary at once: noise reaches it once in 10^14 places. */
const CERTAIN = 48;
/**
 * Evidence, in bits, that is enough if no more bytes come: in excess of what chance makes likely, given the number of
 * places tried before.
 */
const ENOUGH = 14;
/** Evidence, in bits, that a message in the middle of a packet needs to be accepted as the first one. */
const LEAST_INSIDE = 6;
/**
 * The same where a packet begins, the evidence of that place included: the last bytes of another message may look like a
 * short one, and what follows them makes sense in any case.
 */
const LEAST_AT_START = 8;
/** The most bits for a further message of the same type: bytes that look like one message often do so again. */
const MOST_OF_REPEATED = 6;
/** Bits for messages that end exactly where the bytes do. */
const ENDS_TOGETHER = 8;
/** The number of messages in a row that are tried after a possible boundary. */
const MOST_MESSAGES = 8;
/** The least number of bytes that have to be available before a search that has found nothing looks again. */
const LEAST_SEARCHED = 64;

/** The result of a search. */
type Search =
  /** A message begins after `skip` bytes, as `messages` in a row show. */
  | { readonly found: true; readonly skip: number; readonly messages: number }
  /** None is known yet; looking again takes `needed` bytes, and no message begins in the first `skip` bytes. */
  | { readonly found: false; readonly skip: number; readonly needed: number };

/** The bytes to search. */
interface SearchedWindow extends Window {
  readonly packetStarts: () => readonly PacketStart[];
}

/** What kind of message to look for, and where. */
interface Wanted {
  readonly dissector: ConversationDissector;
  readonly direction: Direction;
  readonly window: SearchedWindow;
  readonly decoder: Decoder;
  /** True if no more bytes follow the window. */
  readonly final: boolean;
  /** True if one may begin in the middle of a packet, or after a full one. */
  readonly isAnywhere: boolean;
}

/**
 * Finds the next message in a stream whose beginning, or the part before the window, was lost: a place at which several
 * messages in a row make sense. The starts of packets are tried first.
 */
export function findBoundary(wanted: Wanted): Search {
  const { window, decoder, final, isAnywhere } = wanted;
  const { searchBytes: mostBytes, searchWork } = decoder.limits;
  const { start, end } = window;
  const length = end - start;
  const places = new PacketPlaces(window.packetStarts(), length, isAnywhere);
  let work = length * searchWork;
  let best = NOTHING;
  for (const [index, at] of places.likely.entries()) {
    if (work <= 0) break;
    const trial = tryFrom(at, index, wanted, places);
    work -= trial.work;
    if (trial.surplus > best.surplus) best = trial;
    if (trial.bits >= CERTAIN) break;
  }
  const isEnough = ({ bits, surplus }: Trial) => bits >= CERTAIN || (final && surplus >= ENOUGH);
  // If a boundary is known, an earlier one in the middle of a packet counts only if its messages end exactly there.
  const goal = isEnough(best) ? best.start : end;
  for (let at = start; isAnywhere && at < goal && work > 0; at++) {
    if (places.isLikely(at)) continue;
    const trial = tryFrom(at, at - start, wanted, places);
    work -= trial.work;
    const isBetter = goal < end ? trial.bits >= CERTAIN && trial.passes.includes(goal) : trial.surplus > best.surplus;
    if (isBetter) best = trial;
    if (isBetter && trial.bits >= CERTAIN) break;
  }
  if (isEnough(best)) {
    return { found: true, skip: best.start - start, messages: best.messages };
  }
  if (final) return { found: false, skip: length, needed: 1 };
  if (length >= mostBytes) return { found: false, skip: length - Math.floor(mostBytes / 2), needed: mostBytes };
  // Looking again at every new byte would cost the square of the length.
  return { found: false, skip: 0, needed: Math.max(LEAST_SEARCHED, length * 2) };
}

/** The result of trying a place as the beginning of a message. */
interface Trial {
  readonly start: number;
  readonly bits: number;
  /** The bits in excess of what chance would yield at one of that many places. */
  readonly surplus: number;
  /** Number of messages in a row that it takes to be certain; all that were tried if that is not enough. */
  readonly messages: number;
  /** The places after each of these messages. */
  readonly passes: readonly number[];
  /** Number of bytes decoded, or of nodes for a message that was incomplete. */
  readonly work: number;
}

const NOTHING: Trial = { start: 0, bits: 0, surplus: 0, messages: 0, passes: [], work: 0 };

/** @param rank number of places tried before this one */
function tryFrom(from: number, rank: number, wanted: Wanted, places: PacketPlaces): Trial {
  const { dissector, direction, window, decoder, final, isAnywhere } = wanted;
  const types = new Set<StructType<unknown>>();
  const passes: number[] = [];
  /** A first message with too little evidence, unless it is all there is, or the next packet begins with another one. */
  let weak: StructType<unknown> | undefined;
  let start = from;
  let bits = 0;
  let messages = 0;
  /** How many of them it takes to be certain. */
  let enough: number | undefined;
  let work = 1;
  const nothing = () => ({ ...NOTHING, start: from, work });
  while (start < window.end && messages < MOST_MESSAGES) {
    const rest = { bytes: window.bytes, view: window.view, start, end: window.end };
    const found = dissector.candidate?.(direction, rest);
    if (found === undefined) return nothing();
    const candidate = checkedCandidate(found);
    // A head that is still incomplete is evidence neither for nor against.
    if (candidate === "more") break;
    const { type, length, bits: head } = candidate;
    const end = length === undefined ? window.end : start + length;
    const extent = length === undefined ? Extent.Open : Extent.Exact;
    const isThere = end <= window.end;
    const whole = isThere && decoder.decode(type, { ...rest, end }, extent);
    if (isThere) work += whole ? decoder.consumed : decoder.nodes.count;
    const isLikely = places.isLikely(start);
    if (!whole) {
      // The last message may be cut by the end of the window, but not by an absurd length.
      if (isThere && decoder.needed > decoder.limits.searchBytes) return nothing();
      if (messages > 0) {
        bits += head;
        break;
      }
      // Truncated packets may hold no more than the beginning of a message.
      if (!final || !isLikely) break;
      decoder.decode(type, rest, Extent.Cut);
      work += decoder.nodes.count;
    }
    const isText = looksLikeText(window.view, start, Math.min(end, whole ? start + decoder.consumed : window.end));
    if (isText && !isLikely) return nothing();
    const own = isText ? 0 : evidence(decoder.nodes) + head;
    const place = places.evidence(start);
    if (own < (messages > 0 || isLikely ? 0 : LEAST_INSIDE)) return nothing();
    // Text gives no evidence, whatever its length; the end of another message seldom ends where its own length says.
    if (messages === 0 && isAnywhere && isLikely && !isText && own + place < LEAST_AT_START) weak = type;
    else if (weak !== undefined) {
      if (type !== weak || !isLikely) return nothing();
      weak = undefined;
    }
    if (!isText) bits += place + (types.has(type) ? Math.min(own, MOST_OF_REPEATED) : own);
    types.add(type);
    messages++;
    if (bits >= CERTAIN) enough ??= messages;
    if (!whole) break;
    start += decoder.consumed;
    passes.push(start);
    if (bits >= CERTAIN && messages > 1) break;
  }
  const isAll = from === window.start && start === window.end;
  if (weak !== undefined && !isAll) return nothing();
  // Ending exactly where the bytes end is evidence too.
  if (final && start === window.end && messages > 0) bits += ENDS_TOGETHER;
  return { start: from, bits, surplus: bits - Math.log2(rank + 1), messages: enough ?? messages, passes, work };
}
