import { are, counted } from "../../common/counted.js";
import type { Conversation, NetworkListener, PacketCounts } from "../../index.js";
import type { RecognisedConversation } from "../../session/session.js";
import { MOST_NAMED, NamedStreams } from "./named-streams.js";

/** Counts what is left out of a written capture because it was not recognised, for a report at the end. */
export class LeftOut {
  /** Bytes of conversations that are not yet known to be recognised. */
  readonly #open = new Map<Conversation, number>();
  /** Those that never were. */
  readonly #streams = new NamedStreams();
  #bytes = 0;
  #datagrams = 0;

  /** Receives what the network delivers. */
  readonly network: Pick<NetworkListener, "bytes" | "datagram" | "closed"> = {
    bytes: (conversation, _direction, { length }) => this.#came(conversation, length),
    datagram: (conversation, _direction, { length }) => this.#came(conversation, length),
    closed: (conversation) => {
      const bytes = this.#open.get(conversation);
      this.#open.delete(conversation);
      if (bytes === undefined) return;
      this.#streams.add(conversation.stream);
      this.#bytes += bytes;
    },
  };

  /** Receives each recognised conversation at its end. */
  readonly onSession = ({ conversation, dropped }: RecognisedConversation): void => {
    this.#open.delete(conversation);
    this.#datagrams += dropped;
  };

  #came(conversation: Conversation, length: number): void {
    if (length > 0) this.#open.set(conversation, (this.#open.get(conversation) ?? 0) + length);
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
