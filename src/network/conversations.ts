import type { Packet } from "../capture/packet.js";
import type { LimitName, Limits } from "../limits.js";
import { type EndReason, type NetworkListener, type Origin, originOf } from "./conversation.js";
import { ConversationTable, Fit } from "./conversation-table.js";
import type { Encapsulations } from "./encapsulations.js";
import { DatagramMark } from "./ip/datagram-mark.js";
import type { IpPacket } from "./ip/ip.js";
import type { UdpDatagram } from "./ip/udp.js";
import { GracePeriods } from "./tcp/grace-periods.js";
import { RecentBytes } from "./tcp/stream/recent-bytes.js";
import { payloadLength, type SuspendedSegment, suspend } from "./tcp/suspended-segments.js";
import { TcpFlag, TcpSegment } from "./tcp/tcp.js";
import { type TcpContext, TcpConversation } from "./tcp/tcp-conversation.js";
import { AFTER_THE_END } from "./tcp/tcp-delivery.js";
import { type Beginning, otherSide, type Side, SideKey, type TrackedConversation } from "./tracked-conversation.js";
import { UdpConversation } from "./udp-conversation.js";
import type { UnacceptedCount } from "./unaccepted.js";

/** What a datagram is called that is recorded a second time. */
export const DUPLICATE = "UDP datagram recorded twice";

/** What a run wants of conversations. */
interface ConversationOptions {
  readonly limits: Limits;
  /** True to keep datagrams that are recorded a second time. */
  readonly keepsDuplicates: boolean;
  /** True to compare TCP bytes that come again with the first ones. */
  readonly comparesRepeats: boolean;
  /** Counts TCP payload that is in no stream. */
  readonly unaccepted: UnacceptedCount;
  /** Called when a conversation has to make room because of a limit. */
  readonly reached: (limit: LimitName) => void;
  /** Called for packets that were taken before, and turn out to belong to no conversation. */
  readonly leftOut: (what: string, packets: number) => void;
}

/** Passes segments and datagrams to the conversations they belong to, which it opens and closes. */
export class Conversations {
  readonly #listener: NetworkListener;
  readonly #limits: Limits;
  readonly #encapsulations: Encapsulations;
  readonly #reached: (limit: LimitName) => void;
  readonly #unseen: GracePeriods;
  readonly #resets: GracePeriods;
  readonly #context: TcpContext;
  readonly #tcp = new ConversationTable<TcpConversation>();
  readonly #udp = new ConversationTable<UdpConversation>();
  readonly #keepsDuplicates: boolean;
  readonly #unaccepted: UnacceptedCount;
  /** The current segment and datagram. */
  #segment = new TcpSegment();
  readonly #datagram = new DatagramMark();
  #streams = 0;
  /** Times of the current packet and of the one before, in whole seconds. */
  #seconds = 0;
  #lastSeconds = 0;

