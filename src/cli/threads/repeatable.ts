import { isAssembled } from "../../dissect/message.js";
import type { Dissector, Message, RecognisedConversation } from "../../index.js";
import type { Struct } from "../../schema/struct.js";
import { commonSettings } from "./common-settings.js";

/** What is known about a conversation. */
interface Spoken {
  readonly dissector: Dissector;
  /** True if its settings are those that every thread works out. */
  readonly hasCommonSettings: boolean;
}

/** Knows which messages another thread can decode once more, from their bytes and the name of their type. */
export class Repeatable {
  readonly #spoken = new WeakMap<Message["conversation"], Spoken>();
  readonly #settings = new Map<Dissector, unknown>();
  /** Structs of messages, and whether they are those of the types with their names. */
  readonly #structs = new WeakMap<Struct, boolean>();

  /** Must be called for each conversation once it is recognised. */
  recognised({ conversation, dissector, spokenBy, definitions }: RecognisedConversation): void {
    if (!this.#settings.has(spokenBy)) this.#settings.set(spokenBy, commonSettings(spokenBy, definitions));
    const hasCommonSettings = dissector.settings === this.#settings.get(spokenBy);
    this.#spoken.set(conversation, { dissector: spokenBy, hasCommonSettings });
  }

  /** The name of the dissector that decodes a message; undefined if another thread could not, or would lack notes. */
  dissectorOf(message: Message): string | undefined {
    const { status, notes, nodes, conversation, name } = message;
    if (status !== "ok" || notes.length > 0 || nodes === undefined || isAssembled(message)) return undefined;
    const spoken = this.#spoken.get(conversation);
    const { struct } = nodes.field(0);
    if (spoken?.hasCommonSettings !== true || struct === undefined) return undefined;
    const { dissector } = spoken;
    let isFound = this.#structs.get(struct);
    if (isFound === undefined) {
      isFound = dissector.types.get(name)?.row.struct === struct;
      this.#structs.set(struct, isFound);
    }
    return isFound ? dissector.name : undefined;
  }
}
