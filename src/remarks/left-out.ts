import { are, counted } from "../common/counted.js";
import type { Conversation } from "../network/conversation.js";
import type { PacketCounts } from "../network/network.js";
import type { ConversationObserver } from "../session/observer.js";
import { MOST_NAMED, NamedStreams } from "./named-streams.js";

/** Counts what is left out of a written capture because it is not ours, for a report at the end. */
export class LeftOut {
  /** Those that never were recognised. */
  readonly #streams = new NamedStreams();
  #bytes = 0;
  #datagrams = 0;
  /** Those that were recognised, and left by their dissector. */
  readonly #foreignStreams = new NamedStreams();
  #foreignBytes = 0;

  /** Returns what watches a conversation: it is left out unless it is recognised. */
  opened(conversation: Conversation): Required<Pick<ConversationObserver, "dissected" | "closed">> {
    let isRecognised = false;
    return {
      dissected: ({ dropped, foreignBytes }) => {
        isRecognised = true;
        this.#datagrams += dropped;
        if (foreignBytes === 0) return;
        this.#foreignStreams.add(conversation.stream);
        this.#foreignBytes += foreignBytes;
      },
      closed: () => {
        const { c2s, s2c } = conversation.payloadBytes;
        if (isRecognised || c2s + s2c === 0) return;
        this.#streams.add(conversation.stream);
        this.#bytes += c2s + s2c;
      },
    };
  }

  /** One sentence for each kind of data that was left out. */
  remarks({ others }: Pick<PacketCounts, "others">): string[] {
    const texts: string[] = [];
    const { count, text } = this.#streams;
    if (count > 0) {
      const why = count === 1 ? "its protocol is" : "their protocols are";
      const which = `${text}: ${counted(this.#bytes, "byte")}`;
      texts.push(`${counted(count, "conversation")} (${which}) ${are(count)} left out: ${why} not recognised`);
    }
    if (this.#foreignBytes > 0) {
      const bytes = `${counted(this.#foreignBytes, "byte")} of ${this.#foreignStreams.text}`;
      texts.push(`${bytes} ${are(this.#foreignBytes)} left out: not of the protocol that was recognised`);
    }
    if (this.#datagrams > 0) {
      const datagrams = `${counted(this.#datagrams, "datagram")} ${are(this.#datagrams)} left out`;
      texts.push(`${datagrams}: no more could be kept before the protocol was recognised`);
    }
    const packets = [...others.values()].reduce((sum, count) => sum + count, 0);
    if (packets > 0) {
      const kinds = [...others].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} (${count})`);
      const more = kinds.length > MOST_NAMED ? [`${kinds.length - MOST_NAMED} more kinds`] : [];
      const list = [...kinds.slice(0, MOST_NAMED), ...more].join(", ");
      texts.push(`${counted(packets, "packet")} outside any conversation ${are(packets)} left out: ${list}`);
    }
    return texts;
  }
}
