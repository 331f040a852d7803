import type { Packet } from "../capture/packet.js";
import { defaultLimits, LimitCounts, type LimitName, type Limits } from "../limits.js";
import { checkIpv4, checkTransport } from "./checksums.js";
import type { ChecksumNote, EndReason, NetworkListener, Origin } from "./conversation.js";
import { ConversationTable } from "./conversation-table.js";
import { Doubts } from "./doubts.js";
import { readEthernet, readEtherType } from "./ethernet.js";
import { Fragments } from "./fragments.js";
import { IpPacket, IpProtocol, readIp, readReassembled } from "./ip.js";
import { readLink } from "./link.js";
import { EtherType, LinkPayload } from "./link-payload.js";
import { protocolName } from "./names.js";
import { Paths, TOO_MANY_PATHS, TOO_MANY_PATHS_TEXT } from "./paths.js";
import { readPpp } from "./ppp.js";
import { RecentBytes } from "./recent-bytes.js";
import { readTcp, TcpFlag, TcpSegment } from "./tcp.js";
import { type TcpContext, TcpConversation } from "./tcp-conversation.js";
import { type Beginning, type Side, SideKey, TrackedConversation } from "./tracked-conversation.js";
import { PPP, readIpTunnel, readUdpTunnel, Tunnelled } from "./tunnels.js";
import { readUdp, UdpDatagram } from "./udp.js";

/** How many checksums of a layer do not fit. */
export interface ChecksumCounts {
  wrong: number;
  /** Left to the network card: the packet was captured where it was sent, before the card had filled it in. */
  offloaded: number;
}

/** How many packets there were, and what became of them. */
export interface PacketCounts {
  readonly packets: number;
  readonly tcp: number;
  readonly udp: number;
  /** Packets of which the capture does not hold all bytes. */
  readonly cut: number;
  /**
   * Packets that are neither, or cannot be used, by what they are: "ARP", "ICMP", "link type 195", ... Fragments that
   * wait for others are not in there before the end.
   */
  readonly others: ReadonlyMap<string, number>;
  /** Checksums that do not fit, by layer, where checksums are verified. */
  readonly checksums: ReadonlyMap<ChecksumNote["layer"], Readonly<ChecksumCounts>>;
  /** How often something was given up because of a limit, by the name of the limit. */
  readonly limits: ReadonlyMap<LimitName, number>;
}

/** What the network room may be told. */
export interface NetworkOptions {
  readonly limits?: Limits;
  /** Verify the checksums of IPv4, TCP and UDP. */
  readonly checksums?: boolean | undefined;
  /** Where it is counted what is given up because of a limit. */
  readonly limitCounts?: LimitCounts;
}

/**
 * Turns packets into conversations: TCP streams in order and UDP datagrams. Packets may come from several captures, one
 * after the other. `end` has to be called when there are no more.
 */
export class Network {
  readonly #listener: NetworkListener;
  readonly #limits: Limits;
  readonly #verifies: boolean;
  readonly #context: TcpContext;
  readonly #tcp = new ConversationTable<TcpConversation>();
  readonly #udp = new ConversationTable<TrackedConversation>();
  readonly #paths: Paths;
  readonly #fragments: Fragments;
  readonly #link: LinkPayload;
  readonly #ip = new IpPacket();
  readonly #tunnelled = new Tunnelled();
  readonly #segment = new TcpSegment();
  readonly #datagram = new UdpDatagram();
  readonly #others = new Map<string, number>();
  readonly #checksums = new Map<ChecksumNote["layer"], ChecksumCounts>();
  readonly #doubts: Doubts;
  readonly #limitCounts: LimitCounts;
  /** What is wrong with the checksums of the current packet. */
  #notes: ChecksumNote[] = [];
  /** Time of the packet before, in whole seconds. */
  #lastSeconds = 0;
  #streams = 0;
  #packets = 0;
  #tcpPackets = 0;
  #udpPackets = 0;
  #cutPackets = 0;

  constructor(listener: NetworkListener, options: NetworkOptions = {}) {
    const { limits = defaultLimits, checksums = false, limitCounts = new LimitCounts() } = options;
    this.#listener = listener;
    this.#limits = limits;
    this.#verifies = checksums;
    this.#limitCounts = limitCounts;
    const { reached } = limitCounts;
    this.#paths = new Paths(limits.paths, reached);
    this.#link = new LinkPayload(limits.frames, reached);
    this.#fragments = new Fragments(limits, (what, packets) => this.#count(what, packets), reached);
    const recent = listener.conflict === undefined ? undefined : new RecentBytes(limits.recentBytes);
    this.#doubts = new Doubts(limits);
    const settled = (conversation: TcpConversation): void => this.#closeIfOver(conversation);
    this.#context = { listener, limits, held: { bytes: 0, reached }, recent, doubts: this.#doubts, settled };
  }

