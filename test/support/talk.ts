import type { Packet } from "../../src/capture/packet.js";
import { Dissection } from "../../src/dissect/dissection.js";
import type { Dissector } from "../../src/dissector/dissector.js";
import type { InternalError } from "../../src/dissector/failure.js";
import { Network } from "../../src/network/network.js";
import { jsonLine } from "../../src/output/json/json.js";
import { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import type { DecodeAsRule } from "../../src/session/decode-as.js";
import { Tracker } from "../../src/session/tracker.js";
import { RAW } from "./network.js";
import { type Address, endsOf, TcpTalk, udpPacket } from "./packets.js";

/** What one side sends: "c" is the client. */
export type Said = readonly ["c" | "s", Uint8Array];

/** Conversations that are composed packet by packet and go through the whole program. */
export class Talks {
  readonly messages: DissectedMessage[] = [];
  readonly errors: InternalError[] = [];
  readonly #network: Network;
  #frame = 0;
  #port = 40_000;

  constructor(dissectors: readonly Dissector[], decodeAs: readonly DecodeAsRule[] = []) {
    const onInternalError = (error: InternalError) => void this.errors.push(error);
    const dissection = new Dissection((message) => this.messages.push(new DissectedMessage(message)), {
      onInternalError,
    });
    this.#network = new Network(new Tracker(dissectors, dissection, { decodeAs, onInternalError }));
  }

  /** A whole TCP connection, or one whose SYN packets were not captured; each piece is a segment. */
  tcp(server: Address, said: readonly Said[], { handshake = true, fin = true, client = this.#client() } = {}): this {
    const talk = new TcpTalk(client, server, [1000, 2000]);
    if (handshake) for (const packet of talk.handshake()) this.#feed(packet);
    for (const [side, bytes] of said) this.#feed(talk.send(side === "c" ? 0 : 1, bytes));
    if (fin) for (const side of [0, 1] as const) this.#feed(talk.fin(side));
    return this;
  }

  /** Datagrams between a client and a server; `cut` bytes of each are not captured. */
  udp(client: Address, server: Address, said: readonly Said[], cut = 0): this {
    for (const [side, bytes] of said) {
      this.#feed(udpPacket(side === "c" ? endsOf(client, server) : endsOf(server, client), bytes), cut);
    }
    return this;
  }

  /** Ends the recording; returns all messages. */
  end(): readonly DissectedMessage[] {
    this.#network.end();
    return this.messages;
  }

  #client(): Address {
    return ["192.0.2.1", this.#port++];
  }

  #feed(whole: Uint8Array, cut = 0): void {
    const frame = ++this.#frame;
    const data = whole.slice(0, whole.length - cut);
    const packet: Packet = { frame, seconds: frame, nanoseconds: 0, linkType: RAW, data, originalLength: whole.length };
    this.#network.packet(packet);
  }
}

/** The fields of a message in JSON, under their declared names. */
export function fieldsOf(message: DissectedMessage | undefined): unknown {
  const json: unknown = message === undefined ? undefined : JSON.parse(jsonLine(message, 1));
  return typeof json === "object" && json !== null && "fields" in json ? json.fields : undefined;
}

/** One line per message: protocol, direction, name and status. */
export function linesOf(messages: readonly DissectedMessage[]): string[] {
  return messages.map(({ protocol, direction, name, status }) => `${protocol} ${direction} ${name} ${status}`);
}
