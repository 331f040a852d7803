import { createHash } from "node:crypto";
import { connectPackets } from "../../dissectors/moul/connection/connect-packet.js";
import { Cli2Srv_Connect, Srv2Cli_Encrypt, Srv2Cli_Error } from "../../dissectors/moul/connection/setup-packets.js";
import { auth, csr, file, game, gatekeeper } from "../../dissectors/moul/messages/index.js";
import { fromBigEndian, modularPower, toBigEndian, toLittleEndian } from "../../src/dissector/diffie-hellman.js";
import { Rc4 } from "../../src/dissector/rc4.js";
import type { Direction } from "../../src/network/conversation.js";
import { encode } from "../../src/schema/encode/encode.js";
import type { Type } from "../../src/schema/index.js";
import { concat, TcpTalk } from "./packets.js";

/** Plays MOUL connections for tests: what both sides send, encrypted and cut into packets as requested. */

export type ServerName = "gatekeeper" | "auth" | "game" | "csr" | "file";

const SERVERS = { gatekeeper, auth, game, csr, file };
const CONNECTION_TYPES: Readonly<Record<ServerName, number>> = {
  gatekeeper: 22,
  auth: 10,
  game: 11,
  csr: 20,
  file: 16,
};
const GENERATORS: Readonly<Record<ServerName, bigint>> = { gatekeeper: 4n, auth: 41n, game: 73n, csr: 97n, file: 0n };

const VALUE_BYTES = 64;
/** The modulus of all servers in these tests. */
const MODULUS = 2n ** 512n - 569n;

/** A private value of 512 bits, the same for the same label. */
export function secret(label: string): bigint {
  return fromBigEndian(createHash("sha512").update(label).digest());
}

/** A private value of a client whose public value for the auth server has a leading zero byte. */
export const SHORT_Y_LABEL = "b 81";

/**
 * How a connection is encrypted: "none" by agreement, "exchange only" by a build that exchanges keys without using
 * them.
 */
export type Encryption = "rc4" | "none" | "exchange only";

export interface MoulTalkOptions {
  readonly encryption?: Encryption;
  /** The server's private value. */
  readonly a?: bigint;
  /** The client's private value. */
  readonly b?: bigint;
  readonly seed?: Uint8Array;
}

/** What one side sends, in one piece. */
interface Sent {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** One connection between a client and a server: keeps what was sent, in order. */
export class MoulTalk {
  readonly sent: Sent[] = [];
  readonly #encryption: Encryption;
  readonly #a: bigint;
  readonly #b: bigint;
  readonly #seed: Uint8Array;
  readonly #ciphers: Record<Direction, Rc4 | undefined> = { c2s: undefined, s2c: undefined };

  constructor(
    readonly server: ServerName,
    {
      encryption = "rc4",
      a = secret(`a ${server}`),
      b = secret("b"),
      seed = Buffer.from("seed 57"),
    }: MoulTalkOptions = {},
  ) {
    this.#encryption = encryption;
    this.#a = a;
    this.#b = b;
    this.#seed = seed;
  }

