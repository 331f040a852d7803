import { connectPackets } from "../../../dissectors/moul/connection/connect-packet.js";
import { Cli2Srv_Connect, Srv2Cli_Encrypt } from "../../../dissectors/moul/connection/setup-packets.js";
import { keyLogLine } from "../../../dissectors/moul/keys/formats/key-log.js";
import { Rc4 } from "../../../src/dissector/dissector.js";
import { encode } from "../../../src/schema/encode/encode.js";
import type { StructType } from "../../../src/schema/index.js";
import type { TrafficMessage } from "./messages.js";
import type { Random } from "./random.js";
import type { TcpTalk } from "./tcp-talk.js";

/** Connection types of the servers in the traffic. */
export const Server = { auth: 10, game: 11 } as const;
export type Server = (typeof Server)[keyof typeof Server];

const UUID = "6b0d6ae8-7d9f-4a3b-9c52-0b1f1f0a7d11";
/** Length of the frame around a message in the twin. */
const FRAME = 5;

/**
 * One connection of a client, with its key exchange, encrypted; and the same in a twin for other dissectors: in the
 * clear, each message in a frame of its length (u32, little-endian) and its connection type.
 */
export class MoulTalk {
  /** The line of the key log that decrypts it. */
  readonly keyLine: string;
  messages = 3;
  readonly #ciphers: readonly [Rc4, Rc4];

  constructor(
    readonly server: Server,
    readonly real: TcpTalk,
    readonly twin: TcpTalk,
    random: Random,
  ) {
    const y = random.bytes(64);
    const key = random.bytes(7);
    this.keyLine = keyLogLine(y, key);
    this.#ciphers = [new Rc4(key), new Rc4(key)];
    this.#inTheClear(0, connectPacket(server));
    this.#inTheClear(0, encode<unknown>(Cli2Srv_Connect, { type: 0, y }));
    this.#inTheClear(1, encode<unknown>(Srv2Cli_Encrypt, { type: 1, seed: random.bytes(7) }));
  }

  /** Sends messages of one direction in one piece. */
  send(messages: readonly TrafficMessage[]): void {
    const [first] = messages;
    if (first === undefined) return;
    const end = first.direction === "c2s" ? 0 : 1;
    const { time } = this.real.capture;
    for (const { bytes, timeAt } of messages) {
      if (timeAt === undefined) continue;
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      view.setUint32(timeAt, Math.floor(time / 1e6), true);
      view.setUint32(timeAt + 4, time % 1e6, true);
    }
    const bytes = Buffer.concat(messages.map((message) => message.bytes));
    this.#ciphers[end].apply(bytes);
    this.real.send(end, bytes);
    this.twin.send(end, Buffer.concat(messages.map((message) => framed(message.bytes, this.server))));
    this.messages += messages.length;
  }

  close(): void {
    this.real.close();
    this.twin.close();
  }

  #inTheClear(end: 0 | 1, bytes: Uint8Array): void {
    this.real.send(end, bytes);
    this.twin.send(end, framed(bytes, 0));
  }
}

function connectPacket(server: Server): Uint8Array {
  const type: StructType<unknown> | undefined = connectPackets.get(server);
  if (type === undefined) throw new Error(`there is no connect packet of type ${server}`);
  const identity = { clientBuildId: 918, clientBuildType: 50, clientBranchId: 1, clientProductUuid: UUID };
  const own = server === Server.auth ? { token: UUID } : { accountUuid: UUID, ageUuid: UUID };
  const dataByteCount = server === Server.auth ? 20 : 36;
  return encode<unknown>(type, { connectionType: server, headerByteCount: 31, ...identity, dataByteCount, ...own });
}

function framed(bytes: Uint8Array, server: number): Uint8Array {
  const frame = Buffer.alloc(FRAME + bytes.length);
  frame.writeUInt32LE(frame.length, 0);
  frame[4] = server;
  frame.set(bytes, FRAME);
  return frame;
}
