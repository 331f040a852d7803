import type { KeyFile } from "../../../src/session/dissector.js";
import { type ClientKey, mergeKeyMaterial, remarkText } from "./key-material.js";
import { type ParsedKeys, parseKeyFile } from "./parse.js";
import { type SessionKeyCandidate, SessionKeyRecovery } from "./recover.js";
import { type ServerType, serverTypes } from "./server-type.js";

/** A key file that was read; the secrets in it are for this dissector only. */
class MoulKeyFile implements KeyFile {
  readonly recognised: boolean;
  readonly isPrivate: boolean;
  readonly isUsable: boolean;
  readonly remarks: readonly string[];
  readonly #keys: ParsedKeys;

  constructor(fileName: string, bytes: Uint8Array) {
    this.#keys = parseKeyFile(fileName, bytes);
    this.recognised = this.#keys.format !== undefined;
    this.isPrivate = this.#keys.servers.length > 0;
    const { servers, clients, sessions, privateValues, droidKey } = this.#keys;
    this.isUsable =
      droidKey !== undefined || [servers, clients, sessions, privateValues].some(({ length }) => length > 0);
    this.remarks = this.#keys.remarks.map(remarkText);
  }

  static material(files: readonly KeyFile[]) {
    return mergeKeyMaterial(files.filter((file) => file instanceof MoulKeyFile).map((file) => file.#keys));
  }

  static droidKeys(files: readonly KeyFile[]): Uint8Array[] {
    return files.flatMap((file) => (file instanceof MoulKeyFile ? (file.#keys.droidKey ?? []) : []));
  }
}

/** All key material that was given for MOUL connections. */
export class MoulKeys {
  readonly #recovery: SessionKeyRecovery;
  readonly #clients: readonly ClientKey[];

  constructor(files: readonly KeyFile[]) {
    const material = MoulKeyFile.material(files);
    this.#recovery = new SessionKeyRecovery(material);
    this.#clients = material.clients;
  }

  /** The keys that a connection may have, for a client's public value and a server's seed as on the wire. */
  candidates(protocol: string, y: Uint8Array, seed: Uint8Array): Iterable<SessionKeyCandidate> {
    const server = serverTypeOf(protocol);
    return server === undefined ? [] : this.#recovery.candidates(server, y, seed);
  }

  /** Where public values of a server come from, which open no connection by themselves. */
  publicSources(protocol: string): readonly string[] {
    const server = serverTypeOf(protocol);
    return [...new Set(this.#clients.filter((key) => key.server === server).map(({ source }) => source))];
  }
}

function serverTypeOf(protocol: string): ServerType | undefined {
  return serverTypes.find((type) => protocol === `moul.${type}`);
}

export function readMoulKeys(fileName: string, bytes: Uint8Array): KeyFile {
  return new MoulKeyFile(fileName, bytes);
}

/** The keys of encrypted `.sdl` and Python files that key files hold. */
export function droidKeysIn(files: readonly KeyFile[]): readonly Uint8Array[] {
  return MoulKeyFile.droidKeys(files);
}
