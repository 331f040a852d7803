import type { Packet } from "../capture/packet.js";
import { defaultLimits, LimitCounts, type LimitName, type Limits } from "../limits.js";
import {
  type CarriedEnds,
  type ChecksumNote,
  type NetworkListener,
  type Origin,
  originOf,
  type Transport,
} from "./conversation.js";
import { Conversations } from "./conversations.js";
import { Encapsulations, TOO_MANY_PATHS, TOO_MANY_PATHS_TEXT } from "./encapsulations.js";
import { checkIpv4, checkTransport } from "./ip/checksums.js";
import { Fragments } from "./ip/fragments.js";
import { IpPacket, IpProtocol, readIp, readReassembled } from "./ip/ip.js";
import { readUdp, UdpDatagram } from "./ip/udp.js";
import { readEtherType } from "./link/ethernet.js";
import { readLink } from "./link/link.js";
import { LinkPayload } from "./link/link-payload.js";
import { Tunnelled } from "./link/tunnelled.js";
import { protocolName } from "./names.js";
import { readTcp, TcpSegment } from "./tcp/tcp.js";
import { readIpTunnel, readUdpTunnel } from "./tunnel/tunnels.js";
import { type Unaccepted, UnacceptedCount } from "./unaccepted.js";

/** How many checksums of a layer do not match. */
export interface ChecksumCounts {
  wrong: number;
  /** Left to the network card: the packet was captured on the sending machine before the card filled it in. */
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
   * Packets that are neither TCP nor UDP, or cannot be used, by what they are: "ARP", "ICMP", "IEEE 802.15.4 (link type
   * 195)", ...
   * Fragments that wait for others are not included before the end.
   */
  readonly others: ReadonlyMap<string, number>;
  /** Checksums that do not match, by layer, where checksums are verified. */
  readonly checksums: ReadonlyMap<ChecksumNote["layer"], Readonly<ChecksumCounts>>;
  /** TCP payload that is in no stream. Complete only once all conversations have ended. */
  readonly unaccepted: Unaccepted;
  /** How often something was given up because of a limit, by the name of the limit. */
  readonly limits: ReadonlyMap<LimitName, number>;
}

interface NetworkOptions {
  readonly limits?: Limits;
  /** Verify the checksums of IPv4, TCP and UDP. */
  readonly checksums?: boolean | undefined;
  /** Keep datagrams that are recorded a second time, on another interface or path. */
  readonly keepsDuplicates?: boolean | undefined;
  /** Compare TCP bytes that come again with the first ones, and report those that differ. */
  readonly comparesRepeats?: boolean | undefined;
  /** Counts what is given up because of a limit. */
  readonly limitCounts?: LimitCounts;
}

type Ports = Pick<CarriedEnds, "sourcePort" | "destinationPort">;

const NO_PORTS: Ports = { sourcePort: 0, destinationPort: 0 };

/**
 * Turns packets into conversations: TCP streams in order and UDP datagrams. Packets may come from several captures, one
 * after the other. `end` has to be called when there are no more.
 */
export class Network {
  readonly #listener: NetworkListener;
  readonly #limits: Limits;
  readonly #verifies: boolean;
  /** Makes the origin of a packet, with its wrong checksums where checksums are verified. */
  readonly #origin: (packet: Packet) => Origin;
  readonly #conversations: Conversations;
  readonly #encapsulations: Encapsulations;
  readonly #fragments: Fragments;
  readonly #link: LinkPayload;
  readonly #ip = new IpPacket();
  readonly #tunnelled = new Tunnelled();
  readonly #segment = new TcpSegment();
  readonly #datagram = new UdpDatagram();
  readonly #others = new Map<string, number>();
  readonly #checksums = new Map<ChecksumNote["layer"], ChecksumCounts>();
  readonly #limitCounts: LimitCounts;
  readonly #unaccepted = new UnacceptedCount();
  /** The wrong checksums of the current packet. */
  #notes: ChecksumNote[] = [];
  #packets = 0;
  #tcpPackets = 0;
  #udpPackets = 0;
  #cutPackets = 0;

