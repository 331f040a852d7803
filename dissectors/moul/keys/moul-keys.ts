import type { KeyFile } from "moul-dissect/dissector";
import { type ClientKey, type KeyMaterial, mergeKeyMaterial, remarkText } from "./key-material.js";
import { type ParsedKeys, parseKeyFile } from "./parse.js";
import { type SessionKeyCandidate, SessionKeyRecovery } from "./recover.js";
import { serverTypeOf } from "./server-type.js";

/** A key file that was read; the secrets in it are for this dissector only. */
class MoulKeyFile implements KeyFile {
  readonly recognised: boolean;
  readonly isPrivate: boolean;
  readonly isUsable: boolean;
  readonly remarks: readonly string[];
  readonly #keys: ParsedKeys;

  constructor(fileName: string, bytes: Uint8Array) {
    this.#keys = parseKeyFile(fileName, bytes);
    const { format, servers, clients, sessions, privateValues, droidKeys, remarks } = this.#keys;
    this.recognised = format !== undefined;
    this.isPrivate = servers.length > 0;
    const hasKeys = [servers, clients, sessions, privateValues, droidKeys].some(({ length }) => length > 0);
    // The configuration of a shard that does not encrypt has no keys, and nothing is wrong with it.
    this.isUsable = hasKeys || remarks.every(({ severity }) => severity === "note");
    this.remarks = remarks.map((remark) => remarkText({ ...remark, file: fileName }));
  }

  static material(files: readonly KeyFile[]): KeyMaterial {
    return mergeKeyMaterial(files.flatMap((file) => (file instanceof MoulKeyFile ? file.#keys : [])));
  }
}

/** Reads a file that may hold keys. Never throws. */
export function readMoulKeys(fileName: string, bytes: Uint8Array): KeyFile {
  return new MoulKeyFile(fileName, bytes);
}

/** The keys of encrypted `.sdl` and Python files that key files hold. */
export function droidKeysIn(files: readonly KeyFile[]): readonly Uint8Array[] {
  return MoulKeyFile.material(files).droidKeys;
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

  /**
   * Where a client's private value comes from, which decrypts no connection on its own. `y` is the client's public value
   * as on the wire.
   */
  clientSources(y: Uint8Array): readonly string[] {
    return this.#recovery.privateValues(y).map(({ source }) => source);
  }

  /** Where public values of a server come from, which decrypt no connection on their own. */
  publicSources(protocol: string): readonly string[] {
    const server = serverTypeOf(protocol);
    return [...new Set(this.#clients.filter((key) => key.server === server).map(({ source }) => source))];
  }
}

const keysOf = new WeakMap<readonly KeyFile[], MoulKeys>();

/** The keys in key files; they do not change during a run, and what is computed from them serves all connections. */
export function moulKeysIn(files: readonly KeyFile[]): MoulKeys {
  let keys = keysOf.get(files);
  if (keys === undefined) {
    keys = new MoulKeys(files);
    keysOf.set(files, keys);
  }
  return keys;
}
