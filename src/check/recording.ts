import { type ShownDirection, shownDirections } from "../dissect/message.js";
import type { Line } from "./line.js";
import type { Entry, NormalForms } from "./normal-form.js";

/** The messages of a conversation: of each side, in order. */
export interface RecordedConversation {
  /** Number of the conversation in the capture. */
  readonly stream: number;
  readonly protocol: string;
  readonly said: Readonly<Record<ShownDirection, Entry[]>>;
}

/**
 * The messages of a recording, in the form in which they are compared. The text of messages that say the same is kept
 * only once, whether they are in this recording or in another one that uses the same `forms`.
 */
export class Recording {
  readonly conversations: RecordedConversation[] = [];
  readonly #byStream = new Map<number, RecordedConversation>();
  /** How many messages are compared. */
  messages = 0;
  /** How many states were not compared, because their format is not known. */
  opaqueStates = 0;

  constructor(readonly forms: NormalForms) {}

  /** @returns false if the message is left out */
  add(line: Line, { at, counts }: Pick<Entry, "at" | "counts">): boolean {
    const normal = this.forms.of(line);
    if (normal === undefined) return false;
    let conversation = this.#byStream.get(line.stream);
    if (conversation === undefined) {
      const { stream, protocol } = line;
      conversation = { stream, protocol, said: { c2s: [], s2c: [], none: [] } };
      this.#byStream.set(stream, conversation);
      this.conversations.push(conversation);
    }
    const { form, labels, noteTexts, opaque } = normal;
    conversation.said[line.direction].push({ form, labels, noteTexts, at, counts });
    this.opaqueStates += opaque;
    this.messages++;
    return true;
  }

  /** How many messages count, should they differ. */
  get counting(): number {
    return this.conversations.reduce((sum, conversation) => sum + counting(conversation), 0);
  }
}

/** How many messages of a conversation count, should they differ. */
export function counting({ said }: RecordedConversation): number {
  return shownDirections.reduce((sum, direction) => sum + said[direction].filter(({ counts }) => counts).length, 0);
}
