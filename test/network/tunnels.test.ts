import { describe, expect, test } from "vitest";
import { TestNetwork } from "../support/network.js";
import {
  concat,
  ethernet,
  geneve,
  gre,
  gtp,
  ipFragments,
  ipPacket,
  numbers,
  ppp,
  tcpPacket,
  text,
  udpBytes,
  udpPacket,
  vxlan,
} from "../support/packets.js";
import { BETWEEN, found, HELLO, INNER, ONE, OTHER, over, v4, v6 } from "../support/tunnelled.js";

const back = tcpPacket(
  { ...INNER, source: INNER.destination, sourcePort: 14617, destination: INNER.source, destinationPort: 4000 },
  { sequence: 700, acknowledgment: 105, payload: text("answer") },
);

const FAR = "2001:db8:f::1";
const NEAR = "2001:db8:f::2";

/** A position in BZFlag, with the type of a VLAN tag where that of a frame in MPLS would be. */
function position(): Uint8Array {
  return numbers(
    [4, 0x001b7073],
    [4, 0x415589e5],
    [4, 0x02000000],
    [4, 0x140001fd],
    [4, 0x92024100],
    [4, 0x0004d0f7],
    [4, 0x810000d5],
    [2, 0x0e01],
    [1, 0xd1],
  );
}

