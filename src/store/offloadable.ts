import { isAssembled, type Message } from "../dissect/message.js";
import type { ConversationDissector, Dissector } from "../dissector/dissector.js";
import type { Struct } from "../schema/language/struct.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { commonSettings } from "./common-settings.js";

/** What is known about a dissector. */
interface Known {
  readonly dissector: Dissector;
  /** The settings that every thread works out. */
  readonly settings: unknown;
  /** Structs of messages, and whether they are those of its types with their names. */
  readonly structs: WeakMap<Struct, boolean>;
}

/** What is known about a conversation. */
interface Recognised {
  readonly analyzer: ConversationDissector;
  readonly known: Known;
}

/**
 * Knows which messages can be offloaded: another thread can decode them once more, from their bytes and the name of
 * their type.
 */
export class Offloadable {
  readonly #known = new Map<Dissector, Known>();
  readonly #recognised = new WeakMap<Message["conversation"], Recognised>();

  /** Must be called for each conversation once it is recognised. */
  recognised({ conversation, analyzer, recognisedBy: dissector, definitions }: RecognisedConversation): void {
    if (dissector.isStateless !== true) return;
    let known = this.#known.get(dissector);
    if (known === undefined) {
      known = { dissector, settings: commonSettings(dissector, definitions), structs: new WeakMap() };
      this.#known.set(dissector, known);
    }
    this.#recognised.set(conversation, { analyzer, known });
  }

  /** The name of the dissector that decodes a message; undefined if another thread could not, or would lack notes. */
  dissectorOf(message: Message): string | undefined {
    const { status, notes, nodes, name } = message;
    if (status !== "ok" || notes.length > 0 || nodes === undefined || isAssembled(message)) return undefined;
    const recognised = this.#recognised.get(message.conversation);
    const { struct } = nodes.field(0);
    if (recognised === undefined || struct === undefined) return undefined;
    const { dissector, settings, structs } = recognised.known;
    if (recognised.analyzer.settings !== settings) {
      // If they change back, it may be only after the message for which they were needed.
      this.#recognised.delete(message.conversation);
      return undefined;
    }
    let isFound = structs.get(struct);
    if (isFound === undefined) {
      isFound = dissector.types.get(name)?.descriptor.struct === struct;
      structs.set(struct, isFound);
    }
    return isFound ? dissector.name : undefined;
  }
}
