import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LinkType } from "../../src/network/link/link-type.js";
import {
  ayiya,
  backbone,
  erspan,
  exportedPdu,
  infiniband,
  l2tp,
  l2tp3,
  pflog,
  tzsp,
} from "../support/encapsulations.js";
import { TestNetwork } from "../support/network.js";
import {
  addressFamily,
  concat,
  type Ends,
  ethernet,
  geneve,
  gre,
  gtp,
  ieee80211,
  ipFragments,
  ipPacket,
  ipv4Packet,
  ipv6Packet,
  linuxCooked,
  linuxCooked2,
  mpls,
  numbers,
  ppp,
  pppoe,
  radiotap,
  tcpBytes,
  tcpPacket,
  text,
  udpPacket,
  vxlan,
} from "../support/packets.js";
import { HELLO, V4, V6 } from "../support/tunnelled.js";

const FOUND_V4 = ["0 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617 #1", "0 c2s hello #1"];
const FOUND_V6 = ["0 opened tcp [2001:db8::1]:4000? > [2001:db8::2]:14617 #1", "0 c2s hello #1"];

describe("link layers", () => {
  const v4 = tcpPacket(V4, HELLO);
  const v6 = tcpPacket(V6, HELLO);

  test.each([
    ["Ethernet", 1, ethernet(v4), FOUND_V4],
    ["Ethernet with IPv6", 1, ethernet(v6), FOUND_V6],
    ["raw IP", 101, v4, FOUND_V4],
    ["raw IP, version 6", 101, v6, FOUND_V6],
    ["raw IP as 12", 12, v4, FOUND_V4],
    ["raw IP as 14", 14, v6, FOUND_V6],
    ["IPv4", 228, v4, FOUND_V4],
    ["IPv6", 229, v6, FOUND_V6],
    ["Linux cooked", 113, linuxCooked(v4), FOUND_V4],
    ["Linux cooked with IPv6", 113, linuxCooked(v6), FOUND_V6],
    ["Linux cooked v2", 276, linuxCooked2(v4), FOUND_V4],
    ["Linux cooked v2 with IPv6", 276, linuxCooked2(v6), FOUND_V6],
    ["null, little-endian", 0, addressFamily(v4, 2, true), FOUND_V4],
    ["null, big-endian", 0, addressFamily(v4, 2, false), FOUND_V4],
    ["null with IPv6 of macOS", 0, addressFamily(v6, 30, true), FOUND_V6],
    ["null with IPv6 of FreeBSD", 0, addressFamily(v6, 28, false), FOUND_V6],
    ["null with IPv6 of NetBSD", 0, addressFamily(v6, 24, true), FOUND_V6],
    ["loop", 108, addressFamily(v4, 2, false), FOUND_V4],
    ["loop with IPv6", 108, addressFamily(v6, 24, false), FOUND_V6],
  ])("%s", (_name, linkType, bytes, lines) => {
    const network = new TestNetwork().packet(bytes, linkType);
    expect(network.take()).toEqual(lines);
    expect(network.others).toEqual({});
  });

  test("that are not understood are counted by name", () => {
    const network = new TestNetwork()
      .packet(v4, 195)
      .packet(v4, 4711)
      .packet(ethernet(v4, [], 0x0806), 1)
      .packet(ethernet(v4, [0x8100], 0x0806), 1)
      .packet(ethernet(v4, [], 0x88cc), 1)
      .packet(ethernet(v4, [], 0x9999), 1)
      .packet(ethernet(text("\x42\x42\x03"), [], 0x0003), 1)
      .packet(addressFamily(v4, 7, true), 0)
      .packet(ethernet(v4), 1, 13)
      .packet(text("text"), 101);
    expect(network.others).toEqual({
      "IEEE 802.15.4 (link type 195)": 1,
      "link type 4711": 1,
      ARP: 2,
      LLDP: 1,
      "EtherType 0x9999": 1,
      "IEEE 802.2 LLC (spanning tree)": 1,
      "address family 7": 1,
      "link header cut by the snap length": 1,
      "raw IP version 7": 1,
    });
    expect(network.network.counts.packets).toBe(10);
  });
});

