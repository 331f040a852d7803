import type { Limits } from "../limits.js";
import type { Conversation } from "../network/conversation.js";
import { understandingOf } from "../session/conversation-check.js";
import type { ConversationObserver, NetworkObserver } from "../session/observer.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { BoundedMap } from "./bounded-map.js";
import { protocolKeys, protocolOf } from "./protocol-key.js";

/** The conversations of one protocol, as the network layer sees them. */
interface ProtocolTraffic {
  conversations: number;
  packets: number;
  /** Payload bytes as captured, in order and without duplicates. */
  bytes: number;
  /** Missing payload bytes. */
  missing: number;
}

/** The traffic of a protocol, with its key as `protocolKeys` makes it, and what that stands for. */
export interface ProtocolSum extends Readonly<ProtocolTraffic> {
  readonly key: string;
  readonly transport: string;
  /** Undefined for all conversations whose protocol is not known. */
  readonly protocol: string | undefined;
}

/** How many ended conversations are kept, because more may follow: packets, and what protocol they had. */
const MOST_ENDED = 10_000;

/** A conversation, and its protocol once that is known: soon after its end at the latest. */
export class CountedConversation implements ConversationObserver {
  protocol: string | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly ended: (conversation: CountedConversation) => void,
  ) {}

  dissected(session: RecognisedConversation): void {
    this.protocol = understandingOf(session).protocol;
  }

  closed(): void {
    this.ended(this);
  }
}

/** Adds up the packets and bytes of conversations by protocol, which may become known only at their end. */
export class Traffic implements NetworkObserver {
  /** Those that ended last; the one at `#oldest` is the next to be counted. */
  #ended: CountedConversation[] = [];
  #oldest = 0;
  readonly #byProtocol: BoundedMap<ProtocolTraffic>;

  constructor({ countedKeys }: Pick<Limits, "countedKeys">) {
    this.#byProtocol = new BoundedMap(() => ({ conversations: 0, packets: 0, bytes: 0, missing: 0 }), countedKeys);
  }

  /** The sums of all conversations, with nothing more to come. */
  sums(): readonly ProtocolSum[] {
    for (const ended of [...this.#ended.slice(this.#oldest), ...this.#ended.slice(0, this.#oldest)]) this.#count(ended);
    this.#ended = [];
    this.#oldest = 0;
    return this.#byProtocol.entries().map(([key, sum]) => ({ key, ...protocolOf(key), ...sum }));
  }

  /** Adds what was counted elsewhere, of other conversations. */
  add({ transport, protocol, conversations, packets, bytes, missing }: ProtocolSum): void {
    const sum = this.#byProtocol.of(...protocolKeys(transport, protocol));
    sum.conversations += conversations;
    sum.packets += packets;
    sum.bytes += bytes;
    sum.missing += missing;
  }

  opened(conversation: Conversation): CountedConversation {
    return new CountedConversation(conversation, this.#keep);
  }

  readonly #keep = (ended: CountedConversation): void => {
    if (this.#ended.length < MOST_ENDED) {
      this.#ended.push(ended);
      return;
    }
    const oldest = this.#ended[this.#oldest];
    if (oldest !== undefined) this.#count(oldest);
    this.#ended[this.#oldest] = ended;
    this.#oldest = (this.#oldest + 1) % MOST_ENDED;
  };

  #count({ conversation, protocol }: CountedConversation): void {
    const { transport, packets, payloadBytes, missingBytes } = conversation;
    const sum = this.#byProtocol.of(...protocolKeys(transport, protocol));
    sum.conversations++;
    sum.packets += packets.c2s + packets.s2c;
    sum.bytes += payloadBytes.c2s + payloadBytes.s2c;
    sum.missing += missingBytes.c2s + missingBytes.s2c;
  }
}
