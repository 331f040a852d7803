import type {
  Conversation,
  ConversationListener,
  Direction,
  NetworkListener,
  Origin,
} from "../network/conversation.js";
import type { RecognisedConversation } from "./recognised-conversation.js";
import type { PlaintextListener } from "./stream/plaintext.js";

/**
 * Watches one conversation, from its first packet to its last message. It is told of everything before that is
 * dissected, but of the end last, when all conclusions have been drawn.
 */
export interface ConversationObserver extends Partial<ConversationListener> {
  /** Receives the plaintext. */
  readonly plaintext?: PlaintextListener | undefined;
  /** A dissector has recognised the conversation. */
  recognised?(session: RecognisedConversation): void;
  /** No dissector has recognised the conversation, and none will. */
  forgotten?(): void;
  /** The conversation is not recognised yet, and the oldest datagram of this direction that was kept is given up. */
  dropped?(direction: Direction): void;
  /**
   * Its last message has been passed on. That can be after `closed`, as the message may wait for earlier ones of other
   * conversations.
   */
  dissected?(session: RecognisedConversation): void;
}

/** Watches what a run makes of packets. */
export interface NetworkObserver extends Pick<NetworkListener, "began" | "carries" | "checksum" | "ended"> {
  /** The first packet of a new conversation; returns who watches it, if anyone does. */
  opened?(conversation: Conversation, origin: Origin): ConversationObserver | undefined;
  /** True to compare TCP bytes that come again with the first ones, and report a `conflict` where they differ. */
  readonly comparesRepeats?: boolean;
}
