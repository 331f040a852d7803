import { fromLittleEndian, modularPower, toLittleEndian } from "moul-dissect/dissector";
import {
  type ClientKey,
  type ClientPrivateValue,
  type KeyMaterial,
  SESSION_KEY_BYTES,
  type SessionKey,
} from "./key-material.js";
import type { ServerType } from "./server-type.js";

/** A session key that may be that of a connection: to be believed once a message that it decrypts makes sense. */
export interface SessionKeyCandidate {
  /** The 7 bytes in the order in which RC4 takes them. Secret. */
  readonly key: Uint8Array;
  /** Where the key comes from, for people and for the JSON output: "server private value of auth, dirtsand.ini". */
  readonly source: string;
}

/** Finds the session keys that key material gives for connections. */
export class SessionKeyRecovery {
  readonly #material: KeyMaterial;
  readonly #sessions: ReadonlyMap<string, readonly SessionKey[]>;
  readonly #privateValues: ReadonlyMap<string, readonly ClientPrivateValue[]>;

  constructor(material: KeyMaterial) {
    this.#material = material;
    this.#sessions = byPublicValue(material.sessions);
    this.#privateValues = byPublicValue(material.privateValues);
  }

  /**
   * The candidates for one connection, cheapest and surest first, each computed only when it is asked for: keys that a
   * key log states; y^a mod n for each private value of a server of this type; x^b mod n for each public value together
   * with the client's private value of this connection. The same key never comes twice.
   *
   * `y` is the client's public value as on the wire: little-endian, 64 bytes or fewer. Without y (an unencrypted
   * connection) there are no candidates. `seed` is what the server sent; unless it has 7 bytes, only a key log can
   * help.
   */
  *candidates(server: ServerType, y: Uint8Array, seed: Uint8Array): Generator<SessionKeyCandidate, void, undefined> {
    const seen = new Set<string>();
    for (const candidate of this.#all(server, y, seed)) {
      const digits = Buffer.from(candidate.key).toString("hex");
      if (seen.has(digits)) continue;
      seen.add(digits);
      yield candidate;
    }
  }

  *#all(server: ServerType, y: Uint8Array, seed: Uint8Array): Generator<SessionKeyCandidate, void, undefined> {
    if (y.length === 0) return;
    const publicValue = fromLittleEndian(y);
    const digits = publicValue.toString(16);
    for (const { key, source } of this.#sessions.get(digits) ?? []) yield { key, source };
    if (seed.length !== SESSION_KEY_BYTES) return;
    for (const { n, a, source } of keysOf(server, this.#material.servers)) {
      yield { key: sessionKey(modularPower(publicValue, a, n), seed), source };
    }
    for (const { b, source } of this.privateValues(y)) {
      for (const { n, x, source: publicSource } of this.#publicKeys(server)) {
        yield { key: sessionKey(modularPower(x, b, n), seed), source: `${source}, with ${publicSource}` };
      }
    }
  }

  /** The client's private values of a connection. `y` is the client's public value as on the wire. */
  privateValues(y: Uint8Array): readonly ClientPrivateValue[] {
    return this.#privateValues.get(fromLittleEndian(y).toString(16)) ?? [];
  }

  /** The public values of a server type: those stated, and those that follow from a server's private value. */
  *#publicKeys(server: ServerType): Generator<Pick<ClientKey, "n" | "x" | "source">, void, undefined> {
    yield* keysOf(server, this.#material.clients);
    for (const { n, a, g, source } of keysOf(server, this.#material.servers))
      yield { n, x: modularPower(g, a, n), source };
  }
}

function keysOf<Key extends { readonly server: ServerType }>(server: ServerType, keys: readonly Key[]): Key[] {
  return keys.filter((key) => key.server === server);
}

/** The seed xor the 7 least significant bytes of the shared secret, least significant first. */
function sessionKey(secret: bigint, seed: Uint8Array): Uint8Array {
  const low = toLittleEndian(BigInt.asUintN(SESSION_KEY_BYTES * 8, secret), SESSION_KEY_BYTES);
  return seed.map((byte, index) => byte ^ (low[index] ?? 0));
}

/**
 * Entries by the hex digits of y without leading zeros. Each is found under both readings of its digits, as a number
 * and as bytes in wire order, because other tools' logs may hold either; two 512-bit values never collide by accident.
 */
function byPublicValue<Entry extends { readonly y: string }>(entries: readonly Entry[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) {
    const readings = new Set([entry.y, entry.y.length % 2 === 0 ? reversedBytes(entry.y) : entry.y]);
    for (const reading of new Set([...readings].map((digits) => digits.replace(/^0+(?=.)/, "")))) {
      const found = index.get(reading);
      if (found === undefined) index.set(reading, [entry]);
      else found.push(entry);
    }
  }
  return index;
}

function reversedBytes(digits: string): string {
  return Buffer.from(digits, "hex").reverse().toString("hex");
}
