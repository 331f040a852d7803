import type { Limits } from "../limits.js";
import type { Conversation, Direction, NetworkListener } from "../network/conversation.js";
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

/** The payload of a conversation so far. */
interface Payload {
  bytes: number;
  missing: number;
}

/** How many ended conversations are kept, because more may follow: packets, and what protocol they had. */
const MOST_ENDED = 10_000;

/** A conversation that is over, and its payload. */
interface Ended extends Payload {
  readonly conversation: Conversation;
}

/** Adds up the packets and bytes of conversations by protocol, which may become known only at their end. */
export class Traffic implements Partial<NetworkListener> {
  readonly #open = new Map<Conversation, Payload>();
  /** Those that ended last; the one at `#oldest` is the next to be counted. */
  #ended: Ended[] = [];
  #oldest = 0;
  readonly #spoken = new WeakMap<Conversation, string>();
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

  opened(conversation: Conversation): void {
    this.#open.set(conversation, { bytes: 0, missing: 0 });
  }

  bytes(conversation: Conversation, _direction: Direction, bytes: Uint8Array): void {
    this.#add(conversation, bytes.length, 0);
  }

  gap(conversation: Conversation, _direction: Direction, length: number): void {
    this.#add(conversation, 0, length);
  }

  datagram(conversation: Conversation, _direction: Direction, bytes: Uint8Array, missing: number): void {
    this.#add(conversation, bytes.length, missing);
  }

  /** Takes the protocol that a conversation was recognised as; called soon after it was closed, or before. */
  spoken(conversation: Conversation, protocol: string): void {
    this.#spoken.set(conversation, protocol);
  }

  closed(conversation: Conversation): void {
    const ended = { conversation, ...(this.#open.get(conversation) ?? { bytes: 0, missing: 0 }) };
    this.#open.delete(conversation);
    if (this.#ended.length < MOST_ENDED) {
      this.#ended.push(ended);
      return;
    }
    const oldest = this.#ended[this.#oldest];
    if (oldest !== undefined) this.#count(oldest);
    this.#ended[this.#oldest] = ended;
    this.#oldest = (this.#oldest + 1) % MOST_ENDED;
  }

  #count({ conversation, bytes, missing }: Ended): void {
    const sum = this.#byProtocol.of(...protocolKeys(conversation.transport, this.#spoken.get(conversation)));
    const { c2s, s2c } = conversation.packets;
    sum.conversations++;
    sum.packets += c2s + s2c;
    sum.bytes += bytes;
    sum.missing += missing;
  }

  #add(conversation: Conversation, bytes: number, missing: number): void {
    const payload = this.#open.get(conversation);
    if (payload === undefined) return;
    payload.bytes += bytes;
    payload.missing += missing;
  }
}
