import { describe, expect, test } from "vitest";
import { erspan } from "../support/encapsulations.js";
import { TestNetwork } from "../support/network.js";
import {
  type Address,
  type Ends,
  ethernet,
  geneve,
  gre,
  ipv4Packet,
  ppp,
  pppoe,
  TcpTalk,
  text,
  udpBytes,
  udpPacket,
  vxlan,
} from "../support/packets.js";
import { ETHERNET, inIp, inUdp } from "../support/tunnelled.js";

/** One conversation whose directions, or copies, travel differently. */

const CLIENT: Address = ["10.0.0.1", 4000];
const SERVER: Address = ["10.0.0.2", 14617];
const vlan = (id: number) => (packet: Uint8Array) => ethernet(packet, [0x8100], undefined, id);
const inGre = (key: number) => (packet: Uint8Array) => inIp(47, gre(packet, { key }));
const inErspan = (session: number) => (packet: Uint8Array) =>
  inIp(47, gre(erspan(ethernet(packet), { session }), { type: 0x88be, sequence: 1, key: session }));

/** How packets of the client and of the server travel. */
const WAYS: readonly (readonly [string, (packet: Uint8Array) => Uint8Array, (packet: Uint8Array) => Uint8Array])[] = [
  ["in different VLANs", vlan(100), vlan(200)],
  ["tagged one way only", vlan(100), (packet) => ethernet(packet)],
  ["tagged the other way only", (packet) => ethernet(packet), vlan(100)],
  ["with another GRE key each way", inGre(1), inGre(2)],
  [
    "with another VXLAN network each way",
    (packet) => inUdp(4789, vxlan(ethernet(packet), 1)),
    (packet) => inUdp(4789, vxlan(ethernet(packet), 2)),
  ],
  [
    "with another GENEVE network each way",
    (packet) => inUdp(6081, geneve(ethernet(packet), 1, 0x6558)),
    (packet) => inUdp(6081, geneve(ethernet(packet), 2, 0x6558)),
  ],
  ["with another ERSPAN session each way", inErspan(1), inErspan(2)],
  ["tunnelled one way only", inGre(7), (packet) => ethernet(packet)],
  [
    "in another PPPoE session each way",
    (packet) => ethernet(pppoe(ppp(packet), 1), [], 0x8864),
    (packet) => ethernet(pppoe(ppp(packet), 2), [], 0x8864),
  ],
];

/** The packets of a connection, with the side that sends each. */
function session(client: Address, server: Address, initial: readonly [number, number] = [1000, 5000]) {
  const tcp = new TcpTalk(client, server, initial);
  const [syn, synAck, ack] = tcp.handshake();
  const sides = [0, 1, 0, 0, 1, 0, 1, 0, 1, 0] as const;
  const packets = [
    syn,
    synAck,
    ack,
    tcp.send(0, "ask "),
    tcp.send(1, "answer "),
    tcp.send(0, "more"),
    tcp.send(1, "and more"),
    tcp.fin(0),
    tcp.fin(1),
    tcp.ack(0),
  ];
  return packets.flatMap((packet, index) => (packet === undefined ? [] : [{ packet, side: sides[index] ?? 0 }]));
}

type Way = (packet: Uint8Array) => Uint8Array;

function frames(packets: ReturnType<typeof session>, client: Way, server: Way): Uint8Array[] {
  return packets.map(({ packet, side }) => (side === 0 ? client(packet) : server(packet)));
}

