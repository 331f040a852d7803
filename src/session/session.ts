import type { Direction, Origin } from "../network/conversation.js";
import type { LearntNames } from "./name-book.js";
import type { ConversationObserver } from "./observer.js";
import type { RecognisedConversation } from "./recognised-conversation.js";
import type { DirectionStream } from "./stream/direction-stream.js";

/** A conversation whose protocol is known, as seen by its dissection. */
export interface RecognisedSession extends RecognisedConversation {
  readonly streams: Readonly<Record<Direction, DirectionStream>>;
  /** Names that conversations of the same dissector have revealed. */
  readonly names: LearntNames;
  /** True if what the dissector answers needs no checks: it is one of our own. */
  readonly isTrusted: boolean;
  /** Who watches the conversation. */
  readonly observer: ConversationObserver | undefined;
  /** Gives the conversation up: from now on its bytes are only counted. */
  leave(): void;
}

/** Takes conversations that a dissector has recognised. All calls are synchronous. */
export interface SessionListener {
  /** A dissector has recognised a conversation; returns who takes what it brings. */
  recognised(session: RecognisedSession): SessionReader;
  /** A conversation is recognised that another thread dissects. */
  recognisedElsewhere?(session: RecognisedSession): ElsewhereReader;
  /** No more packets come; all conversations have been closed. */
  ended(): void;
}

/** Takes note of what comes of a conversation that another thread dissects: its messages may keep others waiting. */
export interface ElsewhereReader {
  /** The next bytes have come in order. */
  bytes(direction: Direction, length: number, origin: Origin): void;
  outOfOrder(direction: Direction, length: number, origin: Origin): void;
  flipped(): void;
  closed(): void;
}

/** Takes what one recognised conversation brings. */
export interface SessionReader {
  /** New bytes can be dissected in this direction, or it has ended. */
  advanced(direction: Direction): void;
  /** A packet has brought bytes of this direction that cannot be dissected yet: some before them have not come. */
  outOfOrder(direction: Direction, origin: Origin): void;
  /** A datagram has arrived in this direction: all of it is readable. */
  datagram(direction: Direction): void;
  /** The conversation has ended; nothing will be added to what is left in both directions. */
  closed(): void;
}