  /** The counts so far. */
  get counts(): PacketCounts {
    return {
      packets: this.#packets,
      tcp: this.#tcpPackets,
      udp: this.#udpPackets,
      cut: this.#cutPackets,
      others: this.#others,
      checksums: this.#checksums,
      limits: this.#limitCounts.counts,
    };
  }

  /** Takes the next packet. */
  packet(packet: Packet): void {
    this.#packets++;
    this.#doubts.pass(packet);
    if (this.#verifies && this.#notes.length > 0) this.#notes = [];
    const { data, originalLength } = packet;
    if (data.length < originalLength) this.#cutPackets++;
    const what =
      readLink(packet.linkType, data, this.#paths, this.#link) ?? this.#internet(packet, data, originalLength, 0);
    if (what !== undefined) this.#count(what, 1);
    this.#lastSeconds = packet.seconds;
  }

  /** There are no more packets: ends all conversations. */
  end(): void {
    this.#fragments.end();
    const open = [...this.#tcp, ...this.#udp].filter((conversation) => conversation.open);
    for (const conversation of open.sort((a, b) => a.stream - b.stream)) {
      this.#close(conversation, "capture-end");
    }
  }

  #count(what: string, packets: number): void {
    const isNew = !this.#others.has(what);
    const name = isNew && this.#others.size >= this.#limits.packetKinds ? "other packets" : what;
    this.#others.set(name, (this.#others.get(name) ?? 0) + packets);
  }

  /**
   * Takes what the link layer carries.
   * @param data where `#link` says that there is an IP header.
   * @param length of `data` on the wire.
   * @param depth number of tunnels around it.
   * @returns undefined if it was taken or waits for others, else what it is.
   */
  #internet(packet: Packet, data: Uint8Array, length: number, depth: number): string | undefined {
    const ip = this.#ip;
    const link = this.#link;
    let what = readIp(link.etherType, data, link.start, length, ip);
    if (what !== undefined) return what;
    ip.path = link.path;
    if (this.#verifies && ip.source.version === 4) this.#note(checkIpv4(ip), packet);
    while (ip.isFragment) {
      if (!this.#fragments.take(ip, packet.seconds)) return undefined;
      what = readReassembled(ip);
      if (what !== undefined) return what;
    }
    switch (ip.protocol) {
      case IpProtocol.tcp:
        return readTcp(ip, this.#segment) ?? this.#takeSegment(packet);
      case IpProtocol.udp:
        return readUdp(ip, this.#datagram) ?? this.#takeDatagram(packet, depth);
      default:
        if (!readIpTunnel(ip, this.#tunnelled)) return protocolName(ip.protocol);
        return this.#enter(packet, ip.payloadEnd, ip.missing, depth);
    }
  }

  /** Takes what is in a tunnel, up to `end` and `missing` bytes that were not captured. */
  #enter(packet: Packet, end: number, missing: number, depth: number): string | undefined {
    const ip = this.#ip;
    const link = this.#link;
    const { etherType, start, passage, number, obstacle } = this.#tunnelled;
    if (obstacle !== "") return obstacle;
    if (depth >= this.#limits.tunnels) {
      this.#limitCounts.reached("tunnels");
      return "tunnels in too many tunnels";
    }
    link.path = this.#paths.between(ip.path, passage, number, ip.source, ip.destination);
    if (link.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
    const data = ip.data.subarray(start, end);
    return this.#readInner(etherType, data) ?? this.#internet(packet, data, end + missing - start, depth + 1);
  }

  #readInner(etherType: number, data: Uint8Array): string | undefined {
    const paths = this.#paths;
    const link = this.#link;
    if (etherType === EtherType.transparentEthernet) return readEthernet(data, 0, paths, link);
    return etherType === PPP ? readPpp(data, 0, paths, link) : readEtherType(data, 0, etherType, paths, link);
  }

  #takeSegment(packet: Packet): string | undefined {
    const ip = this.#ip;
    const segment = this.#segment;
    const table = this.#tcp;
    if (this.#verifies && ip.missing === 0) this.#note(checkTransport(ip, ip.payloadEnd), packet);
    let conversation = table.find(ip.path, ip.source, segment.sourcePort, ip.destination, segment.destinationPort);
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
    const isReset = (segment.flags & TcpFlag.rst) !== 0;
    if (isReset && conversation.isForeignReset(side, segment)) return "TCP reset that does not fit its connection";
    this.#tcpPackets++;
    if (!conversation.open) return undefined;
    conversation.receive(side, segment, ip.data, packet, this.#verifies ? this.#notedOrigin : originOf);
    this.#closeIfOver(conversation);
    return undefined;
  }

  #takeDatagram(packet: Packet, depth: number): string | undefined {
    const ip = this.#ip;
    const datagram = this.#datagram;
    const table = this.#udp;
    if (this.#verifies && datagram.missing === 0) this.#note(checkTransport(ip, datagram.payloadEnd), packet);
    if (readUdpTunnel(ip.data, datagram, this.#tunnelled)) {
      return this.#enter(packet, datagram.payloadEnd, datagram.missing, depth);
    }
    let conversation = table.find(ip.path, ip.source, datagram.sourcePort, ip.destination, datagram.destinationPort);
    let side = table.side;
    if (conversation === undefined) {
      conversation = this.#openUdp(packet);
      side = 0;
    }
    conversation.count(side, packet);
    this.#udpPackets++;
    const bytes = ip.data.subarray(datagram.payloadStart, datagram.payloadEnd);
    const direction = conversation.directionFrom(side);
    const origin = this.#verifies ? this.#notedOrigin(packet) : originOf(packet);
    this.#listener.datagram(conversation, direction, bytes, datagram.missing, origin);
    return undefined;
  }

  #openTcp(packet: Packet): TcpConversation {
    const { sourcePort, destinationPort, flags } = this.#segment;
    const isSyn = (flags & TcpFlag.syn) !== 0;
    // Who answers a SYN is the server; without a SYN it is not known yet.
    const client: Side = isSyn && (flags & TcpFlag.ack) !== 0 ? 1 : 0;
    this.#makeRoom(this.#tcp, packet);
    const beginning = this.#beginning(packet, sourcePort, destinationPort, { side: client, isKnown: isSyn });
    const conversation = new TcpConversation(beginning, this.#context);
    this.#tcp.add(conversation);
    this.#listener.opened(conversation, beginning.first);
    return conversation;
  }

  #openUdp(packet: Packet): TrackedConversation {
    const { sourcePort, destinationPort } = this.#datagram;
    this.#makeRoom(this.#udp, packet);
    const beginning = this.#beginning(packet, sourcePort, destinationPort, { side: 0, isKnown: false });
    const conversation = new TrackedConversation("udp", beginning);
    this.#udp.add(conversation);
    this.#listener.opened(conversation, beginning.first);
    return conversation;
  }

  #beginning(packet: Packet, sourcePort: number, destinationPort: number, client: Beginning["client"]): Beginning {
    const { source, destination, path } = this.#ip;
    return {
      stream: this.#streams++,
      sides: [new SideKey(source, sourcePort), new SideKey(destination, destinationPort)],
      pathNumber: path,
      path: this.#paths.text(path),
      client,
      first: originOf(packet),
    };
  }

  /** Lets go of conversations that were silent for long, or of the one that was for longest if there are too many. */
  #makeRoom<T extends TrackedConversation>(table: ConversationTable<T>, packet: Packet): void {
    const { conversations, idleSeconds } = this.#limits;
    // Of two packets: a single one that is dated wrong must not end everything.
    const seconds = Math.min(packet.seconds, this.#lastSeconds);
    for (let oldest = table.oldest; oldest !== undefined; oldest = table.oldest) {
      const isFull = table.size >= conversations;
      if (!isFull && seconds - oldest.lastSeconds <= idleSeconds) return;
      if (oldest.open) {
        if (isFull) this.#limitCounts.reached("conversations");
        this.#close(oldest, "idle");
      }
      table.remove(oldest);
    }
  }

  #closeIfOver(conversation: TcpConversation): void {
    const reason = conversation.over;
    if (reason !== undefined) this.#close(conversation, reason);
  }

  #close(conversation: TrackedConversation, reason: EndReason): void {
    if (conversation instanceof TcpConversation) conversation.flush();
    conversation.open = false;
    this.#listener.closed(conversation, reason);
  }

  #note(note: ChecksumNote | undefined, packet: Packet): void {
    if (note === undefined) return;
    const counts = this.#checksums.get(note.layer) ?? { wrong: 0, offloaded: 0 };
    this.#checksums.set(note.layer, counts);
    counts[note.isOffloaded ? "offloaded" : "wrong"]++;
    this.#notes.push(note);
    this.#listener.checksum?.(note, originOf(packet));
  }

  readonly #notedOrigin = (packet: Packet): Origin =>
    this.#notes.length === 0 ? originOf(packet) : { ...originOf(packet), checksums: this.#notes };
}

/** Made per packet that brings something, because listeners may keep it, while the packet is used again. */
function originOf(packet: Packet): Origin {
  return { frame: packet.frame, seconds: packet.seconds, nanoseconds: packet.nanoseconds };
}