  constructor(listener: NetworkListener, encapsulations: Encapsulations, options: ConversationOptions) {
    const { limits, keepsDuplicates, comparesRepeats, unaccepted, reached, leftOut } = options;
    this.#listener = listener;
    this.#limits = limits;
    this.#encapsulations = encapsulations;
    this.#keepsDuplicates = keepsDuplicates;
    this.#unaccepted = unaccepted;
    this.#reached = reached;
    const { doubtPackets, doubtSeconds, resetSeconds, resetConnections } = limits;
    this.#unseen = new GracePeriods({ packets: doubtPackets, seconds: doubtSeconds });
    this.#resets = new GracePeriods({ seconds: resetSeconds, atOnce: resetConnections });
    const recent = comparesRepeats ? new RecentBytes(limits.recentBytes) : undefined;
    const settled = (conversation: TcpConversation): void => this.#closeIfOver(conversation);
    const [unseen, resets] = [this.#unseen, this.#resets];
    this.#context = { limits, queued: { bytes: 0, reached }, recent, unseen, resets, settled, leftOut };
  }

  /** Takes note of the time of a packet of any kind. */
  advanceClock(packet: Packet): void {
    this.#lastSeconds = this.#seconds;
    this.#seconds = packet.seconds;
    this.#unseen.advanceClock(packet);
    this.#resets.advanceClock(packet);
  }

  /**
   * Takes a segment.
   * @param origin called only for one with data or a FIN.
   * @returns undefined if it was taken, else what it is.
   */
  segment(ip: IpPacket, segment: TcpSegment, packet: Packet, origin: (packet: Packet) => Origin): string | undefined {
    const table = this.#tcp;
    this.#segment = segment;
    const { sourcePort, destinationPort } = segment;
    let conversation = table.find(ip.path, ip.source, sourcePort, ip.destination, destinationPort, this.#fitOfTcp);
    let side = table.side;
    let previous: TcpConversation | undefined;
    if (conversation !== undefined) {
      const belongs = conversation.belongs(side, segment);
      if (belongs === "attempt") {
        conversation.attempt(suspend(side, segment, ip.data, origin(packet)));
        return undefined;
      }
      if (belongs === "next") {
        previous = conversation;
        const [next, nextSide] = this.#followUp(conversation, side, segment, packet);
        conversation = next;
        side = nextSide;
      } else this.#notePath(conversation, side, ip.path);
    }
    if (conversation === undefined) {
      conversation = this.#openTcp(this.#sidesOf(ip, segment), segment.flags, originOf(packet), ip.path, packet);
      side = 0;
    }
    if (previous?.hasResetText === true) conversation.previous = previous;
    if (conversation.previous !== undefined) this.#goOnFromReset(conversation.previous, conversation, side);
    conversation.count(side, packet);
    if (!conversation.open && conversation.isLate(side, segment)) {
      this.#unaccepted.add(conversation.stream, payloadLength(segment));
      return AFTER_THE_END;
    }
    const isReset = (segment.flags & TcpFlag.rst) !== 0;
    if (isReset && conversation.isForeignReset(side, segment)) return "TCP reset that does not fit its connection";
    if (!conversation.open) return undefined;
    conversation.receive(side, segment, ip.data, packet, origin);
    this.#closeIfOver(conversation);
    return undefined;
  }

  /** Counts the payload of an RST from which the current segment goes on in another connection: both were damaged. */
  #goOnFromReset(previous: TcpConversation, conversation: TcpConversation, side: Side): void {
    const bytes = previous.countResetData(conversation.sides[side], this.#segment);
    this.#unaccepted.add(previous.stream, bytes);
    if (bytes > 0) conversation.previous = undefined;
  }

  readonly #fitOfTcp = (conversation: TcpConversation, side: Side): Fit => conversation.fit(side, this.#segment);

  /** Closes a connection that another one follows, and opens that if its beginning has come before. */
  #followUp(
    last: TcpConversation,
    side: Side,
    segment: TcpSegment,
    packet: Packet,
  ): readonly [TcpConversation | undefined, Side] {
    const attempted = last.takeAttempt(side, segment);
    if (last.open) this.#close(last, "reused");
    this.#tcp.remove(last);
    const [first] = attempted;
    if (first === undefined) return [undefined, 0];
    const one = last.sides[first.side];
    const other = last.sides[otherSide(first.side)];
    const sides = [new SideKey(one.address, one.port), new SideKey(other.address, other.port)] as const;
    const conversation = this.#openTcp(sides, first.segment.flags, first.origin, last.pathNumber, packet);
    const sideNow = (of: Side): Side => (of === first.side ? 0 : 1);
    for (const attempt of attempted) this.#replay(conversation, sideNow(attempt.side), attempt, packet);
    return [conversation, sideNow(side)];
  }

  #replay(
    conversation: TcpConversation,
    side: Side,
    { segment, payload, origin }: SuspendedSegment,
    now: Packet,
  ): void {
    conversation.count(side, origin);
    conversation.receive(side, segment, payload, now, () => origin);
  }