function said(packets: readonly Uint8Array[]): readonly string[] {
  const network = new TestNetwork();
  for (const packet of packets) network.packet(packet, ETHERNET);
  return [...network.take(), ...network.end()].map((line) => line.replace(/ \(.*\)| #\d+/g, ""));
}

const WHOLE = [
  "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617",
  "0 c2s ask ",
  "0 s2c answer ",
  "0 c2s more",
  "0 s2c and more",
  "0 c2s finished",
  "0 s2c finished",
  "0 closed fin",
];

describe.each(WAYS)("a connection %s", (_name, client, server) => {
  test("is one conversation", () => {
    expect(said(frames(session(CLIENT, SERVER), client, server))).toEqual(WHOLE);
  });

  test("is one over IPv6", () => {
    const six = said(frames(session(["fd00::1", 4000], ["fd00::2", 14617]), client, server));
    expect(six.slice(1)).toEqual(WHOLE.slice(1));
  });

  test("is one from the middle on", () => {
    const middle = said(frames(session(CLIENT, SERVER).slice(3), client, server));
    expect(middle).toEqual(WHOLE.map((line) => line.replace(":4000", ":4000?")));
  });

  test("is one if each packet was recorded on the way in and out", () => {
    const packets = session(CLIENT, SERVER);
    expect(said(packets.flatMap(({ packet }) => [client(packet), server(packet)]))).toEqual(WHOLE);
  });

  test("is not mixed up with another one whose numbers differ", () => {
    const one = frames(session(CLIENT, SERVER), client, server);
    const other = frames(session(CLIENT, SERVER, [800_000_000, 900_000_000]), server, client);
    const lines = said(one.flatMap((packet, index) => [packet, other[index] ?? packet]));
    const of = (stream: number) =>
      lines.filter((line) => line.startsWith(`${stream} `)).map((line) => line.replace(/^\d+/, "0"));
    expect(of(0)).toEqual(WHOLE);
    expect(of(1)).toEqual(WHOLE);
  });
});

describe("the path of a conversation", () => {
  test("is that of each direction if they differ", () => {
    const paths: string[] = [];
    const network = new TestNetwork();
    const opened = network.log.opened.bind(network.log);
    network.log.opened = (conversation, origin) => ({
      ...opened(conversation, origin),
      closed: () => void paths.push(conversation.path),
    });
    for (const packet of frames(session(CLIENT, SERVER), vlan(100), vlan(200))) network.packet(packet, ETHERNET);
    for (const packet of frames(session(["10.0.0.3", 1], SERVER), vlan(7), vlan(7))) network.packet(packet, ETHERNET);
    for (const packet of frames(session(["10.0.0.4", 1], SERVER), vlan(7), (packet) => ethernet(packet))) {
      network.packet(packet, ETHERNET);
    }
    expect(paths).toEqual(["VLAN 100 >; VLAN 200 <", "VLAN 7", "VLAN 7 >"]);
  });
});

describe("a datagram", () => {
  const ASK: Ends = { source: "10.0.0.1", sourcePort: 5000, destination: "10.0.0.2", destinationPort: 5154 };
  const ANSWER: Ends = { source: "10.0.0.2", sourcePort: 5154, destination: "10.0.0.1", destinationPort: 5000 };
  const V6: Ends = { ...ASK, source: "fd00::1", destination: "fd00::2" };

  /** Packets at given times in microseconds; returns the datagrams that were passed on and the number of duplicates. */
  function passed(packets: readonly (readonly [microseconds: number, frame: Uint8Array])[], keepsDuplicates = false) {
    const network = new TestNetwork({}, { keepsDuplicates });
    for (const [microseconds, frame] of packets) network.packetAt(frame, ETHERNET, microseconds);
    const lines = network.take().filter((line) => line.includes("datagram"));
    return { lines: lines.length, duplicates: network.others["UDP datagram recorded twice"] ?? 0 };
  }

  const numbered = (identification: number, words: string, hopLimit = 64, ends = ASK) => {
    const packet = ipv4Packet(17, ends.source, ends.destination, udpBytes(ends, text(words)), { identification });
    packet[8] = hopLimit;
    return packet;
  };

  test("that takes another path than its answer belongs to the same conversation", () => {
    const network = new TestNetwork();
    network
      .packet(vlan(1)(udpPacket(ASK, text("ask"))), ETHERNET)
      .packet(vlan(2)(udpPacket(ANSWER, text("answer"))), ETHERNET);
    network.packet(vlan(1)(udpPacket(ASK, text("again"))), ETHERNET);
    expect(network.take().map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
      "0 opened udp",
      "0 c2s datagram",
      "0 s2c datagram",
      "0 c2s datagram",
    ]);
  });

  test.each<readonly [string, number, Uint8Array, Uint8Array]>([
    ["on another interface", 15, ethernet(numbered(7, "x")), ethernet(numbered(7, "x"))],
    ["behind a router", 900, ethernet(numbered(7, "x")), ethernet(numbered(7, "x", 63))],
    ["on a tagged interface and its parent", 30, vlan(5)(numbered(7, "x")), ethernet(numbered(7, "x"))],
    ["in a tunnel and outside", 80, inGre(1)(numbered(7, "x")), ethernet(numbered(7, "x"))],
    ["over IPv6", 15, ethernet(udpPacket(V6, text("x"))), ethernet(udpPacket(V6, text("x")))],
  ])("that is recorded twice, %s, is one", (_name, later, one, other) => {
    const between = ethernet(numbered(6, "before"));
    const packets = [
      [0, between],
      [1000, one],
      [1000 + later, other],
    ] as const;
    expect(passed(packets)).toEqual({ lines: 2, duplicates: 1 });
    expect(passed(packets, true)).toEqual({ lines: 3, duplicates: 0 });
  });

  test("of a burst that is recorded twice, 50 datagrams and 5 ms later, is one, from the first on", () => {
    const burst = Array.from({ length: 50 }, (_, index) => ethernet(numbered(7 + index, "x")));
    const at = (start: number) => burst.map((frame, index) => [start + index, frame] as const);
    expect(passed([...at(0), ...at(5000)])).toEqual({ lines: 50, duplicates: 50 });
    expect(passed(burst.slice(0, 1).flatMap((frame) => [[0, frame] as const, [5000, frame] as const]))).toEqual({
      lines: 1,
      duplicates: 1,
    });
  });

  test.each<readonly [string, number, Uint8Array, Uint8Array]>([
    ["with another identification", 15, numbered(7, "x"), numbered(8, "x")],
    ["with another payload", 15, numbered(7, "x"), numbered(7, "y")],
    ["a second later", 1_000_000, numbered(7, "x"), numbered(7, "x")],
    ["of a sender that does not number its packets, a millisecond later", 1000, numbered(6, "x"), numbered(6, "x")],
  ])("that is much the same, %s, is another one", (_name, later, one, other) => {
    const packets = [
      [0, ethernet(numbered(6, "before"))],
      [1000, ethernet(one)],
      [1000 + later, ethernet(other)],
    ] as const;
    expect(passed(packets)).toEqual({ lines: 3, duplicates: 0 });
  });
});

test("a reply on a path of its own to a SYN of a new connection belongs to that", () => {
  const first = session(CLIENT, SERVER);
  const second = session(CLIENT, SERVER, [700_000_000, 800_000_000]);
  const lines = said([...frames(first, vlan(1), vlan(2)), ...frames(second, vlan(3), vlan(2))]);
  expect(lines.slice(WHOLE.length)).toEqual(WHOLE.map((line) => line.replace(/^0/, "1")));
});
