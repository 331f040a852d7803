import type { Limits } from "../limits.js";
import type { Conversation, Direction, NetworkListener } from "../network/conversation.js";
import { BoundedMap } from "./bounded-map.js";
import { protocolKeys } from "./protocol-key.js";

/** Conversations that speak the same, as far as the network shows them. */
export interface ProtocolTraffic {
  conversations: number;
  packets: number;
  /** Payload as captured, in order and without what came twice. */
  bytes: number;
  /** Payload that is missing. */
  missing: number;
}

/** What a conversation brought so far. */
interface Payload {
  bytes: number;
  missing: number;
}

/**
 * Conversations that may still bring packets behind their end, such as the last acknowledgement: that many are known.
 */
const MOST_ENDED = 10_000;

/** A conversation that is over, and what was counted of it. */
interface Ended {
  readonly conversation: Conversation;
  readonly sum: ProtocolTraffic;
  /** Packets of it that are in the sum. */
  packets: number;
}

/** Adds up the packets and bytes of conversations by what they speak, which may turn out only at their end. */
export class Traffic implements Partial<NetworkListener> {
  readonly #open = new Map<Conversation, Payload>();
  readonly #ended: Ended[] = [];
  #oldest = 0;
  readonly #spoken = new Map<Conversation, string>();
  readonly #byProtocol: BoundedMap<ProtocolTraffic>;

  constructor({ countedKeys }: Pick<Limits, "countedKeys">) {
    this.#byProtocol = new BoundedMap(() => ({ conversations: 0, packets: 0, bytes: 0, missing: 0 }), countedKeys);
  }

  /** Keys as `protocolKeys` makes them. */
  get byProtocol(): readonly [string, ProtocolTraffic][] {
    for (const ended of this.#ended) countLate(ended);
    return this.#byProtocol.entries();
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

  /** A conversation was recognised as one of a protocol. Told before it is closed. */
  spoken(conversation: Conversation, protocol: string): void {
    this.#spoken.set(conversation, protocol);
  }

  closed(conversation: Conversation): void {
    const { transport } = conversation;
    const payload = this.#open.get(conversation);
    const protocol = this.#spoken.get(conversation);
    this.#open.delete(conversation);
    this.#spoken.delete(conversation);
    const sum = this.#byProtocol.of(...protocolKeys(transport, protocol));
    sum.conversations++;
    const packets = packetsOf(conversation);
    sum.packets += packets;
    sum.bytes += payload?.bytes ?? 0;
    sum.missing += payload?.missing ?? 0;
    this.#keep({ conversation, sum, packets });
  }

  #keep(ended: Ended): void {
    if (this.#ended.length < MOST_ENDED) {
      this.#ended.push(ended);
      return;
    }
    const gone = this.#ended[this.#oldest];
    if (gone !== undefined) countLate(gone);
    this.#ended[this.#oldest] = ended;
    this.#oldest = (this.#oldest + 1) % MOST_ENDED;
  }

  #add(conversation: Conversation, bytes: number, missing: number): void {
    const payload = this.#open.get(conversation);
    if (payload === undefined) return;
    payload.bytes += bytes;
    payload.missing += missing;
  }
}

function packetsOf({ packets }: Conversation): number {
  const { c2s, s2c } = packets;
  return c2s + s2c;
}

/** Counts the packets that have come since the conversation was over, or since they were counted last. */
function countLate(ended: Ended): void {
  const packets = packetsOf(ended.conversation);
  ended.sum.packets += packets - ended.packets;
  ended.packets = packets;
}
