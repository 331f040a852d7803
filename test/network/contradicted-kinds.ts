import { type Address, Flag, TcpTalk, text } from "../support/packets.js";

/** Segments of a connection that its other end did not accept. */

export const CLIENT: Address = ["10.0.0.1", 4000];
export const SERVER: Address = ["10.0.0.2", 14617];
export const ENDS: readonly (readonly [Address, Address])[] = [
  [CLIENT, SERVER],
  [
    ["fd00::1", 4000],
    ["fd00::2", 14617],
  ],
];

/** How a connection that asks and answers a few times differs; `between` is recorded after the first answer. */
export interface Difference {
  readonly handshake?: (tcp: TcpTalk, usual: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly between?: (tcp: TcpTalk) => readonly Uint8Array[];
}

/** A kind of them, in the words of the table. */
export interface Kind extends Difference {
  readonly name: string;
  /** The section that decides. */
  readonly source: string;
}

/** A copy of a packet with another sequence number. */
export function renumbered(packet: Uint8Array, change: number): Uint8Array {
  const copy = packet.slice();
  const view = new DataView(copy.buffer);
  const at = (copy[0] ?? 0) >>> 4 === 6 ? 44 : 24;
  view.setUint32(at, (view.getUint32(at) + change) >>> 0);
  return copy;
}

export const foreign = (side: 0 | 1) => (side === 0 ? 700_000_000 : 900_000_000);

/** A challenge ACK: what is expected next. */
const challenge = (tcp: TcpTalk, side: 0 | 1) => tcp.ack(side);

export const KINDS: readonly Kind[] = [
  {
    name: "a second SYN-ACK with another number before the client's ACK",
    source: "RFC 9293, 3.10.7.4 (SYN-SENT: the first acceptable one counts)",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, synAck, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), ack]),
  },
  {
    name: "a first SYN-ACK with another number that the client refuses",
    source: "RFC 9293, 3.10.7.3",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), synAck, ack]),
  },
  {
    name: "a SYN-ACK whose number was damaged in the recording",
    source: "RFC 9293, 3.4 (the acknowledgment says what was received)",
    handshake: (_tcp, [syn, synAck, ack]) => present([syn, synAck && renumbered(synAck, 310_914_028), ack]),
  },
  {
    name: "a SYN-ACK with another number after the handshake",
    source: "RFC 9293, 3.10.7.4; RFC 5961, 4.2",
    handshake: (tcp, usual) => [...usual, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) })],
  },
  {
    name: "a SYN-ACK with another number in the middle",
    source: "RFC 5961, 4.2",
    between: (tcp) => [tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), challenge(tcp, 0)],
  },
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `a SYN of the ${who} that is answered with a challenge ACK`,
      source: "RFC 5961, 4.2",
      between: (tcp) => [
        tcp.raw(side, { flags: Flag.syn, sequence: foreign(side), acknowledgment: 0 }),
        challenge(tcp, side === 0 ? 1 : 0),
      ],
    };
  }),
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `an RST of the ${who} in the window that both ends ignore`,
      source: "RFC 5961, 3.2; RFC 9293, 3.10.7.4 (first check)",
      between: (tcp) => [tcp.rst(side)],
    };
  }),
  {
    name: "RSTs of both ends that a third party has forged, and both ignore",
    source: "RFC 5961, 3.2",
    between: (tcp) => [tcp.rst(0), tcp.rst(1)],
  },
  {
    name: "a forged RST between SYN and SYN-ACK",
    source: "RFC 9293, 3.10.7.3",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { flags: Flag.rst | Flag.ack, sequence: 0, acknowledgment: 1001 }), synAck, ack]),
  },
  {
    name: "a forged RST between SYN-ACK and ACK",
    source: "RFC 9293, 3.10.7.4 (SYN-RECEIVED)",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, synAck, tcp.raw(0, { flags: Flag.rst, sequence: 1001 }), ack]),
  },
  {
    name: "forged data between SYN and SYN-ACK, with a number far away",
    source: "RFC 9293, 3.10.7.3",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { sequence: foreign(1), acknowledgment: 1001, payload: text("forged") }), synAck, ack]),
  },
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `a FIN of the ${who} that both ends ignore`,
      source: "RFC 9293, 3.10.7.4 (eighth check), 3.4",
      between: (tcp) => [tcp.raw(side, { flags: Flag.fin | Flag.ack })],
    };
  }),
  {
    name: "data far beyond the window",
    source: "RFC 9293, 3.10.7.4 (first check)",
    between: (tcp) => [tcp.raw(0, { sequence: tcp.next(0) + 500_000_000, payload: text("far") }), challenge(tcp, 1)],
  },
  {
    name: "a FIN far beyond the window",
    source: "RFC 9293, 3.10.7.4 (first check)",
    between: (tcp) => [tcp.raw(1, { sequence: tcp.next(1) + 500_000_000, flags: Flag.fin | Flag.ack })],
  },
];

export function present(packets: readonly (Uint8Array | undefined)[]): Uint8Array[] {
  return packets.filter((packet) => packet !== undefined);
}

export const INITIAL = [1000, 5000] as const;

/** The packets of a connection in which a segment is contradicted. */
export function packetsOf(
  { handshake, between }: Difference,
  [client, server]: readonly [Address, Address],
): Uint8Array[] {
  const tcp = new TcpTalk(client, server, INITIAL);
  const usual = tcp.handshake();
  return [
    ...(handshake?.(tcp, usual) ?? usual),
    tcp.send(0, "ask1 "),
    tcp.send(1, "answer1 "),
    tcp.ack(0),
    ...(between?.(tcp) ?? []),
    tcp.send(0, "ask2 "),
    tcp.send(1, "answer2 "),
    tcp.send(0, "ask3 "),
    tcp.send(1, "answer3 "),
    tcp.ack(0),
    tcp.fin(0),
    tcp.fin(1),
    tcp.ack(0),
  ];
}
