import type { Conversation, Direction } from "../network/conversation.js";
import type { DirectionStream } from "./direction-stream.js";
import type { ConversationDissector, Dissector } from "./dissector.js";
import type { NameBook } from "./name-book.js";

/** A conversation on its way through the session room. */
export interface Session {
  readonly conversation: Conversation;
  readonly streams: Readonly<Record<Direction, DirectionStream>>;
  /** The dissector at work on it; undefined while it is not recognised, and if it never is. */
  readonly dissector: ConversationDissector | undefined;
  /** Whose conversation it is. */
  readonly spokenBy: Dissector | undefined;
  /** Names that conversations of the same dissector have shown. */
  readonly names: NameBook;
}

/** Takes conversations that a dissector has recognised. All calls are synchronous. */
export interface SessionListener {
  /** New bytes can be dissected in this direction, or it has ended. */
  advanced(session: RecognisedSession, direction: Direction): void;
  /** A datagram has come in this direction: what is readable is all of it. */
  datagram(session: RecognisedSession, direction: Direction): void;
  /** Nothing more comes; what is left in both directions is all there is. */
  closed(session: RecognisedSession): void;
}

/** A conversation whose protocol is known. */
export interface RecognisedSession extends Session {
  readonly dissector: ConversationDissector;
  readonly spokenBy: Dissector;
  /** Nothing more of it is wanted: from now on its bytes are only counted. */
  leave(): void;
  /** How many datagrams had to make room before one told what the conversation is: they are not dissected. */
  readonly passedOver: number;
}
