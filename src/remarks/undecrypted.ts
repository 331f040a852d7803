import { are } from "../common/counted.js";
import type { Message } from "../dissect/message.js";
import type { Conversation } from "../network/conversation.js";
import { NamedStreams } from "./named-streams.js";

/** What could not be decrypted for one reason. */
interface Reason {
  readonly protocol: string;
  readonly text: string;
  readonly streams: NamedStreams;
  /** The conversations that are counted. A live capture has ever more of them. */
  readonly seen: WeakSet<Conversation>;
}

/** Gathers what could not be decrypted, so that each reason is reported once, not for each conversation. */
export class Undecrypted {
  readonly #reasons = new Map<string, Reason>();

  /** Notes a message if it is a range that could not be decrypted. */
  see({ conversation, protocol, status, notes }: Message): void {
    if (status !== "encrypted") return;
    const { streams, seen } = this.#reason(protocol, notes[0]?.text ?? "encrypted");
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
