import { type Endpoint, sharedObject } from "moul-dissect/dissector";
import type { Version } from "./classic/versions.js";
import { RecentMap } from "./recent-map.js";

/** Most announcements of each kind remembered in one run; the oldest is dropped first. */
const MOST_ANNOUNCEMENTS = 4096;

/** The owner of a UDP link: its version, and the scope of the player names seen on its TCP connection. */
interface LinkOwner {
  readonly version: Version;
  readonly nameScope: string | undefined;
}

/** Datagrams between two ends that could be modern ones. */
interface PossibleDatagrams {
  readonly count: number;
  /** True if any of them could only go this way. */
  readonly isOneWay: boolean;
}

/** What is announced about an end of conversations, or about both ends of one. */
class AboutEnds<V> {
  readonly #values = new RecentMap<V>(MOST_ANNOUNCEMENTS);

  get isEmpty(): boolean {
    return this.#values.isEmpty;
  }

  get(...ends: readonly Endpoint[]): V | undefined {
    return this.#values.get(keyOf(ends));
  }

  set(value: V, ...ends: readonly Endpoint[]): void {
    this.#values.set(keyOf(ends), value);
  }
}

/** What one conversation announces about another one to come: the ports of reconnections and of UDP links. */
export class Announcements {
  readonly #reconnect = new AboutEnds<Version>();
  readonly #players = new AboutEnds<Version>();
  readonly #linkClients = new AboutEnds<LinkOwner>();
  readonly #linkServers = new AboutEnds<true>();
  readonly #modern = new AboutEnds<boolean>();
  readonly #modernServers = new AboutEnds<boolean>();
  readonly #datagrams = new AboutEnds<PossibleDatagrams>();
  readonly #listServers = new AboutEnds<true>();

  /** @param shared what the conversations of this dissector share in a run */
  static in(shared: Map<string, unknown>): Announcements {
    return sharedObject(shared, "announcements", Announcements);
  }

  /** True if there are none: a conversation may depend on what another one announces. */
  isDivisible(): boolean {
    const all = [this.#reconnect, this.#players, this.#linkClients, this.#linkServers];
    const more = [this.#modern, this.#modernServers, this.#datagrams, this.#listServers];
    return [...all, ...more].every(({ isEmpty }) => isEmpty);
  }

  /**
   * Records that the server speaks this version on this port to clients that reconnect. Source: facts, section 2,
   * "reconnect port".
   */
  reconnect(server: Endpoint, version: Version): void {
    this.#reconnect.set(version, server);
  }

  /** The version spoken on a port that a hello announced. */
  versionAt(server: Endpoint): Version | undefined {
    return this.#reconnect.get(server);
  }

  /**
   * Records that the player with the id of this address and port speaks this version. Source: facts, section 2, "Player
   * id".
   */
  player(id: Endpoint, version: Version): void {
    this.#players.set(version, id);
  }

  /**
   * The version of the player whose id has this address and port: the server's up to 107d, the client's in later
   * versions.
   */
  versionOfPlayer(id: Endpoint): Version | undefined {
    return this.#players.get(id) ?? this.versionAt(id);
  }

  /** Records that the client uses this UDP port. Source: facts, section 4, UDPLinkRequest. */
  linkClient(client: Endpoint, owner: LinkOwner): void {
    this.#linkClients.set(owner, client);
  }

  linkOwner(client: Endpoint): LinkOwner | undefined {
    return this.#linkClients.get(client);
  }

  /** Records that the server uses this UDP port. */
  linkServer(server: Endpoint): void {
    this.#linkServers.set(true, server);
  }

  isLinkServer(server: Endpoint): boolean {
    return this.#linkServers.get(server) === true;
  }

  /** Records a modern connection, whose UDP datagrams use the same ports. Source: facts, section 10, "UDP". */
  modern(client: Endpoint, server: Endpoint): void {
    this.#modern.set(true, client, server);
    this.#modernServers.set(true, server);
  }

  /** Records a connection of an undeclared version, whose datagrams cannot be recognised. */
  undeclared(client: Endpoint, server: Endpoint): void {
    this.#modern.set(false, client, server);
    this.#modernServers.set(false, server);
  }

  /** Whether the datagrams of a connection are modern ones; undefined if no such connection is known. */
  isModern(client: Endpoint, server: Endpoint): boolean | undefined {
    return this.#modern.get(client, server);
  }

  isModernServer(server: Endpoint): boolean {
    return this.#modernServers.get(server) === true;
  }

  /**
   * Counts a datagram that could be a modern one if these are the client and the server.
   *
   * @param isOneWay true if it could not be one the other way round
   * @returns those seen so far
   */
  possibleDatagram(client: Endpoint, server: Endpoint, isOneWay: boolean): PossibleDatagrams {
    const before = this.#datagrams.get(client, server);
    const seen = { count: (before?.count ?? 0) + 1, isOneWay: isOneWay || before?.isOneWay === true };
    this.#datagrams.set(seen, client, server);
    return seen;
  }

  /** Records that a list server listens here. */
  listServer(server: Endpoint): void {
    this.#listServers.set(true, server);
  }

  isListServer(server: Endpoint): boolean {
    return this.#listServers.get(server) === true;
  }
}

function keyOf(ends: readonly Endpoint[]): string {
  return ends.map(({ address, port }) => `${address} ${port}`).join(" ");
}
