import type { Limits } from "../limits.js";
import type { Conversation, Direction, NetworkListener } from "../network/conversation.js";
import { BoundedMap } from "./bounded-map.js";
import { protocolKeys } from "./protocol-key.js";

/** The conversations of one protocol, as the network layer sees them. */
interface ProtocolTraffic {
  conversations: number;
  packets: number;
  /** Payload bytes as captured, in order and without duplicates. */
  bytes: number;
  /** Missing payload bytes. */
  missing: number;
}

/** The payload of a conversation so far. */
interface Payload {
  bytes: number;
  missing: number;
}

/** How many ended conversations are kept, because more packets may follow, such as the last acknowledgement. */
const MOST_ENDED = 10_000;

/** A conversation that is over, and the sum it was counted in. */
interface Ended {
  readonly conversation: Conversation;
  readonly sum: ProtocolTraffic;
  /** Packets of it that the sum includes. */
  packets: number;
}

/** Adds up the packets and bytes of conversations by protocol, which may become known only at their end. */
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

  /** Takes the protocol that a conversation was recognised as; called before the conversation is closed. */
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

/** Counts the packets that have arrived since the conversation ended, or since the last count. */
function countLate(ended: Ended): void {
  const packets = packetsOf(ended.conversation);
  ended.sum.packets += packets - ended.packets;
  ended.packets = packets;
}
