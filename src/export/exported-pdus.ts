import { PcapngWriter } from "../capture/pcapng-writer.js";
import { addressBytes } from "../network/address.js";
import type { Conversation, Direction, Endpoint, Origin } from "../network/conversation.js";
import { LinkType } from "../network/link/link-type.js";

/** Tags of Wireshark's exported PDUs (LINKTYPE_WIRESHARK_UPPER_PDU; epan/exported_pdu.h). */
const Tag = {
  end: 0,
  dissector: 12,
  ipv4Source: 20,
  ipv4Destination: 21,
  ipv6Source: 22,
  ipv6Destination: 23,
  portType: 24,
  sourcePort: 25,
  destinationPort: 26,
  originalFrame: 30,
  protocolColumn: 33,
  direction: 35,
  /** Wireshark 4.0 does not show it yet. */
  infoColumn: 36,
} as const;

const PORT_TYPES = { tcp: 2, udp: 3 };
/** The dissector of Wireshark that shows plain bytes: one that it does not have would show nothing. */
const DISSECTOR = "data";
/** Most bytes of a packet that Wireshark reads. */
const LONGEST = 262_144;
/** Most bytes of a column's text: nobody reads more. */
const LONGEST_TEXT = 1024;

/** What a packet says about the message in it. */
export interface PduFacts {
  /** The name of the message, which Wireshark shows as its protocol. */
  readonly name: string;
  /** What it says, in a line. */
  readonly info: string;
  /** What else is to be known of it, as a comment. */
  readonly comment: string;
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly origin: Origin;
}

interface ExportedPdusOptions {
  /** The program that writes the capture. */
  readonly application: string;
  /** A comment on the capture as a whole. */
  readonly comment: string;
  /** Replaces an end of a conversation; without it, ends stay as they are. */
  readonly endpoint?: ((endpoint: Endpoint) => Endpoint) | undefined;
}

/**
 * Writes messages as a capture of exported PDUs: each message is a packet, which names it, without TCP or UDP around it.
 * Any Wireshark shows the names.
 */
export class ExportedPdus {
  readonly #writer: PcapngWriter;
  readonly #endpoint: (endpoint: Endpoint) => Endpoint;
  #packets = 0;

  /** @param write receives the file's bytes in order; they are valid only during the call. */
  constructor(write: (bytes: Uint8Array) => void, { application, comment, endpoint }: ExportedPdusOptions) {
    this.#endpoint = endpoint ?? ((one) => one);
    this.#writer = new PcapngWriter(write);
    this.#writer.section(application, comment);
    this.#writer.interface({ linkType: LinkType.exportedPdu, name: "messages" });
  }

  /** Number of packets written so far. */
  get packets(): number {
    return this.#packets;
  }

  /** Passes on the gathered bytes; has to be called at the end. */
  flush(): void {
    this.#writer.flush();
  }

  /** Writes a message. */
  message(facts: PduFacts, bytes: Uint8Array): void {
    const tags = this.#tags(facts);
    const whole = Buffer.concat([...tags, bytes]);
    const { seconds, nanoseconds } = facts.origin;
    const { comment } = facts;
    this.#packets++;
    this.#writer.packet({
      seconds,
      nanoseconds,
      data: whole.subarray(0, LONGEST),
      originalLength: whole.length,
      comment,
    });
  }

  #tags({ name, info, conversation, direction, origin }: PduFacts): Uint8Array[] {
    const { client, server, transport } = conversation;
    const [from, to] = direction === "c2s" ? [client, server] : [server, client];
    return [
      text(Tag.dissector, DISSECTOR),
      ...ends(this.#endpoint(from), this.#endpoint(to)),
      number(Tag.portType, PORT_TYPES[transport]),
      number(Tag.sourcePort, from.port),
      number(Tag.destinationPort, to.port),
      number(Tag.originalFrame, origin.frame),
      text(Tag.protocolColumn, name),
      number(Tag.direction, direction === "c2s" ? 0 : 1),
      text(Tag.infoColumn, info),
      tag(Tag.end, new Uint8Array(0)),
    ];
  }
}

function ends(from: Endpoint, to: Endpoint): Uint8Array[] {
  const [source, destination] = [addressBytes(from.address), addressBytes(to.address)];
  const isIpv4 = source.length === 4;
  return [
    tag(isIpv4 ? Tag.ipv4Source : Tag.ipv6Source, source),
    tag(isIpv4 ? Tag.ipv4Destination : Tag.ipv6Destination, destination),
  ];
}

function number(code: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return tag(code, bytes);
}

/** A text, cut between two characters if it is long, with zeros up to a multiple of four bytes. */
function text(code: number, value: string): Uint8Array {
  const bytes = new Uint8Array(LONGEST_TEXT);
  const { written } = new TextEncoder().encodeInto(value, bytes);
  return tag(code, bytes.subarray(0, written));
}

function tag(code: number, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + value.length + (-value.length & 3));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, code);
  view.setUint16(2, bytes.length - 4);
  bytes.set(value, 4);
  return bytes;
}
