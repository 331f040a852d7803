import type { Conversation, Direction, NetworkListener } from "../network/conversation.js";
import { BoundedMap } from "./bounded-map.js";
import { protocolKey } from "./protocol-key.js";

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

/** Adds up the packets and bytes of conversations by what they speak, which may turn out only at their end. */
export class Traffic implements Partial<NetworkListener> {
  readonly #open = new Map<Conversation, Payload>();
  readonly #spoken = new Map<Conversation, string>();
  readonly #byProtocol = new BoundedMap<ProtocolTraffic>(() => ({
    conversations: 0,
    packets: 0,
    bytes: 0,
    missing: 0,
  }));

  /** Keys as `protocolKey` makes them. */
  get byProtocol(): readonly [string, ProtocolTraffic][] {
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
    const { transport, packets } = conversation;
    const payload = this.#open.get(conversation);
    const protocol = this.#spoken.get(conversation);
    this.#open.delete(conversation);
    this.#spoken.delete(conversation);
    const sum = this.#byProtocol.of(protocolKey(transport, protocol));
    sum.conversations++;
    sum.packets += packets.c2s + packets.s2c;
    sum.bytes += payload?.bytes ?? 0;
    sum.missing += payload?.missing ?? 0;
  }

  #add(conversation: Conversation, bytes: number, missing: number): void {
    const payload = this.#open.get(conversation);
    if (payload === undefined) return;
    payload.bytes += bytes;
    payload.missing += missing;
  }
}
