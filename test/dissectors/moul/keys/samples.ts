import { readFileSync } from "node:fs";
import { type ServerType, serverTypeOfName } from "../../../../dissectors/moul/keys/server-type.js";
import { recordsOf } from "../../../support/truth.js";

const root = new URL("../../../../", import.meta.url);

/** The recorded shards: each has a folder in `samples/keys` and a truth log of the same name. */
export const shards = ["dirtsand", "nagus"] as const;
export type Shard = (typeof shards)[number];

/** A file of the sample keys, e.g. "dirtsand/server.ini". */
export function sampleKeys(path: string): Uint8Array {
  return readFileSync(new URL(`samples/keys/${path}`, root));
}

/** A file of the keys made for these tests, e.g. "moss/auth_key.der". */
export function fixtureKeys(path: string): Uint8Array {
  return readFileSync(new URL(`test/fixtures/keys/${path}`, root));
}

/** What the truth log records about the key exchange of one connection. */
export interface KeyExchange {
  readonly server: ServerType;
  /** y as on the wire. */
  readonly y: Uint8Array;
  readonly seed: Uint8Array;
  /** The session key, hex. */
  readonly key: string;
  /** Numbers in hex, most significant digit first. */
  readonly yDigits: string;
  readonly bDigits: string;
}

/** The encrypted connections of a shard's recorded session. */
export function keyExchanges(shard: Shard): KeyExchange[] {
  const connections = recordsOf<{ rec: string }>(`${shard}-session`).filter(({ rec }) => rec === "conn");
  return connections.map((connection) => new Map(Object.entries<unknown>(connection))).flatMap(keyExchangeOf);
}

function keyExchangeOf(record: ReadonlyMap<string, unknown>): KeyExchange[] {
  if (record.get("rc4_key") === undefined) return [];
  const text = (name: string): string => String(record.get(name));
  const server = serverTypeOfName(text("server"));
  if (server === undefined) throw new Error(`truth log: unknown server ${text("server")}`);
  const wire = Buffer.from(text("y_be"), "hex")
    .reverse()
    .subarray(0, Number(record.get("y_wire_len")));
  return [
    {
      server,
      y: new Uint8Array(wire),
      seed: new Uint8Array(Buffer.from(text("seed_wire"), "hex")),
      key: text("rc4_key"),
      yDigits: text("y_be"),
      bDigits: text("b_be"),
    },
  ];
}

/** The bytes of a text file. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
