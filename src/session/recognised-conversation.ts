import type { ConversationDissector, DefinitionFile, Dissector } from "../dissector/dissector.js";
import type { Conversation } from "../network/conversation.js";

/** A conversation whose protocol is known, as seen by observers. */
export interface RecognisedConversation {
  readonly conversation: Conversation;
  /** The dissector at work on it. */
  readonly dissector: ConversationDissector;
  /** The dissector that recognised it. */
  readonly spokenBy: Dissector;
  /** The definition files that the dissector has read. */
  readonly definitions: readonly DefinitionFile[];
  /** How many datagrams were dropped before one showed what the conversation is; they are not dissected. */
  readonly dropped: number;
  /** How many bytes belong to somebody else, as the dissector has said; they are not dissected. */
  readonly foreignBytes: number;
}
