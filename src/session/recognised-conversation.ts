import type { ConversationDissector, DefinitionFile, Dissector } from "../dissector/dissector.js";
import type { Conversation } from "../network/conversation.js";

/** A conversation whose protocol is known, as seen by observers. */
export interface RecognisedConversation {
  readonly conversation: Conversation;
  /** What the dissector has opened for this conversation: it says where messages begin, of which types. */
  readonly analyzer: ConversationDissector;
  /** The dissector that recognised it, the same one for many conversations. */
  readonly recognisedBy: Dissector;
  /** @deprecated The old name of `analyzer`. */
  readonly dissector: ConversationDissector;
  /** @deprecated The old name of `recognisedBy`. */
  readonly spokenBy: Dissector;
  /** The definition files that the dissector has read. */
  readonly definitions: readonly DefinitionFile[];
  /** How many datagrams were dropped before one showed what the conversation is; they are not dissected. */
  readonly dropped: number;
  /** How many bytes belong to somebody else, as the dissector has said; they are not dissected. */
  readonly foreignBytes: number;
}
