import type { Candidate, ConversationDissector } from "../../dissector/dissector.js";
import type { Direction } from "../../network/conversation.js";
import type { Decoder } from "../../schema/decode/decode.js";
import { Extent, type Window } from "../../schema/decode/window.js";
import type { StructType } from "../../schema/language/struct.js";
import type { PacketStart } from "../../session/stream/direction-stream.js";
import type { PacketPlaces } from "../order/packet-places.js";
import { checkedCandidate } from "../step-check.js";
import { evidence } from "./evidence.js";
import { looksLikeText } from "./looks-like-text.js";

/** Evidence, in bits, that settles a boundary at once: noise reaches it once in 10^14 places. */
export const CERTAIN = 48;
/** Evidence, in bits, that a message in the middle of a packet needs to be accepted as the first one. */
const LEAST_INSIDE = 6;
/**
 * The same where a packet begins, the evidence of that place included: the last bytes of another message may look like a
 * short one, and what follows them makes sense in any case.
 */
const LEAST_AT_START = 8;
/**
 * The most bits for a further message of the same type: bytes that look like one message often do so again. One with the
 * same bytes as the last, or hardly any but zeros, gives none but that of its place: what repeats itself, or has only
 * zeros, looks like any number of messages.
 */
const MOST_OF_REPEATED = 6;
/** Bits for messages that end exactly where the bytes do. */
const ENDS_TOGETHER = 8;
/**
 * The number of messages in a row that are tried after a possible boundary, even if fewer are certain: contents may look
 * like a few messages, but seldom go on to.
 */
const MOST_MESSAGES = 8;

/** The bytes to search. */
interface SearchedWindow extends Window {
  readonly packetStarts: () => readonly PacketStart[];
}

/** What kind of message to look for, and where. */
export interface Wanted {
  readonly analyzer: ConversationDissector;
  readonly direction: Direction;
  readonly window: SearchedWindow;
  readonly decoder: Decoder;
  /** True if no more bytes follow the window. */
  readonly final: boolean;
  /** True if one may begin in the middle of a packet, or after a full one. */
  readonly isAnywhere: boolean;
}

/** A place at which a message ends. */
interface Pass {
  readonly at: number;
  readonly bits: number;
}

/** The result of trying a place as the beginning of a message. */
export interface Trial {
  readonly start: number;
  readonly bits: number;
  /** The bits in excess of what chance would yield at one of that many places. */
  readonly surplus: number;
  /** Number of messages in a row that it takes to be certain; all that were tried if that is not enough. */
  readonly messages: number;
  /** The places after each of these messages, and the evidence so far, in bits. */
  readonly passes: readonly Pass[];
  /** Number of bytes decoded, or of nodes for a message that was incomplete. */
  readonly work: number;
}

/** The result for a place at which no message begins. */
export const NOTHING: Trial = { start: 0, bits: 0, surplus: 0, messages: 0, passes: [], work: 0 };

/** What a message says of the place: try the next one, there is no more to see, or no message begins there. */
type Verdict = "go on" | "that is all" | "wrong";

/** Tries a place as the beginning of a message: gathers the evidence of the messages in a row from there on. */
export class BoundaryTrial {
  #start: number;
  #bits = 0;
  #messages = 0;
  /** How many of them it takes to be certain. */
  #enough: number | undefined;
  /** The last message of each type. */
  readonly #last = new Map<StructType<unknown>, Uint8Array>();
  readonly #passes: Pass[] = [];
  #work = 1;
  /** A first message with too little evidence, unless it is all there is, or the next packet begins with another one. */
  #weak: StructType<unknown> | undefined;

  constructor(
    readonly from: number,
    readonly wanted: Wanted,
    readonly places: PacketPlaces,
  ) {
    this.#start = from;
  }

