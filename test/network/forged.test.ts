import { describe, expect, test } from "vitest";
import { RAW, TestNetwork } from "../support/network.js";
import { type Address, Flag, TcpTalk } from "../support/packets.js";

/** Single forged segments that both ends ignore, as the level "forged" of the fuzzer found them. */

const CLIENT: Address = ["10.0.0.1", 4000];
const SERVER: Address = ["10.0.0.2", 14617];

interface Forgery {
  /** Where it is: before the packet with this index; 1 is the SYN-ACK, 3 the first data. */
  readonly at: number;
  readonly side: 0 | 1;
  readonly flags: number;
  /** Numbers, as distances from the first bytes. */
  readonly sequence: number;
  readonly acknowledgment: number;
  /** The order in which the first packets are recorded. */
  readonly order?: readonly number[];
}

const INITIAL = [1000, 5000] as const;
const finAck = Flag.fin | Flag.ack;

const FORGERIES: readonly (readonly [string, Forgery])[] = [
  ["a FIN that acknowledges bytes to come", { at: 3, side: 0, flags: finAck, sequence: 0, acknowledgment: 60_000 }],
  [
    "a SYN-ACK of the client with any acknowledgment",
    { at: 1, side: 0, flags: Flag.syn | Flag.ack, sequence: -1, acknowledgment: -1_365_681_861 },
  ],
  ["a FIN before the SYN-ACK", { at: 1, side: 1, flags: finAck, sequence: -101, acknowledgment: 0 }],
  [
    "a FIN before the SYN-ACK that is a little behind",
    { at: 1, side: 1, flags: finAck, sequence: -2683, acknowledgment: 0 },
  ],
  [
    "a SYN of the server before that of the client",
    { at: 0, side: 1, flags: Flag.syn, sequence: -2658, acknowledgment: 0 },
  ],
  [
    "a SYN-ACK with another number, where the client's ACK is recorded before the server's SYN-ACK",
    { at: 3, side: 1, flags: Flag.syn | Flag.ack, sequence: 268_435_461, acknowledgment: 0, order: [0, 2, 1] },
  ],
  [
    "an acknowledgment of bytes to come, far ahead of its stream, before that has begun",
    { at: 1, side: 1, flags: finAck, sequence: 503_316_492, acknowledgment: 1460 },
  ],
  [
    "an acknowledgment of bytes to come, far ahead of its stream, before the client's ACK",
    { at: 2, side: 1, flags: finAck | Flag.push, sequence: 369_098_761, acknowledgment: 60_000 },
  ],
  [
    "an acknowledgment of bytes to come, in place, after which its side sends nothing new",
    { at: 8, side: 0, flags: Flag.ack, sequence: 14, acknowledgment: 60_000 },
  ],
  [
    "a SYN-ACK before the SYN that it does not acknowledge",
    { at: 0, side: 1, flags: Flag.syn | Flag.ack, sequence: -1, acknowledgment: -1460 },
  ],
  ["a far FIN before the SYN-ACK", { at: 1, side: 1, flags: finAck, sequence: 72_162_227, acknowledgment: 0 }],
];

/** What a connection says in which a segment is forged, by direction. */
function said({ at, side, flags, sequence, acknowledgment, order = [] }: Forgery): readonly string[] {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const base = (of: 0 | 1) => INITIAL[of] + 1;
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 "), tcp.send(1, "answer1 "), tcp.send(0, "ask2 ")];
  packets.push(tcp.send(1, "answer2 "), tcp.send(0, "ask3"), tcp.send(1, "answer3"), tcp.ack(0));
  packets.push(tcp.fin(0), tcp.fin(1), tcp.ack(0));
  const numbers = { sequence: base(side) + sequence, acknowledgment: base(side === 0 ? 1 : 0) + acknowledgment };
  const first = order.flatMap((index) => packets.slice(index, index + 1));
  packets.splice(0, first.length, ...first);
  packets.splice(at, 0, tcp.raw(side, { flags, ...numbers }));
  const network = new TestNetwork();
  for (const [index, packet] of packets.entries()) network.packetAt(packet, RAW, index * 1000);
  return [...network.take(), ...network.end()].map((line) => line.replace(/ #\d+/, ""));
}

describe("a forged segment that both ends ignore", () => {
  test.each(FORGERIES)("%s: nothing is missing, and nothing else is found", (_name, forgery) => {
    const lines = said(forgery);
    const of = (direction: string) =>
      lines.flatMap((line) => (line.startsWith(`0 ${direction} `) ? [line.slice(6)] : [])).join("");
    // Where both sides have sent a SYN, the network alone does not know which one is the client.
    expect([of("c2s"), of("s2c")].sort()).toEqual(["answer1 answer2 answer3finished", "ask1 ask2 ask3finished"]);
    expect(lines.filter((line) => line.includes("opened"))).toHaveLength(1);
  });
});

test("a SYN in the middle does not open a connection where segments are recorded twice", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask"), tcp.send(1, "answer"));
  const syn = tcp.raw(0, { flags: Flag.syn, sequence: tcp.next(0) - 1, acknowledgment: 0 });
  const more = tcp.send(1, " and more");
  network.feed(syn, more, more, tcp.send(0, " again"), tcp.ack(1));
  expect(network.take().filter((line) => line.includes("opened"))).toHaveLength(1);
});

test("a forged RST ends nothing where all is recorded twice, and a question before what it acknowledges", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 ")];
  packets.push(tcp.raw(0, { flags: Flag.rst, sequence: tcp.next(0), acknowledgment: 0 }));
  packets.push(tcp.send(1, "answer1 "), tcp.ack(0), tcp.send(0, "ask2 "));
  const answer = tcp.send(1, "answer2 ");
  packets.push(tcp.send(0, "ask3 "), answer, tcp.send(1, "answer3 "), tcp.fin(0), tcp.fin(1));
  const lines = new TestNetwork().feed(...packets.flatMap((packet) => [packet, packet])).end();
  expect(lines.map((line) => line.replace(/ #\d+/, "").trim())).toEqual([
    "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617",
    "0 c2s ask1",
    "0 s2c answer1",
    "0 c2s ask2",
    "0 s2c answer2",
    "0 c2s ask3",
    "0 s2c answer3",
    "0 c2s finished",
    "0 s2c finished",
    "0 closed fin",
  ]);
});

test.each([0, Flag.ack])(
  "an RST with the flag of a SYN opens no connection after an RST, with the other flags %i",
  (flag) => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask1 "), tcp.rst(1));
    network.feed(tcp.raw(0, { flags: Flag.syn | Flag.rst | flag, sequence: 700_000_000 }));
    network.feed(tcp.send(1, "answer1 "), tcp.send(0, "ask2 "), tcp.send(1, "answer2 "), tcp.fin(0), tcp.fin(1));
    expect(network.end().map((line) => line.replace(/ #\d+/, "").trim())).toEqual([
      "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617",
      "0 c2s ask1",
      "0 s2c answer1",
      "0 c2s ask2",
      "0 s2c answer2",
      "0 c2s finished",
      "0 s2c finished",
      "0 closed fin",
    ]);
    expect(network.others).toEqual({ "TCP reset that does not fit its connection": 1 });
  },
);