describe("IPv4", () => {
  const segment = tcpBytes(V4, HELLO);
  const packet = (fields = {}): Uint8Array => ipv4Packet(6, V4.source, V4.destination, segment, fields);

  test("has options", () => {
    expect(new TestNetwork().feed(packet({ options: new Uint8Array(8) })).take()).toEqual(FOUND_V4);
  });

  test("ends before the padding of a short Ethernet frame", () => {
    const padded = concat(ethernet(packet()), new Uint8Array(13));
    expect(new TestNetwork().packet(padded, 1).take()).toEqual(FOUND_V4);
  });

  test("with a total length of 0 goes up to the end (TSO)", () => {
    expect(new TestNetwork().feed(packet({ totalLength: 0 })).take()).toEqual(FOUND_V4);
    expect(new TestNetwork().packet(packet({ totalLength: 0 }), 101, 43).take()).toEqual([
      FOUND_V4[0],
      "0 c2s hel #1",
      "0 c2s gap 2 cut #1",
    ]);
  });

  test("counts what is cut by the snap length, even if only padding followed it on the wire", () => {
    const padded = concat(packet(), new Uint8Array(6));
    expect(new TestNetwork().packet(padded, 101, 41).take()).toEqual([FOUND_V4[0], "0 c2s h #1", "0 c2s gap 4 cut #1"]);
  });

  test("is counted if it is not dissected any further", () => {
    const network = new TestNetwork()
      .feed(ipv4Packet(1, V4.source, V4.destination, text("ping")))
      .feed(ipv4Packet(200, V4.source, V4.destination, text("what")))
      .feed(Uint8Array.of(0x44, ...packet().subarray(1)), packet({ totalLength: 19 }), packet().subarray(0, 19))
      .packet(packet(), 101, 19)
      .packet(packet({ options: new Uint8Array(8) }), 101, 22);
    expect(network.others).toEqual({
      ICMP: 1,
      "IP protocol 200": 1,
      "malformed IPv4 header": 3,
      "IPv4 header cut by the snap length": 2,
    });
  });
});

test("IPv4 with an authentication header is counted as such if it is not dissected any further", () => {
  const bytes = ipv4Packet(51, V4.source, V4.destination, numbers([1, 6], [1, 4], [2, 0], [4, 1], [4, 2], [4, 3]));
  expect(new TestNetwork().feed(bytes).others).toEqual({ "malformed IPv4 header": 1 });
  expect(new TestNetwork().packet(bytes, 101, bytes.length - 8).others).toEqual({ "malformed IPv4 header": 1 });
});

describe("IPv6", () => {
  const segment = tcpBytes(V6, HELLO);
  const packet = (first: number, ...extensions: readonly Uint8Array[]): Uint8Array =>
    ipv6Packet(first, V6.source, V6.destination, segment, concat(...extensions));
  /** Next header, length in units of 8 bytes beyond the first. */
  const extension = (next: number, length: number): Uint8Array =>
    concat(numbers([1, next], [1, length]), new Uint8Array(6 + 8 * length));
  const fragment = (next: number, field: number): Uint8Array => numbers([1, next], [1, 0], [2, field], [4, 0x12345678]);

  test.each([
    ["no extension headers", packet(6)],
    ["hop-by-hop options", packet(0, extension(6, 0))],
    ["all of them", packet(0, extension(60, 0), extension(43, 1), extension(44, 2), fragment(60, 0), extension(6, 0))],
    // Its length counts in units of 4 bytes beyond the first two.
    ["an authentication header", packet(51, numbers([1, 6], [1, 4], [2, 0], [4, 1], [4, 2], [4, 3], [4, 4], [4, 5]))],
    ["a fragment header without a fragment", packet(44, fragment(6, 0))],
    ["a payload length of 0", ipv6Packet(6, V6.source, V6.destination, segment, undefined, 0)],
  ])("with %s", (_name, bytes) => {
    expect(new TestNetwork().feed(bytes).take()).toEqual(FOUND_V6);
  });

  test("ends before padding, and reports what is cut", () => {
    expect(new TestNetwork().feed(concat(packet(6), new Uint8Array(4))).take()).toEqual(FOUND_V6);
    expect(new TestNetwork().packet(packet(6), 101, 60).take()).toEqual([FOUND_V6[0], "0 c2s gap 5 cut #1"]);
  });

  test("is counted if it is not dissected any further", () => {
    const network = new TestNetwork()
      .feed(packet(58), packet(59))
      .packet(packet(0, extension(6, 3)), 101, 44)
      .packet(packet(6), 101, 39)
      .packet(packet(6), 229, 39)
      .feed(packet(0, numbers([1, 6], [1, 200])))
      .packet(packet(6).fill(0x40, 0, 1), 229);
    expect(network.others).toEqual({
      ICMPv6: 1,
      "IPv6 without a next header": 1,
      "IPv6 header cut by the snap length": 3,
      "malformed IPv6 header": 2,
    });
  });
});

