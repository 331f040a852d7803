import type { Packet } from "../capture/packet.js";
import type { LimitName, Limits } from "../limits.js";
import { type EndReason, type Origin, originOf, type TurningListener } from "./conversation.js";
import { ConversationTable } from "./conversation-table.js";
import { Doubts } from "./doubts.js";
import type { IpPacket } from "./ip.js";
import type { Paths } from "./paths.js";
import { RecentBytes } from "./recent-bytes.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import { type TcpContext, TcpConversation } from "./tcp-conversation.js";
import { type Beginning, type Side, SideKey, TrackedConversation } from "./tracked-conversation.js";
import type { UdpDatagram } from "./udp.js";

/** Passes segments and datagrams to the conversations they belong to, which it opens and closes. */
export class Conversations {
  readonly #listener: TurningListener;
  readonly #limits: Limits;
  readonly #paths: Paths;
  readonly #reached: (limit: LimitName) => void;
  readonly #doubts: Doubts;
  readonly #context: TcpContext;
  readonly #tcp = new ConversationTable<TcpConversation>();
  readonly #udp = new ConversationTable<TrackedConversation>();
  #streams = 0;
  /** Times of the current packet and of the one before, in whole seconds. */
  #seconds = 0;
  #lastSeconds = 0;

  /** @param reached called when a conversation has to make room because of a limit. */
  constructor(listener: TurningListener, limits: Limits, paths: Paths, reached: (limit: LimitName) => void) {
    this.#listener = listener;
    this.#limits = limits;
    this.#paths = paths;
    this.#reached = reached;
    this.#doubts = new Doubts(limits);
    const recent = listener.conflict === undefined ? undefined : new RecentBytes(limits.recentBytes);
    const settled = (conversation: TcpConversation): void => this.#closeIfOver(conversation);
    this.#context = { listener, limits, held: { bytes: 0, reached }, recent, doubts: this.#doubts, settled };
  }

  /** Takes note of a packet of any kind: time has passed. */
  pass(packet: Packet): void {
    this.#lastSeconds = this.#seconds;
    this.#seconds = packet.seconds;
    this.#doubts.pass(packet);
  }

  /**
   * Takes a segment.
   * @param origin called only for one with data or a FIN.
   * @returns undefined if it was taken, else what it is.
   */
  segment(ip: IpPacket, segment: TcpSegment, packet: Packet, origin: (packet: Packet) => Origin): string | undefined {
    const table = this.#tcp;
    let conversation = table.find(ip.path, ip.source, segment.sourcePort, ip.destination, segment.destinationPort);
    let side = table.side;
    if (conversation?.isReplacedBy(side, segment)) {
      if (conversation.open) this.#close(conversation, "reused");
      table.remove(conversation);
      conversation = undefined;
    }
    if (conversation === undefined) {
      conversation = this.#openTcp(ip, segment, packet);
      side = 0;
    }
    conversation.count(side, packet);
    if (!conversation.open && conversation.isLate(side, segment)) return "TCP data after the end of its connection";
    const isReset = (segment.flags & TcpFlag.rst) !== 0;
    if (isReset && conversation.isForeignReset(side, segment)) return "TCP reset that does not fit its connection";
    if (!conversation.open) return undefined;
    conversation.receive(side, segment, ip.data, packet, origin);
    this.#closeIfOver(conversation);
    return undefined;
  }

  /** Takes a datagram. */
  datagram(ip: IpPacket, datagram: UdpDatagram, packet: Packet, origin: (packet: Packet) => Origin): void {
    const table = this.#udp;
    let conversation = table.find(ip.path, ip.source, datagram.sourcePort, ip.destination, datagram.destinationPort);
    let side = table.side;
    if (conversation === undefined) {
      conversation = this.#openUdp(ip, datagram, packet);
      side = 0;
    }
    conversation.count(side, packet);
    const bytes = ip.data.subarray(datagram.payloadStart, datagram.payloadEnd);
    const direction = conversation.directionFrom(side);
    this.#listener.datagram(conversation, direction, bytes, datagram.missing, origin(packet));
  }

  /** Closes all conversations: there are no more packets. */
  end(): void {
    const open = [...this.#tcp, ...this.#udp].filter((conversation) => conversation.open);
    open.sort((a, b) => a.stream - b.stream);
    // What waits in any of them came before the end of all.
    for (const conversation of open) {
      if (conversation instanceof TcpConversation) conversation.flush();
    }
    for (const conversation of open) this.#close(conversation, "capture-end");
  }

  #openTcp(ip: IpPacket, segment: TcpSegment, packet: Packet): TcpConversation {
    const { flags } = segment;
    const isSyn = (flags & TcpFlag.syn) !== 0;
    // The side that answers a SYN is the server; without a SYN, the server is not known yet.
    const client: Side = isSyn && (flags & TcpFlag.ack) !== 0 ? 1 : 0;
    this.#makeRoom(this.#tcp, packet);
    const beginning = this.#beginning(ip, segment, packet, { side: client, isKnown: isSyn });
    const conversation = new TcpConversation(beginning, this.#context);
    this.#tcp.add(conversation);
    this.#listener.opened(conversation, beginning.first);
    return conversation;
  }

  #openUdp(ip: IpPacket, datagram: UdpDatagram, packet: Packet): TrackedConversation {
    this.#makeRoom(this.#udp, packet);
    const beginning = this.#beginning(ip, datagram, packet, { side: 0, isKnown: false });
    const conversation = new TrackedConversation("udp", beginning);
    this.#udp.add(conversation);
    this.#listener.opened(conversation, beginning.first);
    return conversation;
  }

  #beginning(
    { source, destination, path }: IpPacket,
    { sourcePort, destinationPort }: TcpSegment | UdpDatagram,
    packet: Packet,
    client: Beginning["client"],
  ): Beginning {
    return {
      stream: this.#streams++,
      sides: [new SideKey(source, sourcePort), new SideKey(destination, destinationPort)],
      pathNumber: path,
      path: this.#paths.text(path),
      client,
      first: originOf(packet),
    };
  }

  /** Drops conversations that have long been idle, or the one idle longest if there are too many. */
  #makeRoom<T extends TrackedConversation>(table: ConversationTable<T>, packet: Packet): void {
    const { conversations, idleSeconds } = this.#limits;
    // The earlier of two packets: a single one with a wrong time must not end everything.
    const seconds = Math.min(packet.seconds, this.#lastSeconds);
    for (let oldest = table.oldest; oldest !== undefined; oldest = table.oldest) {
      const isFull = table.size >= conversations;
      if (!isFull && seconds - oldest.lastSeconds <= idleSeconds) return;
      if (oldest.open) {
        if (isFull) this.#reached("conversations");
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
    let known = reason;
    if (conversation instanceof TcpConversation) {
      conversation.flush();
      // Its end may have been waiting for missing bytes.
      known = conversation.over ?? reason;
    }
    conversation.open = false;
    this.#listener.closed(conversation, known, conversation.endedBy);
  }
}
