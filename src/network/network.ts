import type { Packet } from "../capture/packet.js";
import type { EndReason, NetworkListener, Origin } from "./conversation.js";
import { ConversationTable } from "./conversation-table.js";
import { IpPacket, readIp } from "./ip.js";
import { type NetworkLimits, networkLimits } from "./limits.js";
import { LinkPayload, readLink } from "./link.js";
import { protocolName } from "./names.js";
import { readTcp, TcpFlag, TcpSegment } from "./tcp.js";
import { type TcpContext, TcpConversation } from "./tcp-conversation.js";
import { type Side, SideKey, TrackedConversation } from "./tracked-conversation.js";
import { readUdp, UdpDatagram } from "./udp.js";

const PROTOCOL_TCP = 6;
const PROTOCOL_UDP = 17;

/** How many packets there were, and what became of them. */
export interface PacketCounts {
  readonly packets: number;
  readonly tcp: number;
  readonly udp: number;
  /** Packets that are neither, or cannot be used, by what they are: "ARP", "IPv4 fragment", "link type 105", ... */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Turns packets into conversations: TCP streams in order and UDP datagrams. Packets may come from several captures, one
 * after the other. `end` has to be called when there are no more.
 */
export class Network {
  readonly #listener: NetworkListener;
  readonly #limits: NetworkLimits;
  readonly #context: TcpContext;
  readonly #tcp = new ConversationTable<TcpConversation>();
  readonly #udp = new ConversationTable<TrackedConversation>();
  readonly #link = new LinkPayload();
  readonly #ip = new IpPacket();
  readonly #segment = new TcpSegment();
  readonly #datagram = new UdpDatagram();
  readonly #others = new Map<string, number>();
  #streams = 0;
  #packets = 0;
  #tcpPackets = 0;
  #udpPackets = 0;

  constructor(listener: NetworkListener, limits: NetworkLimits = networkLimits) {
    this.#listener = listener;
    this.#limits = limits;
    this.#context = { listener, limits, held: { bytes: 0 } };
  }

  /** The counts so far. */
  get counts(): PacketCounts {
    return { packets: this.#packets, tcp: this.#tcpPackets, udp: this.#udpPackets, others: this.#others };
  }

  /** Takes the next packet. */
  packet(packet: Packet): void {
    this.#packets++;
    const what =
      readLink(packet.linkType, packet.data, this.#link) ??
      readIp(this.#link.etherType, packet.data, this.#link.start, packet.originalLength, this.#ip) ??
      this.#transport(packet);
    if (what !== undefined) this.#others.set(what, (this.#others.get(what) ?? 0) + 1);
  }

  /** There are no more packets: ends all conversations. */
  end(): void {
    const open = [...this.#tcp, ...this.#udp].filter((conversation) => conversation.open);
    for (const conversation of open.sort((a, b) => a.stream - b.stream)) {
      this.#close(conversation, "capture-end");
    }
  }

  #transport(packet: Packet): string | undefined {
    switch (this.#ip.protocol) {
      case PROTOCOL_TCP:
        return readTcp(packet.data, this.#ip, this.#segment) ?? this.#takeSegment(packet);
      case PROTOCOL_UDP:
        return readUdp(packet.data, this.#ip, this.#datagram) ?? this.#takeDatagram(packet);
      default:
        return protocolName(this.#ip.protocol);
    }
  }

  #takeSegment(packet: Packet): string | undefined {
    const ip = this.#ip;
    const segment = this.#segment;
    const table = this.#tcp;
    let conversation = table.find(ip.source, segment.sourcePort, ip.destination, segment.destinationPort);
    let side = table.side;
    if (conversation?.isReplacedBy(side, segment)) {
      if (conversation.open) this.#close(conversation, "reused");
      table.remove(conversation);
      conversation = undefined;
    }
    if (conversation === undefined) {
      conversation = this.#openTcp(packet);
      side = 0;
    }
    conversation.count(side, packet);
    if (!conversation.open && conversation.isLate(side, segment)) return "TCP data after the end of its connection";
    this.#tcpPackets++;
    if (!conversation.open) return undefined;
    conversation.receive(side, segment, packet, originOf);
    const reason = conversation.over;
    if (reason !== undefined) this.#close(conversation, reason);
    return undefined;
  }

  #takeDatagram(packet: Packet): undefined {
    const ip = this.#ip;
    const datagram = this.#datagram;
    const table = this.#udp;
    let conversation = table.find(ip.source, datagram.sourcePort, ip.destination, datagram.destinationPort);
    let side = table.side;
    if (conversation === undefined) {
      conversation = this.#openUdp(packet);
      side = 0;
    }
    conversation.count(side, packet);
    this.#udpPackets++;
    const bytes = packet.data.subarray(datagram.payloadStart, datagram.payloadEnd);
    const direction = conversation.directionFrom(side);
    this.#listener.datagram(conversation, direction, bytes, datagram.missing, originOf(packet));
  }

  #openTcp(packet: Packet): TcpConversation {
    const { sourcePort, destinationPort, flags } = this.#segment;
    const isSyn = (flags & TcpFlag.syn) !== 0;
    // Who answers a SYN is the server; without a SYN nobody knows yet.
    const client: Side = isSyn && (flags & TcpFlag.ack) !== 0 ? 1 : 0;
    const sides = this.#sides(sourcePort, destinationPort);
    const origin = originOf(packet);
    this.#makeRoom(this.#tcp);
    const known = { side: client, isKnown: isSyn };
    const conversation = new TcpConversation(this.#streams++, sides, known, origin, this.#context);
    this.#tcp.add(conversation);
    this.#listener.opened(conversation, origin);
    return conversation;
  }

  #openUdp(packet: Packet): TrackedConversation {
    const { sourcePort, destinationPort } = this.#datagram;
    const sides = this.#sides(sourcePort, destinationPort);
    const origin = originOf(packet);
    this.#makeRoom(this.#udp);
    const client = { side: 0, isKnown: false } as const;
    const conversation = new TrackedConversation(this.#streams++, "udp", sides, client, origin);
    this.#udp.add(conversation);
    this.#listener.opened(conversation, origin);
    return conversation;
  }

  #sides(sourcePort: number, destinationPort: number): readonly [SideKey, SideKey] {
    return [new SideKey(this.#ip.source, sourcePort), new SideKey(this.#ip.destination, destinationPort)];
  }

  #makeRoom<T extends TrackedConversation>(table: ConversationTable<T>): void {
    const { oldest } = table;
    if (oldest === undefined || table.size < this.#limits.conversations) return;
    if (oldest.open) this.#close(oldest, "idle");
    table.remove(oldest);
  }

  #close(conversation: TrackedConversation, reason: EndReason): void {
    if (conversation instanceof TcpConversation) conversation.flush();
    conversation.open = false;
    this.#listener.closed(conversation, reason);
  }
}

/** Made per packet that brings something, because listeners may keep it, while the packet is used again. */
function originOf(packet: Packet): Origin {
  return { frame: packet.frame, seconds: packet.seconds, nanoseconds: packet.nanoseconds };
}