  /** @param rank number of places tried before this one */
  result(rank: number): Trial {
    const { window, final } = this.wanted;
    let verdict: Verdict = "go on";
    while (verdict === "go on" && this.#start < window.end && this.#messages < MOST_MESSAGES) verdict = this.#next();
    const isAll = this.from === window.start && this.#start === window.end;
    const isNothing = verdict === "wrong" || (this.#weak !== undefined && !isAll);
    if (isNothing) return { ...NOTHING, start: this.from, work: this.#work };
    // Ending exactly where the bytes end is evidence too.
    const endsTogether = final && this.#start === window.end && this.#messages > 0;
    const bits = this.#bits + (endsTogether ? ENDS_TOGETHER : 0);
    return {
      start: this.from,
      bits,
      surplus: bits - Math.log2(rank + 1),
      messages: this.#enough ?? this.#messages,
      passes: this.#passes,
      work: this.#work,
    };
  }

  /** Tries the next message. */
  #next(): Verdict {
    const { analyzer, direction, window, decoder, final } = this.wanted;
    const rest = { bytes: window.bytes, view: window.view, start: this.#start, end: window.end };
    const found = analyzer.candidate?.(direction, rest);
    if (found === undefined) return "wrong";
    const candidate = checkedCandidate(found);
    // A head that is still incomplete is evidence neither for nor against.
    if (candidate === "more") return "that is all";
    const { type, length, bits } = candidate;
    const end = length === undefined ? window.end : this.#start + length;
    const isThere = end <= window.end;
    if (isThere && decoder.decode(type, { ...rest, end }, length === undefined ? Extent.Open : Extent.Exact)) {
      this.#work += decoder.consumed;
      if (!this.#accept(candidate, this.#start + decoder.consumed)) return "wrong";
      this.#start += decoder.consumed;
      this.#passes.push({ at: this.#start, bits: this.#bits });
      return "go on";
    }
    if (isThere) this.#work += decoder.nodes.count;
    // The last message may be cut by the end of the window, but not by an absurd length.
    if (isThere && decoder.needed > decoder.limits.searchBytes) return "wrong";
    if (this.#messages > 0) this.#bits += bits;
    // Truncated packets may hold no more than the beginning of a message.
    else if (final && this.places.isLikely(this.#start)) {
      decoder.decode(type, rest, Extent.Cut);
      this.#work += decoder.nodes.count;
      if (!this.#accept(candidate, window.end)) return "wrong";
    }
    return "that is all";
  }

  /** Adds the evidence of the message that was decoded; false if there is too little. */
  #accept(candidate: Candidate, end: number): boolean {
    const { type, bits: head } = candidate;
    const { window, decoder, isAnywhere } = this.wanted;
    const isFirst = this.#messages === 0;
    const isLikely = this.places.isLikely(this.#start);
    const isText = looksLikeText(window.view, this.#start, end);
    if (isText && !isLikely) return false;
    const own = isText ? 0 : evidence(decoder.nodes) + head;
    const place = this.places.evidence(this.#start);
    const message = window.bytes.subarray(this.#start, end);
    if (own < (isFirst && !isLikely ? LEAST_INSIDE : 0)) return false;
    // Text gives no evidence, whatever its length; the end of another message seldom ends where its own length says.
    if (isFirst && isAnywhere && isLikely && !isText && own + place < LEAST_AT_START) this.#weak = type;
    else if (this.#weak !== undefined) {
      if (type !== this.#weak || !isLikely) return false;
      this.#weak = undefined;
    }
    if (!isText) this.#bits += this.#added(candidate, message, own, place);
    this.#last.set(type, message);
    this.#messages++;
    if (this.#bits >= CERTAIN) this.#enough ??= this.#messages;
    return true;
  }

  /** How much the evidence of a message, its own and that of its place, adds to that of the ones before. */
  #added({ type, length }: Candidate, message: Uint8Array, own: number, place: number): number {
    const last = this.#last.get(type);
    if (last === undefined) return own + place;
    const isWeak = own >= 0 && own < LEAST_INSIDE && !this.places.isLikely(this.#start);
    if (isWeak && isMostlyZeros(message)) return Math.max(place, 0);
    // One that says how long it is says it again.
    const isNew = length !== undefined || !isSame(last, message);
    return Math.min(own, isNew ? MOST_OF_REPEATED : 0) + place;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function isMostlyZeros(message: Uint8Array): boolean {
  let zeros = 0;
  for (const byte of message) if (byte === 0) zeros++;
  return 2 * zeros > message.length;
}
