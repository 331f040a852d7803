import type { Held } from "../../dissect/order/order-watch.js";
import type { FrameOrder } from "../../network/frame-order.js";

/**
 * What a thread tells of its share of the conversations, in order. Each event is a row of numbers: its kind, where it
 * stands (see `OrderWatch`), and what else is said of it. Texts are referred to by their index among all that the thread
 * has used so far.
 */
export const Event = {
  /**
   * Messages that have one `FrameOrder`: how many there are, and how many of them count, which ended with a packet: its
   * frame, seconds and nanoseconds.
   */
  Messages: 0,
  /** What the last of them says about others: see `CountingTrace`. */
  Exchange: 1,
  /** The next message is of a new type: its key. */
  Type: 2,
  /** The next message is the first of a player, or of an age: which list, its key; dissector, scope, kind, id. */
  Party: 3,
  /** The next message brings a name: dissector, kind, id, 1 if it is provisional, name. */
  Name: 4,
  /** The same: a thing is called after another one, whose kind and id follow, and the text before its name. */
  CalledAfter: 5,
  /**
   * For the next message, a name was asked for: dissector, kind, id, and the name; to make a name for something: its kind,
   * id, and 1 if that is provisional.
   */
  Asked: 6,
  /** A message that is printed: how many bytes its line has, and after how many of them its number belongs. */
  Line: 7,
  /**
   * Something is wrong with the next message: the number of its conversation, its protocol, name and status, the text of
   * its first note, and 1 if it is a range that is not a message.
   */
  Trouble: 8,
} as const;

/** What stands in place of something that there is not. */
export const NONE = -1;

/** What an exchange says: a bit each. */
export const Flag = { Asks: 1, Answers: 2, Forgets: 4 } as const;

/** Some events, and what came with them: what was counted, or printed. */
export interface Trace<Content> {
  readonly memory: ArrayBufferLike;
  /** How many numbers are in it. */
  readonly length: number;
  /** The texts that are used for the first time. */
  readonly texts: readonly string[];
  readonly content: Content;
  /** Up to where in the order of frames there are no more events to come. */
  readonly frontier: FrameOrder;
  /** See `OrderWatch`. */
  readonly held: Held;
}

/** How many numbers a trace holds, and how many of them an event may take. */
export const MOST_NUMBERS = 32_768;
export const MOST_IN_EVENT = 32;
/** The memory of a trace, in bytes. */
export const TRACE_BYTES = MOST_NUMBERS * Float64Array.BYTES_PER_ELEMENT;