describe("TCP", () => {
  test("has options", () => {
    const bytes = tcpPacket(V4, { ...HELLO, options: new Uint8Array(12).fill(1) });
    expect(new TestNetwork().feed(bytes).take()).toEqual(FOUND_V4);
  });

  test("needs no more than the first 20 bytes of its header", () => {
    const bytes = tcpPacket(V4, { ...HELLO, options: new Uint8Array(12).fill(1) });
    expect(new TestNetwork().packet(bytes, 101, 40).take()).toEqual([FOUND_V4[0], "0 c2s gap 5 cut #1"]);
    expect(new TestNetwork().packet(bytes, 101, 39).others).toEqual({ "TCP header cut by the snap length": 1 });
  });

  test("with an impossible header length is malformed", () => {
    const short = tcpPacket(V4, HELLO);
    short[32] = 0x40;
    const long = tcpPacket(V4, HELLO);
    long[32] = 0xf0;
    const tiny = ipv4Packet(6, V4.source, V4.destination, text("tiny"));
    expect(new TestNetwork().feed(short, long, tiny).others).toEqual({ "malformed TCP header": 3 });
  });
});

describe("UDP", () => {
  const opened = "0 opened udp 10.0.0.1:4000? > 10.0.0.2:14617 #1";
  const back: Ends = { source: "10.0.0.2", sourcePort: 14617, destination: "10.0.0.1", destinationPort: 4000 };

  test("passes on datagrams both ways, even empty ones", () => {
    const network = new TestNetwork().feed(udpPacket(V4, text("ask")), udpPacket(back, text("")));
    expect(network.take()).toEqual([opened, "0 c2s datagram ask #1", "0 s2c datagram  #2"]);
    expect(network.end()).toEqual(["0 closed capture-end"]);
    expect(network.network.counts).toMatchObject({ packets: 2, tcp: 0, udp: 2 });
  });

  test("is between ports, even if both are the same", () => {
    const same: Ends = { source: "10.0.0.1", sourcePort: 5154, destination: "10.0.0.1", destinationPort: 5154 };
    const network = new TestNetwork().feed(udpPacket(same, text("a")), udpPacket(same, text("b")));
    expect(network.take()).toEqual([
      "0 opened udp 10.0.0.1:5154? > 10.0.0.1:5154 #1",
      "0 c2s datagram a #1",
      "0 c2s datagram b #2",
    ]);
  });

  test("ends before padding, and reports what is cut", () => {
    const bytes = udpPacket(V4, text("datagram"));
    expect(new TestNetwork().feed(concat(bytes, new Uint8Array(9))).take()[1]).toBe("0 c2s datagram datagram #1");
    expect(new TestNetwork().packet(bytes, 101, 32).take()[1]).toBe("0 c2s datagram data -4 #1");
    expect(new TestNetwork().packet(bytes, 101, 28).take()[1]).toBe("0 c2s datagram  -8 #1");
    expect(new TestNetwork().packet(bytes, 101, 27).others).toEqual({ "UDP header cut by the snap length": 1 });
  });

  test("may be shorter than its IP packet, but not longer", () => {
    expect(new TestNetwork().feed(udpPacket(V4, text("datagram"), 12)).take()[1]).toBe("0 c2s datagram data #1");
    expect(new TestNetwork().feed(udpPacket(V4, text("datagram"), 0)).take()[1]).toBe("0 c2s datagram datagram #1");
    const network = new TestNetwork().feed(udpPacket(V4, text("datagram"), 17), udpPacket(V4, text("datagram"), 7));
    network.feed(ipPacket(17, V4.source, V4.destination, new Uint8Array(7)));
    expect(network.others).toEqual({ "malformed UDP header": 3 });
  });
});

