import type { Limits } from "../limits.js";
import type { Direction } from "../network/conversation.js";
import { type Decoder, Extent, type Window } from "../schema/decode.js";
import type { ConversationDissector } from "../session/dissector.js";
import { evidence } from "./evidence.js";

/** Evidence, in bits, that settles a boundary at once: noise has it once in 10^14 places. */
const CERTAIN = 48;
/** Evidence that is enough where no more bytes come, above what the number of places makes likely that come before it. */
const ENOUGH = 12;
/** Evidence, in bits, without which a message is not believed to be the first one, whatever follows it. */
const LEAST_OF_FIRST = 6;
/** What it says, in bits, that messages end exactly where the bytes do. */
const ENDS_TOGETHER = 8;
/** Messages in a row that are looked at behind a possible boundary. */
const MOST_MESSAGES = 8;
/** Bytes with which a search begins that has found nothing. */
const LEAST_SEARCHED = 64;
/** Bytes that a message without its end is taken to have cost to decode. */
const WORK_OF_CUT = 64;

/** What a search came to. */
export type Search =
  /** A message begins behind `skip` bytes; `messages` in a row make sense there. */
  | { readonly found: true; readonly skip: number; readonly messages: number }
  /** None is known yet; it takes `needed` bytes to look again, and the first `skip` cannot hold one. */
  | { readonly found: false; readonly skip: number; readonly needed: number };

/**
 * Finds the next message in a stream whose beginning, or the place before, was lost: the place behind which several
 * messages in a row make sense.
 *
 * @param final true if no more bytes come behind the window
 */
export function findBoundary(
  dissector: ConversationDissector,
  direction: Direction,
  window: Window,
  decoder: Decoder,
  final: boolean,
  { searchBytes: mostBytes, searchWork }: Pick<Limits, "searchBytes" | "searchWork">,
): Search {
  const { bytes, view, start, end } = window;
  const length = end - start;
  let best = { skip: 0, bits: 0, messages: 0 };
  let work = length * searchWork;
  for (let skip = 0; skip < length && work > 0; skip++) {
    const trial = tryFrom(dissector, direction, { bytes, view, start: start + skip, end }, decoder, final, mostBytes);
    work -= trial.work;
    if (trial.bits > best.bits) best = { skip, bits: trial.bits, messages: trial.messages };
    if (best.bits >= CERTAIN) break;
  }
  if (best.bits >= CERTAIN || (final && best.bits >= ENOUGH + Math.log2(best.skip + 1))) {
    return { found: true, skip: best.skip, messages: best.messages };
  }
  if (final) return { found: false, skip: length, needed: 1 };
  if (length >= mostBytes) return { found: false, skip: length - Math.floor(mostBytes / 2), needed: mostBytes };
  // Looking again at each byte that comes would cost the square of the length.
  return { found: false, skip: 0, needed: Math.max(LEAST_SEARCHED, length * 2) };
}

interface Trial {
  readonly bits: number;
  readonly messages: number;
  /** Bytes that were decoded. */
  readonly work: number;
}

function tryFrom(
  dissector: ConversationDissector,
  direction: Direction,
  window: Window,
  decoder: Decoder,
  final: boolean,
  mostBytes: number,
): Trial {
  let start = window.start;
  let bits = 0;
  let messages = 0;
  let work = 1;
  while (start < window.end && messages < MOST_MESSAGES) {
    const rest = { bytes: window.bytes, view: window.view, start, end: window.end };
    const candidate = dissector.candidate?.(direction, rest);
    if (candidate === undefined) return { bits: 0, messages, work };
    // A head that is not whole yet says nothing for or against.
    if (candidate === "more") break;
    const { type, length, bits: head } = candidate;
    if (length !== undefined && start + length > window.end) {
      if (messages > 0) bits += head;
      break;
    }
    const end = length === undefined ? window.end : start + length;
    const whole = decoder.decode(type, { ...rest, end }, length === undefined ? Extent.Open : Extent.Exact);
    work += whole ? decoder.consumed : Math.min(end - start, WORK_OF_CUT);
    if (!whole) {
      // The last message may be cut by the end of the window, but not by an absurd length.
      if (decoder.needed > mostBytes) return { bits: 0, messages, work };
      if (messages > 0) bits += head;
      break;
    }
    const own = evidence(decoder.nodes) + head;
    if (own < (messages === 0 ? LEAST_OF_FIRST : 0)) return { bits: 0, messages, work };
    bits += own;
    start += decoder.consumed;
    messages++;
    if (bits >= CERTAIN && messages > 1) break;
  }
  // That messages end exactly where the bytes end is worth something too.
  if (final && start === window.end && messages > 0) bits += ENDS_TOGETHER;
  return { bits, messages, work };
}