  constructor(listener: NetworkListener, options: NetworkOptions = {}) {
    const {
      limits = defaultLimits,
      checksums = false,
      keepsDuplicates = false,
      comparesRepeats = false,
      limitCounts = new LimitCounts(),
    } = options;
    this.#listener = listener;
    this.#limits = limits;
    this.#verifies = checksums;
    this.#origin = checksums ? (packet) => this.#notedOrigin(packet) : originOf;
    this.#limitCounts = limitCounts;
    const { reached } = limitCounts;
    this.#encapsulations = new Encapsulations(limits.paths, reached);
    this.#link = new LinkPayload(limits, reached);
    this.#fragments = new Fragments(limits, (what, packets) => this.#count(what, packets), reached);
    const unaccepted = this.#unaccepted;
    const leftOut = (what: string, packets: number): void => {
      this.#tcpPackets -= packets;
      this.#count(what, packets);
    };
    this.#conversations = new Conversations(listener, this.#encapsulations, {
      limits,
      keepsDuplicates,
      comparesRepeats,
      unaccepted,
      reached,
      leftOut,
    });
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
      unaccepted: this.#unaccepted,
      limits: this.#limitCounts.counts,
    };
  }

  /** Takes the next packet. */
  packet(packet: Packet): void {
    if (this.#packets++ === 0) this.#listener.began?.(originOf(packet));
    this.#conversations.advanceClock(packet);
    this.#listener.arrives?.();
    if (this.#verifies && this.#notes.length > 0) this.#notes = [];
    const { data, originalLength } = packet;
    if (data.length < originalLength) this.#cutPackets++;
    this.#link.begin(data, originalLength);
    const what = readLink(packet.linkType, this.#encapsulations, this.#link) ?? this.#internet(packet, 0);
    if (what !== undefined) this.#count(what, 1);
  }

  /** Ends all conversations: there are no more packets. */
  end(): void {
    this.#fragments.end();
    this.#conversations.end();
    this.#listener.ended?.();
  }

  #count(what: string, packets: number): void {
    const isNew = !this.#others.has(what);
    const name = isNew && this.#others.size >= this.#limits.packetKinds ? "other packets" : what;
    this.#others.set(name, (this.#others.get(name) ?? 0) + packets);
  }

  /**
   * Takes what the link layer carries: `#link` says where its IP header is.
   * @param depth number of tunnels around it.
   * @returns undefined if it was taken or waits for others, else what it is.
   */
  #internet(packet: Packet, depth: number): string | undefined {
    const ip = this.#ip;
    const link = this.#link;
    const { data } = link;
    let what = readIp(link, ip);
    if (what !== undefined) return what;
    ip.path = link.path;
    if (this.#verifies && ip.source.version === 4) this.#note(checkIpv4(data, link.start), packet);
    while (ip.isFragment) {
      this.#carries("fragment", NO_PORTS, packet);
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

  /** Takes the content of a tunnel, up to `end`, followed by `missing` bytes that were not captured. */
  #enter(packet: Packet, end: number, missing: number, depth: number): string | undefined {
    const ip = this.#ip;
    const link = this.#link;
    const tunnelled = this.#tunnelled;
    const { etherType, linkType, start, encapsulation, number, obstacle } = tunnelled;
    if (obstacle !== "") return obstacle;
    if (depth >= this.#limits.tunnels) {
      this.#limitCounts.reached("tunnels");
      return "too many nested tunnels";
    }
    link.path = this.#encapsulations.between(ip.path, encapsulation, number, ip.source, ip.destination);
    if (link.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
    const wireEnd = Math.min(end + missing, tunnelled.end);
    const data = ip.data.subarray(start, Math.min(end, wireEnd));
    const frameEnd = ip.data === link.data ? link.frameLength : wireEnd;
    link.enter(data, Math.max(wireEnd - start, tunnelled.originalLength), frameEnd - start);
    const encapsulations = this.#encapsulations;
    const what =
      etherType === 0 ? readLink(linkType, encapsulations, link) : readEtherType(0, etherType, encapsulations, link);
    return what ?? this.#internet(packet, depth + 1);
  }

  #takeSegment(packet: Packet): string | undefined {
    const ip = this.#ip;
    if (this.#verifies && ip.missing === 0) this.#note(checkTransport(ip, ip.payloadEnd), packet);
    this.#carries("tcp", this.#segment, packet);
    const what = this.#conversations.segment(ip, this.#segment, packet, this.#origin);
    if (what === undefined) this.#tcpPackets++;
    return what;
  }

  #takeDatagram(packet: Packet, depth: number): string | undefined {
    const ip = this.#ip;
    const datagram = this.#datagram;
    if (this.#verifies && datagram.missing === 0) this.#note(checkTransport(ip, datagram.payloadEnd), packet);
    if (readUdpTunnel(ip.data, datagram, this.#tunnelled)) {
      return this.#enter(packet, datagram.payloadEnd, datagram.missing, depth);
    }
    this.#carries("udp", datagram, packet);
    const what = this.#conversations.datagram(ip, datagram, packet, this.#origin);
    if (what === undefined) this.#udpPackets++;
    return what;
  }

  #carries(what: Transport | "fragment", ports: Ports, packet: Packet): void {
    const listener = this.#listener;
    if (listener.carries === undefined) return;
    const { source, destination } = this.#ip;
    const { sourcePort, destinationPort } = ports;
    listener.carries(what, { source, destination, sourcePort, destinationPort }, packet);
  }

  #note(note: ChecksumNote | undefined, packet: Packet): void {
    if (note === undefined) return;
    const counts = this.#checksums.get(note.layer) ?? { wrong: 0, offloaded: 0 };
    this.#checksums.set(note.layer, counts);
    counts[note.isOffloaded ? "offloaded" : "wrong"]++;
    this.#notes.push(note);
    this.#listener.checksum?.(note, originOf(packet));
  }

  #notedOrigin(packet: Packet): Origin {
    return this.#notes.length === 0 ? originOf(packet) : { ...originOf(packet), checksums: this.#notes };
  }
}