test("arbitrary bytes of any link type cause no exception", () => {
  const inner = tcpPacket(V4, HELLO);
  const outer = { ...V6, destinationPort: 4789 };
  const starts = [
    ethernet(inner),
    ethernet(udpPacket(V6, text("x"))),
    linuxCooked2(tcpPacket(V6, HELLO)),
    ethernet(pppoe(ppp(inner)), [0x88a8, 0x8100], 0x8864),
    ethernet(mpls(concat(new Uint8Array(4), ethernet(inner)), [1, 2]), [], 0x8847),
    radiotap(ieee80211(inner, { subtype: 8, qosControl: 0 })),
    ethernet(udpPacket(outer, vxlan(ethernet(inner, [0x8100]), 5))),
    ethernet(udpPacket({ ...outer, destinationPort: 6081 }, geneve(ethernet(inner), 5, 0x6558, new Uint8Array(8)))),
    ethernet(udpPacket({ ...outer, destinationPort: 2152 }, gtp(inner, 5, Uint8Array.of(1, 0, 0, 0)))),
    ethernet(ipv4Packet(47, "10.0.0.1", "10.0.0.2", gre(ethernet(inner), { type: 0x6558, key: 1, sequence: 2 }))),
    ethernet(udpPacket({ ...outer, destinationPort: 37008 }, tzsp(ethernet(inner)))),
    ethernet(udpPacket({ ...outer, destinationPort: 1701 }, l2tp(ppp(inner), 0x4a02))),
    ethernet(udpPacket({ ...outer, destinationPort: 5072 }, ayiya(gre(inner), 47))),
    ethernet(ipv4Packet(115, "10.0.0.1", "10.0.0.2", l2tp3(ethernet(inner), 4))),
    ethernet(ipv4Packet(47, "10.0.0.1", "10.0.0.2", gre(erspan(ethernet(inner)), { type: 0x88be, sequence: 1 }))),
    ethernet(backbone(ethernet(inner), 7), [0x88a8], 0x88e7),
    pflog(inner),
    infiniband(inner),
    exportedPdu("ip", inner),
    ...ipFragments(6, V6.source, V6.destination, tcpBytes(V6, HELLO), [16]).map((packet) => ethernet(packet)),
    ...ipFragments(6, V4.source, V4.destination, tcpBytes(V4, HELLO), [16]).map((packet) => ethernet(packet)),
  ];
  const damage = fc.array(fc.tuple(fc.nat(150), fc.nat(255)), { maxLength: 5 });
  const linkType = fc.constantFrom(...Object.values(LinkType));
  fc.assert(
    fc.property(fc.constantFrom(...starts), linkType, damage, fc.nat(200), (start, type, changes, length) => {
      const bytes = start.slice();
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      const network = new TestNetwork({}, { checksums: true });
      for (const packet of [start, bytes]) {
        network.packet(packet, packet === start ? 1 : type, Math.min(length, packet.length));
      }
      network.end();
      const { packets, tcp, udp, others } = network.network.counts;
      expect(packets).toBe(tcp + udp + [...others.values()].reduce((sum, count) => sum + count, 0));
    }),
    { numRuns: 1000, seed: 1 },
  );
});