describe("a tunnel", () => {
  const options = new Uint8Array(12);
  const erspan2 = concat(new Uint8Array(8), ethernet(v4));
  const erspan3 = concat(new Uint8Array(11), Uint8Array.of(1), new Uint8Array(8), ethernet(v4));
  const pptp = concat(numbers([2, 0x3081], [2, 0x880b], [2, v4.length + 2], [2, 9], [4, 1], [4, 2]), ppp(v4));

  test.each([
    ["IPv4 in IPv4", ipPacket(4, ONE, OTHER, v4), found(v4, `IP in IP ${BETWEEN}`)],
    ["6in4", ipPacket(41, ONE, OTHER, v6), found(v6, `IP in IP ${BETWEEN}`)],
    ["IPv4 in IPv6", ipPacket(4, FAR, NEAR, v4), found(v4, `IP in IP ${FAR}-${NEAR}`)],
    ["IPv6 in IPv6", ipPacket(41, FAR, NEAR, v6), found(v6, `IP in IP ${FAR}-${NEAR}`)],
    ["GRE", ipPacket(47, ONE, OTHER, gre(v4)), found(v4, `GRE ${BETWEEN}`)],
    ["GRE with a key", ipPacket(47, ONE, OTHER, gre(v6, { key: 0xfffffffe })), found(v6, `GRE 4294967294 ${BETWEEN}`)],
    [
      "GRE with everything",
      ipPacket(47, FAR, NEAR, gre(v4, { checksum: true, key: 5, sequence: 1 })),
      found(v4, `GRE 5 ${FAR}-${NEAR}`),
    ],
    [
      "Ethernet in GRE",
      ipPacket(47, ONE, OTHER, gre(ethernet(v4, [0x8100]), { type: 0x6558 })),
      found(v4, `GRE ${BETWEEN}, VLAN 100`),
    ],
    [
      "a mirrored frame (ERSPAN)",
      ipPacket(47, ONE, OTHER, gre(ethernet(v4), { type: 0x88be })),
      found(v4, `GRE ${BETWEEN}`),
    ],
    [
      "a mirrored frame, type II",
      ipPacket(47, ONE, OTHER, gre(erspan2, { type: 0x88be, sequence: 1 })),
      found(v4, `GRE ${BETWEEN}`),
    ],
    [
      "a mirrored frame, type III",
      ipPacket(47, ONE, OTHER, gre(erspan3, { type: 0x22eb, sequence: 1 })),
      found(v4, `GRE ${BETWEEN}`),
    ],
    [
      "a mirrored frame, type III without a subheader",
      ipPacket(47, ONE, OTHER, gre(concat(new Uint8Array(12), ethernet(v4)), { type: 0x22eb, sequence: 1 })),
      found(v4, `GRE ${BETWEEN}`),
    ],
    ["PPTP", ipPacket(47, ONE, OTHER, pptp), found(v4, `GRE ${BETWEEN}`)],
    ["VXLAN", udpPacket(over(4789), vxlan(ethernet(v4), 42)), found(v4, `VXLAN 42 ${BETWEEN}`)],
    [
      "VXLAN at its old port",
      udpPacket(over(8472), vxlan(ethernet(v6), 0xffffff)),
      found(v6, `VXLAN 16777215 ${BETWEEN}`),
    ],
    [
      "VXLAN with a group",
      udpPacket(over(4789), vxlan(ethernet(v4), 42, 0x88000123)),
      found(v4, `VXLAN 42 ${BETWEEN}`),
    ],
    ["GENEVE", udpPacket(over(6081), geneve(ethernet(v4), 7, 0x6558)), found(v4, `GENEVE 7 ${BETWEEN}`)],
    [
      "GENEVE with options and IP",
      udpPacket(over(6081), geneve(v6, 7, 0x86dd, options)),
      found(v6, `GENEVE 7 ${BETWEEN}`),
    ],
    ["GTP-U", udpPacket(over(2152), gtp(v4, 1)), found(v4, `GTP-U ${BETWEEN}`)],
    [
      "GTP-U with extension headers",
      udpPacket(over(2152), gtp(v6, 1, numbers([2, 0x0100], [2, 0x0085], [4, 0x01000000]))),
      found(v6, `GTP-U ${BETWEEN}`),
    ],
    [
      "VXLAN in GRE in IP in IP",
      ipPacket(
        4,
        "1.1.1.1",
        "2.2.2.2",
        ipPacket(
          47,
          ONE,
          OTHER,
          gre(udpPacket(over(4789, { source: FAR, destination: NEAR }), vxlan(ethernet(v4), 1))),
        ),
      ),
      found(v4, `IP in IP 1.1.1.1-2.2.2.2, GRE ${BETWEEN}, VXLAN 1 ${FAR}-${NEAR}`),
    ],
  ])("is unwrapped: %s", (_name, packet, lines) => {
    const network = new TestNetwork().feed(packet);
    expect(network.take()).toEqual(lines);
    expect(network.others).toEqual({});
    expect(network.network.counts).toMatchObject({ packets: 1, tcp: 1, udp: 0 });
    // The padding of a short frame is not part of it.
    expect(new TestNetwork().packet(concat(ethernet(packet), text("padding")), 1).take()).toEqual(lines);
  });

  test("that is cut by the snap length shows the available bytes", () => {
    const packet = udpPacket(over(4789), vxlan(ethernet(v4), 42));
    expect(new TestNetwork().packet(packet, 101, packet.length - 3).take()).toEqual([
      found(v4, `VXLAN 42 ${BETWEEN}`)[0],
      "0 c2s he #1",
      "0 c2s gap 3 cut #1",
    ]);
    expect(new TestNetwork().packet(packet, 101, 45).others).toEqual({ "link header cut by the snap length": 1 });
  });

  test("may itself be fragmented", () => {
    const datagram = udpBytes(over(4789), vxlan(ethernet(v4), 42));
    const network = new TestNetwork().feed(...ipFragments(17, ONE, OTHER, datagram, [24, 24]).reverse());
    expect(network.take()).toEqual([found(v4, `VXLAN 42 ${BETWEEN}`)[0]?.replace("#1", "#3"), "0 c2s hello #3"]);
  });

  test.each([
    [
      "GRE with a routing header",
      ipPacket(47, ONE, OTHER, numbers([2, 0x4000], [2, 0x0800], [4, 0])),
      "GRE of an unknown kind",
    ],
    ["GRE of version 2", ipPacket(47, ONE, OTHER, numbers([2, 2], [2, 0x0800])), "GRE of an unknown kind"],
    ["GRE of version 1 without PPP", ipPacket(47, ONE, OTHER, numbers([2, 1], [2, 0x0800])), "GRE of an unknown kind"],
    ["GRE's keep-alive", ipPacket(47, ONE, OTHER, numbers([2, 0], [2, 0])), "GRE of an unknown kind"],
    ["GRE that is too short", ipPacket(47, ONE, OTHER, numbers([2, 0x2000], [2, 0x0800])), "malformed GRE header"],
    ["GRE with something else", ipPacket(47, ONE, OTHER, gre(text("x"), { type: 0x9999 })), "EtherType 0x9999"],
    ["GENEVE with something else", udpPacket(over(6081), geneve(v4, 1, 0x9999)), "GENEVE with EtherType 0x9999"],
    ["GTP-U with something else", udpPacket(over(2152), gtp(text("text"), 1)), "GTP-U without IP"],
    ["GTP-U with an empty extension", udpPacket(over(2152), gtp(v4, 1, numbers([4, 0]))), "malformed GTP-U header"],
    ["VXLAN with something else", udpPacket(over(4789), vxlan(ethernet(v4, [], 0x0806), 1)), "ARP"],
  ])("that cannot be unwrapped is counted: %s", (_name, packet, what) => {
    expect(new TestNetwork().feed(packet).others).toEqual({ [what]: 1 });
  });

  test("is recognised only by its content: ports are used for other things, too", () => {
    const ordinary = [
      udpPacket(over(4789), text("eight or more bytes")),
      udpPacket(over(8472), numbers([4, 0x08000001], [4, 0x100])),
      udpPacket(over(8472), numbers([4, 0x08000000], [4, 0x101])),
      udpPacket(over(6081), text("four or more")),
      udpPacket(over(2152), text("0ÿ and so on")),
      udpPacket(over(2152), gtp(v4, 1).subarray(0, 30)),
      udpPacket({ ...over(9999), sourcePort: 4789 }, vxlan(ethernet(v4), 1)),
    ];
    const network = new TestNetwork().feed(...ordinary);
    expect(network.network.counts).toMatchObject({ tcp: 0, udp: ordinary.length });
    expect(network.others).toEqual({});
  });

  test.each([
    ["L2TP", 1701, numbers([2, 2], [4, 0x65786162], [2, 1], [4, 0x67660300])],
    ["GRE", 4754, numbers([2, 0], [2, 0x6f66])],
    ["GENEVE", 6081, numbers([2, 0], [2, 0], [4, 0x01020300])],
    ["VXLAN-GPE", 4790, numbers([4, 0x0c000000], [4, 1])],
    ["VXLAN-GPE, with reserved bits", 4790, numbers([4, 0x0d706341], [4, 0x41707363])],
    ["MPLS, with the type of a tag", 6635, position()],
    ["CAPWAP", 5246, numbers([2, 0x10], [2, 0x6368], [4, 0x41550000], [4, 0x02000001])],
    ["MPLS, with a length", 6635, concat(numbers([4, 0x100]), new Uint8Array(16), numbers([4, 0x03000000]))],
  ])("is not made up of a short message of something else: %s", (_name, port, content) => {
    const network = new TestNetwork().feed(udpPacket(over(port), content));
    expect(network.network.counts).toMatchObject({ tcp: 0, udp: 1 });
    expect(network.others).toEqual({});
  });

  test("in tunnels is followed only to a limited depth", () => {
    const nested = (depth: number): Uint8Array => (depth === 0 ? v4 : ipPacket(4, ONE, OTHER, nested(depth - 1)));
    expect(new TestNetwork().feed(nested(8)).network.counts.tcp).toBe(1);
    expect(new TestNetwork().feed(nested(9)).others).toEqual({ "too many nested tunnels": 1 });
  });
});

