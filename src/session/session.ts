import type { Conversation, Direction } from "../network/conversation.js";
import type { DirectionStream } from "./direction-stream.js";
import type { ConversationDissector, Dissector, Names } from "./dissector.js";

/** A conversation whose protocol is known, as those who look on are told of it. */
export interface RecognisedConversation {
  readonly conversation: Conversation;
  /** What is at work on it. */
  readonly dissector: ConversationDissector;
  /** The dissector whose conversation it is. */
  readonly spokenBy: Dissector;
  /** How many datagrams had to make room before one told what the conversation is: they are not dissected. */
  readonly passedOver: number;
}

/** A conversation whose protocol is known, in the hands of who dissects it. */
export interface RecognisedSession extends RecognisedConversation {
  readonly streams: Readonly<Record<Direction, DirectionStream>>;
  /** Names that conversations of the same dissector have shown. */
  readonly names: Names;
  /** Nothing more of it is wanted: from now on its bytes are only counted. */
  leave(): void;
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