  /** Takes a datagram; returns undefined if it was taken, else what it is. */
  datagram(
    ip: IpPacket,
    datagram: UdpDatagram,
    packet: Packet,
    origin: (packet: Packet) => Origin,
  ): string | undefined {
    const table = this.#udp;
    const { sourcePort, destinationPort } = datagram;
    const mark = this.#datagram;
    mark.set(ip, datagram, packet);
    let conversation = table.find(ip.path, ip.source, sourcePort, ip.destination, destinationPort, this.#fitOfUdp);
    let side = table.side;
    if (conversation === undefined) {
      conversation = this.#openUdp(this.#sidesOf(ip, datagram), ip.path, packet);
      side = 0;
    } else this.#notePath(conversation, side, ip.path);
    if (!this.#keepsDuplicates && conversation.isCopy(side, mark)) return DUPLICATE;
    conversation.keep(side, mark);
    conversation.count(side, packet);
    const bytes = ip.data.subarray(datagram.payloadStart, datagram.payloadEnd);
    conversation.countPayload(side, bytes.length, datagram.missing);
    conversation.listener.datagram(conversation.directionFrom(side), bytes, datagram.missing, origin(packet));
    return undefined;
  }

  readonly #fitOfUdp = (conversation: UdpConversation, side: Side): Fit =>
    conversation.fits(side, this.#datagram) ? Fit.yes : Fit.no;

  #notePath(conversation: TrackedConversation, side: Side, path: number): void {
    if (!conversation.hasPath(side, path))
      conversation.addPath(side, { number: path, text: this.#encapsulations.text(path) });
  }

  /** Closes all conversations: there are no more packets. */
  end(): void {
    const open = [...this.#tcp, ...this.#udp].filter((conversation) => conversation.open);
    open.sort((a, b) => a.stream - b.stream);
    // What waits in any of them came before the end of all.
    for (const conversation of open) {
      this.#listener.ending?.();
      if (conversation instanceof TcpConversation) conversation.flush();
    }
    for (const conversation of open) {
      this.#listener.ending?.();
      this.#close(conversation, "capture-end");
    }
  }

  #openTcp(sides: Beginning["sides"], flags: number, first: Origin, path: number, packet: Packet): TcpConversation {
    const isSyn = (flags & TcpFlag.syn) !== 0;
    // The side that answers a SYN is the server; without a SYN, the server is not known yet.
    const client: Side = isSyn && (flags & TcpFlag.ack) !== 0 ? 1 : 0;
    this.#makeRoom(this.#tcp, packet);
    const beginning = this.#beginning(sides, first, path, { side: client, isKnown: isSyn });
    const conversation = new TcpConversation(beginning, this.#context);
    this.#add(this.#tcp, conversation);
    return conversation;
  }

  #openUdp(sides: Beginning["sides"], path: number, packet: Packet): UdpConversation {
    this.#makeRoom(this.#udp, packet);
    const beginning = this.#beginning(sides, originOf(packet), path, { side: 0, isKnown: false });
    const conversation = new UdpConversation(beginning);
    this.#add(this.#udp, conversation);
    return conversation;
  }

  #add<T extends TrackedConversation>(table: ConversationTable<T>, conversation: T): void {
    const twins = table.twinsOf(conversation);
    const oldest = twins.at(-1);
    if (oldest !== undefined && twins.length >= this.#limits.twinConversations) {
      if (oldest.open) {
        this.#reached("twinConversations");
        this.#close(oldest, "reused");
      }
      table.remove(oldest);
    }
    table.add(conversation);
    conversation.listener = this.#listener.opened(conversation, conversation.first, conversation);
  }

  #sidesOf(
    { source, destination }: IpPacket,
    { sourcePort, destinationPort }: TcpSegment | UdpDatagram,
  ): Beginning["sides"] {
    return [new SideKey(source, sourcePort), new SideKey(destination, destinationPort)];
  }

  #beginning(sides: Beginning["sides"], first: Origin, path: number, client: Beginning["client"]): Beginning {
    return {
      stream: this.#streams++,
      sides,
      path: { number: path, text: this.#encapsulations.text(path) },
      client,
      first,
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
        const isReset = oldest instanceof TcpConversation && oldest.isReset;
        if (isFull && !isReset) this.#reached("conversations");
        this.#close(oldest, "idle");
      }
      table.remove(oldest);
    }
  }

  #closeIfOver(conversation: TcpConversation): void {
    const reason = conversation.over;
    if (conversation.open && reason !== undefined) this.#close(conversation, reason);
  }

  #close(conversation: TrackedConversation, reason: EndReason): void {
    let known = reason;
    if (conversation instanceof TcpConversation) {
      conversation.flush();
      conversation.previous = undefined;
      // Its end may have been waiting for missing bytes.
      known = conversation.over ?? reason;
      this.#unaccepted.add(conversation.stream, conversation.unacceptedFrom(0) + conversation.unacceptedFrom(1));
    }
    conversation.open = false;
    conversation.listener.closed(known, conversation.endedBy);
  }
}
