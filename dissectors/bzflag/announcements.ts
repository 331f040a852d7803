import type { Endpoint } from "../../src/session/dissector.js";
import { type Version, versionNamed } from "./classic/versions.js";

/** Most announcements remembered in one run; the oldest is dropped first. */
const MOST_ANNOUNCEMENTS = 4096;

/** The owner of a UDP link: its version, and the scope of the player names seen on its TCP connection. */
interface LinkOwner {
  readonly version: Version;
  readonly nameScope: string | undefined;
}

/**
 * What one conversation announces about another one to come: the ports of reconnections and of UDP links. Kept in a map
 * that all conversations of this dissector share during a run.
 */
export class Announcements {
  constructor(readonly shared: Map<string, unknown>) {}

  /**
   * Records that the server speaks this version on this port to clients that reconnect. Source: facts, section 2,
   * "reconnect port".
   */
  reconnect(server: Endpoint, version: Version): void {
    this.#put("reconnect", [server], version.protocol);
  }

  /** The version spoken on a port that a hello announced. */
  versionAt(server: Endpoint): Version | undefined {
    return versionNamed(this.#get("reconnect", [server]));
  }

  /**
   * Records that the player with the id of this address and port speaks this version. Source: facts, section 2, "Player
   * id".
   */
  player(id: Endpoint, version: Version): void {
    this.#put("player", [id], version.protocol);
  }

  /**
   * The version of the player whose id has this address and port: the server's up to 107d, the client's in later
   * versions.
   */
  versionOfPlayer(id: Endpoint): Version | undefined {
    return versionNamed(this.#get("player", [id])) ?? this.versionAt(id);
  }

  /** Records that the client uses this UDP port. Source: facts, section 4, UDPLinkRequest. */
  linkClient(client: Endpoint, owner: LinkOwner): void {
    this.#put("link", [client], { protocol: owner.version.protocol, nameScope: owner.nameScope });
  }

  linkOwner(client: Endpoint): LinkOwner | undefined {
    const value = this.#get("link", [client]);
    if (typeof value !== "object" || value === null) return undefined;
    const { protocol, nameScope }: { protocol?: unknown; nameScope?: unknown } = value;
    const version = versionNamed(protocol);
    return version && { version, nameScope: typeof nameScope === "string" ? nameScope : undefined };
  }

  /** Records that the server uses this UDP port. */
  linkServer(server: Endpoint): void {
    this.#put("linkServer", [server], true);
  }

  isLinkServer(server: Endpoint): boolean {
    return this.#get("linkServer", [server]) === true;
  }

  /** Records a modern connection, whose UDP datagrams use the same ports. Source: facts, section 10, "UDP". */
  modern(client: Endpoint, server: Endpoint): void {
    this.#put("modern", [client, server], true);
    this.#put("modernServer", [server], true);
  }

  /** Records a connection of an undeclared version, whose datagrams cannot be recognised. */
  undeclared(client: Endpoint, server: Endpoint): void {
    this.#put("modern", [client, server], false);
    this.#put("modernServer", [server], false);
  }

  /** Whether the datagrams of a connection are modern ones; undefined if no such connection is known. */
  isModern(client: Endpoint, server: Endpoint): boolean | undefined {
    const value = this.#get("modern", [client, server]);
    return typeof value === "boolean" ? value : undefined;
  }

  isModernServer(server: Endpoint): boolean {
    return this.#get("modernServer", [server]) === true;
  }

  /**
   * Counts a datagram that could be a modern one if these are the client and the server.
   *
   * @param isOneWay true if it could not be one the other way round
   * @returns how many there were, and whether any of them could only go this way
   */
  possibleDatagram(client: Endpoint, server: Endpoint, isOneWay: boolean): { count: number; isOneWay: boolean } {
    const before = this.#get("datagrams", [client, server]);
    const count = typeof before === "number" ? before + 1 : 1;
    this.#put("datagrams", [client, server], count);
    if (isOneWay) this.#put("oneWay", [client, server], true);
    return { count, isOneWay: this.#get("oneWay", [client, server]) === true };
  }

  /** Records that a list server listens here. */
  listServer(server: Endpoint): void {
    this.#put("list", [server], true);
  }

  isListServer(server: Endpoint): boolean {
    return this.#get("list", [server]) === true;
  }

  #put(what: string, ends: readonly Endpoint[], value: unknown): void {
    const key = keyOf(what, ends);
    this.shared.delete(key);
    if (this.shared.size >= MOST_ANNOUNCEMENTS) {
      const [oldest] = this.shared.keys();
      if (oldest !== undefined) this.shared.delete(oldest);
    }
    this.shared.set(key, value);
  }

  #get(what: string, ends: readonly Endpoint[]): unknown {
    return this.shared.get(keyOf(what, ends));
  }
}

function keyOf(what: string, ends: readonly Endpoint[]): string {
  return [what, ...ends.map(({ address, port }) => `${address} ${port}`)].join(" ");
}
