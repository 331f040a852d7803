import { isAssembled, type Message } from "../dissect/message.js";
import type { Conversation } from "../network/conversation.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { gatherSecrets, hasSecrets, type Kept } from "./scrub-message.js";
import type { Secrets } from "./secrets.js";

/** Reads messages to find out what must not be revealed, and which conversations have to be left out entirely. */
export class Gathering {
  /** Conversations that are left out because they cannot be decrypted. */
  readonly encrypted = new Set<number>();
  /** Conversations that are left out because their dissector does not say what is secret. */
  readonly unmarked = new Set<number>();
  /** Conversations that are left out because something secret is spread over several of their messages. */
  readonly spread = new Set<number>();
  /** The conversations that have messages, and those whose dissector says what is secret. */
  readonly #spoken = new Set<number>();
  readonly #marked = new Set<number>();

  /** @param withoutMarks names of dissectors that do not say what is secret */
  constructor(
    readonly secrets: Secrets,
    readonly kept: Kept,
    readonly withoutMarks: ReadonlySet<string>,
  ) {}

  /** A conversation of any kind begins: its addresses may occur in the messages of others. */
  opened({ client, server }: Conversation): void {
    if (this.kept.has("ip-address")) return;
    for (const { address } of [client, server]) this.secrets.addresses.gather(address);
  }

  message(message: Message): void {
    const { nodes, status, conversation } = message;
    this.#spoken.add(conversation.stream);
    if (nodes !== undefined) gatherSecrets(nodes, this.kept, this.secrets);
    else if (status === "encrypted") this.encrypted.add(conversation.stream);
    // It is not known which bytes of which message the secret came from.
    if (nodes !== undefined && isAssembled(message) && hasSecrets(nodes, this.kept)) {
      this.spread.add(conversation.stream);
    }
  }

  /** A recognised conversation has ended. */
  ended({ conversation, recognisedBy }: RecognisedConversation): void {
    const conversations = this.withoutMarks.has(recognisedBy.name) ? this.unmarked : this.#marked;
    conversations.add(conversation.stream);
  }

  /** True for a conversation that may be written, and has anything to write. */
  isShareable(stream: number): boolean {
    return (
      this.#spoken.has(stream) && this.#marked.has(stream) && !this.encrypted.has(stream) && !this.spread.has(stream)
    );
  }
}
