import type { CaptureFile, Packet } from "../capture/packet.js";
import type { IpAddress } from "./address.js";
import type {
  Conversation,
  ConversationListener,
  Direction,
  Endpoint,
  Origin,
  RoleEvidence,
  Roles,
  Transport,
} from "./conversation.js";
import { NO_PATH } from "./encapsulations.js";

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

  equals({ address, port }: SideKey): boolean {
    return this.matches(address, port);
  }
}

/** A path through VLANs and tunnels: as a number, see `Encapsulations`, and in words. */
export interface PathTaken {
  readonly number: number;
  readonly text: string;
}

/** Encapsulations that are remembered of each side; more are compared by the numbers of segments each time. */
const MOST_PATHS = 4;

/** What is known about a conversation when its first packet comes. */
export interface Beginning {
  readonly stream: number;
  readonly sides: readonly [SideKey, SideKey];
  /** The VLANs and tunnels that its first packet came through: as a number, see `Encapsulations`, and in words. */
  readonly path: PathTaken;
  readonly client: { readonly side: Side; readonly isKnown: boolean };
  readonly first: Origin;
}

/** A listener that takes nothing: only where packets belong is of interest. */
export const NOBODY: ConversationListener = {
  bytes: () => {},
  gap: () => {},
  datagram: () => {},
  outOfOrder: () => {},
  conflict: () => {},
  finished: () => {},
  flipped: () => {},
  closed: () => {},
};

/** A conversation with its counts and its listener: the network room's implementation of `Conversation`. */
export class TrackedConversation implements Conversation, Roles {
  readonly stream: number;
  readonly transport: Transport;
  readonly sides: readonly [SideKey, SideKey];
  readonly first: Origin;
  /** Takes what comes of the conversation. */
  listener = NOBODY;
  /** False once `closed` was reported. */
  open = true;
  /** How many other conversations there are between the same ends, on other paths. */
  twins = 0;
  readonly #packets: [number, number] = [0, 0];
  /** Payload bytes of each side. */
  readonly #bytes: [number, number] = [0, 0];
  readonly #missing: [number, number] = [0, 0];
  /** The paths that each side's packets come through; those of side 0 first. */
  readonly #paths: readonly [PathTaken[], PathTaken[]];
  #clientSide: Side;
  #clientIsKnown: boolean;
  #lastFrame = 0;
  #lastSeconds = 0;
  #lastNanoseconds = 0;
  #lastCapture: CaptureFile | undefined;

  constructor(transport: Transport, { stream, sides, path, client, first }: Beginning) {
    this.stream = stream;
    this.transport = transport;
    this.sides = sides;
    this.#paths = [[path], []];
    this.#clientSide = client.side;
    this.#clientIsKnown = client.isKnown;
    this.first = first;
  }

  get clientIsKnown(): boolean {
    return this.#clientIsKnown;
  }

  get client(): Endpoint {
    return this.sides[this.#clientSide].endpoint;
  }

  get server(): Endpoint {
    return this.sides[otherSide(this.#clientSide)].endpoint;
  }

  /** The number of the path that its first packet came through. */
  get pathNumber(): number {
    return this.#paths[0][0]?.number ?? NO_PATH;
  }

  /** Whether packets of a side are known to come through a path; the first ones should take that of the other side. */
  comesThrough(side: Side, path: number): boolean {
    const paths = this.#paths[side].length > 0 ? this.#paths[side] : this.#paths[otherSide(side)];
    return paths[0]?.number === path || (paths.length > 1 && paths.some(({ number }) => number === path));
  }

  /** Whether packets of a side have come through a path. */
  hasPath(side: Side, path: number): boolean {
    return this.#paths[side].some(({ number }) => number === path);
  }

  /** Notes that packets of a side come through a path, too. */
  addPath(side: Side, path: PathTaken): void {
    const paths = this.#paths[side];
    if (paths.length >= MOST_PATHS) paths.pop();
    paths.push(path);
  }

  /**
   * Each side's first path, or the only one. Where the directions differ, ">" and "<" follow the path of the client's
   * and of the server's packets.
   */
  get path(): string {
    const text = (side: Side) => this.#paths[side][0]?.text;
    const client = text(this.#clientSide);
    const server = text(otherSide(this.#clientSide));
    if (client === undefined || server === undefined || client === server) return client ?? server ?? "";
    return [client === "" ? "" : `${client} >`, server === "" ? "" : `${server} <`]
      .filter((part) => part !== "")
      .join("; ");
  }

  /** Payload bytes that the receiver cannot have accepted: they are in no stream. Counted even after the end. */
  get unaccepted(): { readonly [direction in Direction]: number } {
    return {
      c2s: this.unacceptedFrom(this.#clientSide),
      s2c: this.unacceptedFrom(otherSide(this.#clientSide)),
    };
  }

  /** The same for what a side has sent. */
  unacceptedFrom(_side: Side): number {
    return 0;
  }

  /** Includes packets after the end. */
  get packets(): { readonly [direction in Direction]: number } {
    return this.#byDirection(this.#packets);
  }

  get payloadBytes(): { readonly [direction in Direction]: number } {
    return this.#byDirection(this.#bytes);
  }

  get missingBytes(): { readonly [direction in Direction]: number } {
    return this.#byDirection(this.#missing);
  }

  #byDirection(counts: readonly [number, number]): { readonly [direction in Direction]: number } {
    return { c2s: counts[this.#clientSide], s2c: counts[otherSide(this.#clientSide)] };
  }

  get last(): Origin {
    const [frame, seconds, nanoseconds] = [this.#lastFrame, this.#lastSeconds, this.#lastNanoseconds];
    return { frame, seconds, nanoseconds, capture: this.#lastCapture };
  }

  /** The direction that has ended the conversation, or begun to. */
  get endedBy(): Direction | undefined {
    return undefined;
  }

  /** Time of the last packet in whole seconds. */
  get lastSeconds(): number {
    return this.#lastSeconds;
  }

  flip(evidence: RoleEvidence): void {
    if (evidence === "content" && this.clientIsKnown) return;
    this.#clientSide = otherSide(this.#clientSide);
    this.listener.flipped();
  }

  /** Both sides have begun: only what they say shows which one is the client. */
  protected forgetClient(): void {
    this.#clientIsKnown = false;
  }

  /** The direction in which a side sends. */
  directionFrom(side: Side): Direction {
    return side === this.#clientSide ? "c2s" : "s2c";
  }

  /** Counts a packet sent by a side. */
  count(side: Side, packet: Pick<Packet, "frame" | "seconds" | "nanoseconds" | "capture">): void {
    this.#packets[side]++;
    this.#lastFrame = packet.frame;
    this.#lastSeconds = packet.seconds;
    this.#lastNanoseconds = packet.nanoseconds;
    this.#lastCapture = packet.capture;
  }

  /** Counts payload of a side, or payload that is missing. */
  countPayload(side: Side, bytes: number, missing: number): void {
    this.#bytes[side] += bytes;
    this.#missing[side] += missing;
  }

  /** Counts a packet of a side that came before the last one counted. */
  countOnly(side: Side): void {
    this.#packets[side]++;
  }
}
