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
  ["a far FIN before the SYN-ACK", { at: 1, side: 1, flags: finAck, sequence: 72_162_227, acknowledgment: 0 }],
];

/** What a connection says in which a segment is forged, by direction. */
function said({ at, side, flags, sequence, acknowledgment }: Forgery): readonly string[] {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const base = (of: 0 | 1) => INITIAL[of] + 1;
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 "), tcp.send(1, "answer1 "), tcp.send(0, "ask2 ")];
  packets.push(tcp.send(1, "answer2 "), tcp.send(0, "ask3"), tcp.send(1, "answer3"), tcp.ack(0));
  packets.push(tcp.fin(0), tcp.fin(1), tcp.ack(0));
  const numbers = { sequence: base(side) + sequence, acknowledgment: base(side === 0 ? 1 : 0) + acknowledgment };
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
    expect(of("c2s")).toBe("ask1 ask2 ask3finished");
    expect(of("s2c")).toBe("answer1 answer2 answer3finished");
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
