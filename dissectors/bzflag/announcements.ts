import type { Endpoint } from "../../src/session/dissector.js";
import { type Version, versionNamed } from "./classic/versions.js";

/** Announcements of one run that are remembered; the oldest makes room. */
const MOST_ANNOUNCEMENTS = 4096;

/** Whose UDP link it is: the version that is spoken, and the scope of the names that the TCP connection has shown. */
export interface LinkOwner {
  readonly version: Version;
  readonly nameScope: string | undefined;
}

/**
 * What one conversation says of another one that is to come: the ports of reconnections and of UDP links. Kept in the map
 * that all conversations of this dissector share in a run.
 */
export class Announcements {
  constructor(readonly shared: Map<string, unknown>) {}

  /** The server speaks this version on this port to clients that come back. Source: facts, section 2, "reconnect port". */
  reconnect(server: Endpoint, version: Version): void {
    this.#put("reconnect", [server], version.protocol);
  }

  /** The version that is spoken on a port that a hello has announced. */
  versionAt(server: Endpoint): Version | undefined {
    return versionNamed(this.#get("reconnect", [server]));
  }

  /** The player with the id of this address and port speaks this version. Source: facts, section 2, "Player id". */
  player(id: Endpoint, version: Version): void {
    this.#put("player", [id], version.protocol);
  }

  /** The version of the player whose id has this address and port: those of the server up to 107d, of the client later. */
  versionOfPlayer(id: Endpoint): Version | undefined {
    return versionNamed(this.#get("player", [id])) ?? this.versionAt(id);
  }

  /** The client uses this UDP port. Source: facts, section 4, UDPLinkRequest. */
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

  /** The server uses this UDP port. */
  linkServer(server: Endpoint): void {
    this.#put("linkServer", [server], true);
  }

  isLinkServer(server: Endpoint): boolean {
    return this.#get("linkServer", [server]) === true;
  }

  /** A modern connection: its UDP datagrams use the same ports. Source: facts, section 10, "UDP". */
  modern(client: Endpoint, server: Endpoint): void {
    this.#put("modern", [client, server], true);
    this.#put("modernServer", [server], true);
  }

  /** A connection of an undeclared version, so that its datagrams cannot be known. */
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
   * A datagram could be a modern one if these are the client and the server.
   *
   * @param tells true if it could not be one the other way round
   * @returns how many there were, and whether one of them has told
   */
  possibleDatagram(client: Endpoint, server: Endpoint, tells: boolean): { count: number; told: boolean } {
    const before = this.#get("datagrams", [client, server]);
    const count = typeof before === "number" ? before + 1 : 1;
    this.#put("datagrams", [client, server], count);
    if (tells) this.#put("told", [client, server], true);
    return { count, told: this.#get("told", [client, server]) === true };
  }

  /** A list server listens here. */
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