  /** The client's public value. */
  get y(): bigint {
    return modularPower(GENERATORS[this.server], this.#b, MODULUS);
  }

  /** The client's public value as on the wire. */
  get wireY(): Uint8Array {
    const y = this.y;
    return toLittleEndian(y, Math.ceil(y.toString(16).length / 2));
  }

  get sessionKey(): Uint8Array {
    const shared = toLittleEndian(modularPower(this.y, this.#a, MODULUS), VALUE_BYTES);
    return this.#seed.map((byte, index) => byte ^ (shared[index] ?? 0));
  }

  /** The lines of a key log for this connection. */
  get keyLog(): { readonly rc4: string; readonly b: string } {
    const y = this.y.toString(16);
    return {
      rc4: `MOUL_RC4 ${y} ${Buffer.from(this.sessionKey).toString("hex")}\n`,
      b: `MOUL_DH_B ${y} ${this.#b.toString(16)}\n`,
    };
  }

  /** The client's connect packet. */
  connect(): this {
    const packet = connectPackets.get(CONNECTION_TYPES[this.server]);
    if (packet === undefined) throw new Error(`${this.server} has no connect packet`);
    const uuid = "ea489821-6c35-4bd0-9dae-bb17c585e680";
    return this.wire(
      "c2s",
      encode(packet, {
        connectionType: CONNECTION_TYPES[this.server],
        headerByteCount: 31,
        clientBuildId: 918,
        clientBuildType: 50,
        clientBranchId: 1,
        clientProductUuid: uuid,
        dataByteCount: packet.struct.minimumWidth - 31,
        token: uuid,
        accountUuid: uuid,
        ageUuid: uuid,
        realBuildId: 918,
        serverType: 0,
      }),
    );
  }

  /** The client's half of the key exchange. */
  sendsY(): this {
    const y = this.#encryption === "none" ? new Uint8Array(0) : this.wireY;
    return this.wire("c2s", encode(Cli2Srv_Connect, { type: 0, packetByteCount: y.length + 2, y }));
  }

  /** The server's half of the key exchange. */
  sendsSeed(): this {
    const seed = this.#encryption === "none" ? new Uint8Array(0) : this.#seed;
    return this.wire("s2c", encode(Srv2Cli_Encrypt, { type: 1, packetByteCount: seed.length + 2, seed })).encrypts();
  }

  /** Encrypts both directions from here on, if the connection is encrypted. */
  encrypts(): this {
    if (this.#encryption === "rc4") {
      this.#ciphers.c2s = new Rc4(this.sessionKey);
      this.#ciphers.s2c = new Rc4(this.sessionKey);
    }
    return this;
  }

  /** The server refuses the key exchange. */
  refuses(errorCode = 42): this {
    const error = { errorCode, data: new Uint8Array(0) };
    return this.wire("s2c", encode(Srv2Cli_Error, { type: 2, packetByteCount: 6, error }));
  }

  /** Connect packet and key exchange: everything before the first message. */
  opens(): this {
    this.connect();
    return this.server === "file" ? this : this.sendsY().sendsSeed();
  }

  /** A message by its name. */
  says(name: string, fields: Readonly<Record<string, unknown>> = {}): this {
    const direction = name.startsWith("Cli2") ? "c2s" : "s2c";
    return this.plain(direction, this.message(name, fields));
  }

  /** The unencrypted bytes of a message by its name. */
  message(name: string, fields: Readonly<Record<string, unknown>> = {}): Uint8Array {
    const table = SERVERS[this.server][name.startsWith("Cli2") ? "c2s" : "s2c"];
    const type: Type<unknown> | undefined = [...table.messages()].find(({ struct }) => struct.name === name);
    if (type?.descriptor.struct === undefined) throw new Error(`there is no message ${name}`);
    const number = { messageType: type.descriptor.struct.tag, messageByteCount: 0 };
    const bytes = encode(type, { ...number, ...fields });
    if (this.server !== "file") return bytes;
    return encode(type, { ...number, messageByteCount: bytes.length, ...fields });
  }

  /** Bytes that are encrypted like messages. */
  plain(direction: Direction, bytes: Uint8Array): this {
    const copy = bytes.slice();
    this.#ciphers[direction]?.apply(copy);
    return this.wire(direction, copy);
  }

  /** Raw bytes on the wire. */
  wire(direction: Direction, bytes: Uint8Array): this {
    this.sent.push({ direction, bytes });
    return this;
  }
}

/** A ping of any server, and its reply: the fields differ from server to server. */
export function ping(talk: MoulTalk, number = 1): MoulTalk {
  const prefix = { gatekeeper: "GateKeeper", auth: "Auth", game: "Game", csr: "Csr", file: "File" }[talk.server];
  const fields = { pingTime: number, transactionId: number, payloadByteCount: 0, payload: new Uint8Array(0) };
  return talk.says(`Cli2${prefix}_PingRequest`, fields).says(`${prefix}2Cli_PingReply`, fields);
}

/** Files that contain the keys of the servers in these tests. */
export const keyFiles = {
  /** DIRTSAND's configuration. */
  dirtsand(labels: Partial<Record<ServerName, string>> = {}): string {
    const settings: readonly (readonly [string, ServerName])[] = [
      ["Auth", "auth"],
      ["Game", "game"],
      ["Gate", "gatekeeper"],
      ["Csr", "csr"],
    ];
    return settings
      .flatMap(([setting, server]) => [
        `Key.${setting}.N = ${base64(MODULUS)}`,
        `Key.${setting}.K = ${base64(secret(labels[server] ?? `a ${server}`))}`,
      ])
      .join("\n");
  },

  /** The client's server.ini: public values only. */
  serverIni(): string {
    const settings: readonly (readonly [string, ServerName])[] = [
      ["Auth", "auth"],
      ["Game", "game"],
      ["Gate", "gatekeeper"],
    ];
    return settings
      .flatMap(([setting, server]) => [
        `Server.${setting}.N "${base64(MODULUS)}"`,
        `Server.${setting}.X "${base64(modularPower(GENERATORS[server], secret(`a ${server}`), MODULUS))}"`,
      ])
      .join("\n");
  },
};

function base64(value: bigint): string {
  return Buffer.from(toBigEndian(value, VALUE_BYTES)).toString("base64");
}

export interface PacketOptions {
  readonly client?: readonly [address: string, port: number];
  readonly server?: readonly [address: string, port: number];
  /** The initial sequence numbers of the two sides. */
  readonly initial?: readonly [number, number];
  /** Maximum payload of a packet. */
  readonly mtu?: number;
  /** Puts everything that a side sends in a row into as few packets as possible. */
  readonly merged?: boolean;
  /** Without the packets that open the connection. */
  readonly noSyn?: boolean;
  /** Without the packets that close the connection. */
  readonly noFin?: boolean;
}

/** The packets of a connection, without link layer. */
export function packetsOf(talk: MoulTalk, options: PacketOptions = {}): Uint8Array[] {
  const { client = ["192.0.2.1", 50_000], server = ["192.0.2.2", 14_617], mtu = 65_000 } = options;
  const { initial = [1000, 9_000_000] } = options;
  const tcp = new TcpTalk(client, server, initial);
  const packets: Uint8Array[] = [];
  const handshake = tcp.handshake();
  if (!options.noSyn) packets.push(...handshake);
  for (const { direction, bytes } of options.merged ? mergedBySide(talk.sent) : talk.sent) {
    const side = direction === "c2s" ? 0 : 1;
    for (let at = 0; at < bytes.length; at += mtu) packets.push(tcp.send(side, bytes.slice(at, at + mtu)));
  }
  if (!options.noFin) packets.push(tcp.fin(0), tcp.fin(1), tcp.ack(0));
  return packets;
}

function mergedBySide(sent: readonly Sent[]): Sent[] {
  const merged: Sent[] = [];
  for (const { direction, bytes } of sent) {
    const last = merged.at(-1);
    if (last?.direction !== direction) merged.push({ direction, bytes });
    else merged[merged.length - 1] = { direction, bytes: concat(last.bytes, bytes) };
  }
  return merged;
}
