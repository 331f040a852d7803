import type { KeyRemark } from "./remarks.js";
import type { ServerType } from "./server-type.js";

/**
 * Bytes of a session key, and of the seed that the server sends.
 * Source: pnNetBase/pnNbConst.h, kNetMaxSymmetricSeedBytes.
 */
export const SESSION_KEY_BYTES = 7;

/** A server's Diffie-Hellman values, including the private one: decrypts every connection to a server of that type. */
export interface ServerKey {
  readonly server: ServerType;
  /** The modulus. */
  readonly n: bigint;
  /** The server's private value (DIRTSAND calls it K). It may exceed n. Secret. */
  readonly a: bigint;
  /** The generator. */
  readonly g: bigint;
  /** Where the values come from, for people: "server private value of auth, dirtsand.ini". */
  readonly source: string;
}

/** A server's public values as a client holds them: useful together with a client's private value. */
export interface ClientKey {
  readonly server: ServerType;
  /** The modulus. */
  readonly n: bigint;
  /** The server's public value, g^a mod n. */
  readonly x: bigint;
  /** The generator. */
  readonly g: bigint;
  /** Where the values come from, for people: "public values of auth, server.ini". */
  readonly source: string;
}

/** The session key of one connection, from a key log. */
export interface SessionKey {
  /** The client's public value as the hex digits of the log, in lower case. */
  readonly y: string;
  /** The 7 bytes of the RC4 key. Secret. */
  readonly key: Uint8Array;
  /** Where the key comes from, for people: "session key, key.log line 3". */
  readonly source: string;
}

/** A client's private value for one connection, from a key log. */
export interface ClientPrivateValue {
  /** The client's public value as the hex digits of the log, in lower case. */
  readonly y: string;
  /** The client's private value. Secret. */
  readonly b: bigint;
  /** Where the value comes from, for people: "client private value, key.log line 3". */
  readonly source: string;
}

/** Everything that decrypts connections, in the order in which it was given. */
export interface KeyMaterial {
  readonly servers: readonly ServerKey[];
  readonly clients: readonly ClientKey[];
  readonly sessions: readonly SessionKey[];
  readonly privateValues: readonly ClientPrivateValue[];
  /**
   * The keys of encrypted `.sdl` and Python files: 16 bytes each, in the order of the configuration's hex digits, which
   * are four 32-bit words written as numbers (DIRTSAND's `Key.Droid`). Secret.
   */
  readonly droidKeys: readonly Uint8Array[];
  readonly remarks: readonly KeyRemark[];
}

/** No key material. */
export const noKeyMaterial: KeyMaterial = {
  servers: [],
  clients: [],
  sessions: [],
  privateValues: [],
  droidKeys: [],
  remarks: [],
};

/** Combines the key material of several files. */
export function mergeKeyMaterial(parts: readonly KeyMaterial[]): KeyMaterial {
  return {
    servers: parts.flatMap((part) => part.servers),
    clients: parts.flatMap((part) => part.clients),
    sessions: parts.flatMap((part) => part.sessions),
    privateValues: parts.flatMap((part) => part.privateValues),
    droidKeys: parts.flatMap((part) => part.droidKeys),
    remarks: parts.flatMap((part) => part.remarks),
  };
}

/** A remark as one line of text: "dirtsand.ini, line 3: ...". */
export function remarkText(remark: KeyRemark): string {
  return `${remark.file}${remark.line === undefined ? "" : `, line ${remark.line}`}: ${remark.text}`;
}
