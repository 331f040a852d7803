import { are } from "../common/counted.js";
import type { Message } from "../dissect/message.js";
import { rangeNote } from "../dissect/sync/skipped-range.js";
import { NamedStreams } from "./named-streams.js";

/** What is looked at of a message; its conversation is always the same object. */
type Seen = Pick<Message, "protocol" | "status" | "notes"> & { readonly conversation: { readonly stream: number } };

/** What could not be decrypted for one reason. */
interface Reason {
  readonly protocol: string;
  readonly text: string;
  readonly streams: NamedStreams;
  /** The conversations that are counted. A live capture has ever more of them. */
  readonly seen: WeakSet<object>;
}

/** Gathers what could not be decrypted, so that each reason is reported once, not for each conversation. */
export class Undecrypted {
  readonly #reasons = new Map<string, Reason>();

  /** Notes a message if it is a range that could not be decrypted. */
  see({ conversation, protocol, status, notes }: Seen): void {
    if (status !== "encrypted") return;
    const { streams, seen } = this.#reason(protocol, rangeNote(notes[0]?.text ?? "encrypted").reason);
    if (!seen.has(conversation)) streams.add(conversation.stream);
    seen.add(conversation);
  }

  #reason(protocol: string, text: string): Reason {
    const key = `${protocol} ${text}`;
    let reason = this.#reasons.get(key);
    if (reason === undefined) {
      reason = { protocol, text, streams: new NamedStreams(), seen: new WeakSet() };
      this.#reasons.set(key, reason);
    }
    return reason;
  }

  /** One sentence for each reason. */
  remarks(): string[] {
    return [...this.#reasons.values()].map(({ protocol, text, streams }) => {
      return `${streams.text} (${protocol}) ${are(streams.count)} ${text}`;
    });
  }
}
