import type { Packet } from "../capture/packet.js";
import type { IpAddress } from "./address.js";
import type { Direction, Endpoint, Origin, Transport, TurnableConversation } from "./conversation.js";

/**
 * The two ends of a conversation: side 0 sent the first packet. Which one is the client may change; the sides do not.
 */
export type Side = 0 | 1;

export function otherSide(side: Side): Side {
  return side === 0 ? 1 : 0;
}

/** The key that a conversation is looked up by: the address and port of one side. */
export class SideKey {
  readonly address: IpAddress;
  readonly port: number;
  readonly endpoint: Endpoint;

  constructor(address: IpAddress, port: number) {
    this.address = address.copy();
    this.port = port;
    this.endpoint = { address: this.address.toString(), port };
  }

  matches(address: IpAddress, port: number): boolean {
    return this.port === port && this.address.equals(address);
  }
}

/** What is known about a conversation when its first packet comes. */
export interface Beginning {
  readonly stream: number;
  readonly sides: readonly [SideKey, SideKey];
  /** The VLANs and tunnels it goes through: as a number, see `Paths`, and in words. */
  readonly pathNumber: number;
  readonly path: string;
  readonly client: { readonly side: Side; readonly isKnown: boolean };
  readonly first: Origin;
}

/** A conversation with its counts: the network room's implementation of `Conversation`. */
export class TrackedConversation implements TurnableConversation {
  readonly stream: number;
  readonly transport: Transport;
  readonly sides: readonly [SideKey, SideKey];
  readonly pathNumber: number;
  readonly path: string;
  readonly clientIsKnown: boolean;
  readonly first: Origin;
  /** False once `closed` was reported. */
  open = true;
  readonly #packets: [number, number] = [0, 0];
  #clientSide: Side;
  #lastFrame = 0;
  #lastSeconds = 0;
  #lastNanoseconds = 0;

  constructor(transport: Transport, { stream, sides, pathNumber, path, client, first }: Beginning) {
    this.stream = stream;
    this.transport = transport;
    this.sides = sides;
    this.pathNumber = pathNumber;
    this.path = path;
    this.#clientSide = client.side;
    this.clientIsKnown = client.isKnown;
    this.first = first;
  }

  get client(): Endpoint {
    return this.sides[this.#clientSide].endpoint;
  }

  get server(): Endpoint {
    return this.sides[otherSide(this.#clientSide)].endpoint;
  }

  /** Includes packets after the end. */
  get packets(): { readonly [direction in Direction]: number } {
    return { c2s: this.#packets[this.#clientSide], s2c: this.#packets[otherSide(this.#clientSide)] };
  }

  get last(): Origin {
    return { frame: this.#lastFrame, seconds: this.#lastSeconds, nanoseconds: this.#lastNanoseconds };
  }

  /** The direction that has ended the conversation, or begun to. */
  get endedBy(): Direction | undefined {
    return undefined;
  }

  /** Time of the last packet in whole seconds. */
  get lastSeconds(): number {
    return this.#lastSeconds;
  }

  swap(): void {
    this.#clientSide = otherSide(this.#clientSide);
  }

  /** The direction in which a side sends. */
  directionFrom(side: Side): Direction {
    return side === this.#clientSide ? "c2s" : "s2c";
  }

  /** Counts a packet sent by a side. */
  count(side: Side, packet: Packet): void {
    this.#packets[side]++;
    this.#lastFrame = packet.frame;
    this.#lastSeconds = packet.seconds;
    this.#lastNanoseconds = packet.nanoseconds;
  }
}
