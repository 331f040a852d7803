import { PcapngWriter, type WrittenPacket } from "../capture/pcapng-writer.js";
import type { Conversation, Direction, Endpoint } from "../network/conversation.js";
import { LinkType } from "../network/link/link-type.js";
import { type CaptureTime, ConversationCapture, type PacketComment, type PacketSink } from "./conversation-capture.js";
import type { Route } from "./made-packet.js";

/** Number of VLANs that have a number of their own (IEEE 802.1Q). */
const MOST_VLANS = 4094;

export interface PlaintextCaptureOptions {
  /** The program that writes the capture. */
  readonly application: string;
  /** A comment on the capture as a whole. */
  readonly comment?: string;
  /** Replaces an end of a conversation; without it, ends stay as they are. An address has to keep its version. */
  readonly endpoint?: (endpoint: Endpoint) => Endpoint;
}

/**
 * Writes the payload of conversations as a capture with new packets: Ethernet, IP, and TCP or UDP. Times never go back:
 * what comes late gets the time of the packet before it.
 */
export class PlaintextCapture implements PacketSink {
  readonly #writer: PcapngWriter;
  readonly #endpoint: (endpoint: Endpoint) => Endpoint;
  readonly #vlans = new Map<string, number>([["", 0]]);
  #seconds = Number.NEGATIVE_INFINITY;
  #nanoseconds = 0;
  #packets = 0;
  #delayed = 0;
  /** The last packet, whose comment may not be known yet. */
  #last: (WrittenPacket & { readonly commented: PacketComment | undefined }) | undefined;

  /** @param write receives the file's bytes in order; they are valid only during the call. */
  constructor(write: (bytes: Uint8Array) => void, options: PlaintextCaptureOptions) {
    this.#endpoint = options.endpoint ?? ((endpoint) => endpoint);
    this.#writer = new PcapngWriter(write);
    this.#writer.section(options.application, options.comment);
    this.#writer.interface({ linkType: LinkType.ethernet, name: "plaintext" });
  }

  /** Number of packets written so far. */
  get packets(): number {
    return this.#packets;
  }

  /** Number of packets with payload that got a later time than their own: that of the packet before them. */
  get delayed(): number {
    return this.#delayed;
  }

  /** Passes on the gathered bytes; has to be called at the end. */
  flush(): void {
    this.#writeLast();
    this.#writer.flush();
  }

  /** Returns what writes a conversation. Nothing is written until it has payload. */
  conversation(conversation: Conversation): ConversationCapture {
    return new ConversationCapture(conversation, this);
  }

  routes({ client, server, path }: Conversation): Readonly<Record<Direction, Route>> {
    const [source, destination] = [this.#endpoint(client), this.#endpoint(server)];
    const vlan = this.#vlanOf(path);
    return {
      c2s: { source, destination, sourceHost: 1, vlan },
      s2c: { source: destination, destination: source, sourceHost: 2, vlan },
    };
  }

  /** Returns the VLAN for a path: VLANs keep conversations of the same ends in different tunnels apart. */
  #vlanOf(path: string): number {
    let vlan = this.#vlans.get(path);
    if (vlan === undefined) {
      vlan = ((this.#vlans.size - 1) % MOST_VLANS) + 1;
      this.#vlans.set(path, vlan);
    }
    return vlan;
  }

  brings(time: CaptureTime): void {
    if (this.#isPast(time)) this.#delayed++;
  }

  /** True for a time before that of the last packet. */
  #isPast({ seconds, nanoseconds }: CaptureTime): boolean {
    return seconds < this.#seconds || (seconds === this.#seconds && nanoseconds < this.#nanoseconds);
  }

  write(time: CaptureTime, data: Uint8Array, missing: number, comment?: PacketComment): void {
    this.#writeLast();
    if (!this.#isPast(time)) {
      this.#seconds = time.seconds;
      this.#nanoseconds = time.nanoseconds;
    }
    this.#packets++;
    this.#last = {
      seconds: this.#seconds,
      nanoseconds: this.#nanoseconds,
      data,
      originalLength: data.length + missing,
      commented: comment,
    };
  }

  #writeLast(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last !== undefined) this.#writer.packet({ ...last, comment: last.commented?.() });
  }
}