describe("the same addresses and ports in two tunnels", () => {
  const other = tcpPacket(INNER, { ...HELLO, sequence: 900_000_000, acknowledgment: 5 });
  const third = tcpPacket(INNER, { ...HELLO, sequence: 1_800_000_000, acknowledgment: 6 });

  test.each([
    [
      "between other ends",
      ipPacket(47, ONE, OTHER, gre(v4)),
      ipPacket(47, OTHER, ONE, gre(back)),
      ipPacket(47, ONE, "203.0.113.3", gre(other)),
    ],
    [
      "between other ends whose addresses differ in the same bit",
      ipPacket(47, ONE, OTHER, gre(v4)),
      ipPacket(47, OTHER, ONE, gre(back)),
      ipPacket(47, "203.0.113.5", "203.0.113.6", gre(other)),
    ],
    [
      "with another key",
      ipPacket(47, ONE, OTHER, gre(v4, { key: 1 })),
      ipPacket(47, OTHER, ONE, gre(back, { key: 1 })),
      ipPacket(47, ONE, OTHER, gre(other, { key: 2 })),
    ],
    [
      "with key 0 and without a key",
      ipPacket(47, ONE, OTHER, gre(v4, { key: 0 })),
      ipPacket(47, OTHER, ONE, gre(back, { key: 0 })),
      ipPacket(47, ONE, OTHER, gre(other)),
    ],
    [
      "in another network",
      udpPacket(over(4789), vxlan(ethernet(v4), 1)),
      udpPacket(over(4789, { source: OTHER, destination: ONE }), vxlan(ethernet(back), 1)),
      udpPacket(over(4789), vxlan(ethernet(other), 2)),
    ],
    [
      "of another kind",
      udpPacket(over(6081), geneve(v4, 1, 0x0800)),
      udpPacket(over(6081, { source: OTHER, destination: ONE }), geneve(back, 1, 0x0800)),
      udpPacket(over(4789), vxlan(ethernet(other), 1)),
    ],
    [
      "between other gateways",
      udpPacket(over(2152), gtp(v4, 1)),
      udpPacket(over(2152, { source: OTHER, destination: ONE }), gtp(back, 2)),
      udpPacket(over(2152, { source: ONE, destination: "203.0.113.3" }), gtp(other, 1)),
    ],
  ])("are two conversations if their numbers differ: %s", (_name, packet, answer, foreign) => {
    const lines = new TestNetwork().feed(packet, answer, foreign, third).take();
    expect(lines.map((line) => line.replace(/ \(.*\)/, ""))).toEqual([
      "0 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 #1",
      "0 c2s hello #1",
      "0 s2c answer #2",
      "1 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 #3",
      "1 c2s hello #3",
      "2 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 #4",
      "2 c2s hello #4",
    ]);
  });
});
