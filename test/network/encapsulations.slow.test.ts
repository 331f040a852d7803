import { describe, expect, test } from "vitest";
import {
  arubaMirror,
  ayiya,
  backbone,
  capwap,
  enc,
  erspan,
  exportedByNumber,
  exportedPdu,
  fddi,
  framedPpp,
  greVersion1,
  gue,
  infiniband,
  ipoib,
  l2tp,
  l2tp3,
  lisp,
  littleEndian,
  pflog,
  tzsp,
  vxlanGpe,
} from "../support/encapsulations.js";
import { TestNetwork } from "../support/network.js";
import {
  concat,
  ethernet,
  geneve,
  gre,
  gtp,
  ieee80211,
  ipPacket,
  linuxCooked,
  mpls,
  numbers,
  ppp,
  pppoe,
  radiotap,
  snap,
  text,
  vxlan,
} from "../support/packets.js";
import { BETWEEN, ETHERNET, inIp, inUdp, ONE, OTHER, v4, v6 } from "../support/tunnelled.js";

const prism = concat(littleEndian([4, 0x44], [4, 144]), new Uint8Array(136));
const avs = concat(numbers([4, 0x80211001], [4, 64]), new Uint8Array(56));
/** "802.11-Common", with the flag for a checksum behind the frame. */
const ppi = littleEndian([2, 0], [2, 32], [4, 105], [2, 2], [2, 20], [4, 0], [4, 0], [2, 1], [2, 0], [4, 0], [4, 0]);
const checksum = text("fcs.");

/** Each around `v4` or `v6`, which ends it; those behind the mark have something behind it. */
const LAYERS: readonly (readonly [name: string, linkType: number, bytes: Uint8Array, path: string, is6?: boolean])[] = [
  ["E-Tag", 1, ethernet(concat(numbers([2, 0x2001], [4, 5], [2, 0x0800]), v4), [], 0x893f), ""],
  [
    "E-Tag before a VLAN tag",
    1,
    ethernet(concat(numbers([2, 0], [4, 5], [2, 0x8100], [2, 9], [2, 0x86dd]), v6), [], 0x893f),
    "VLAN 9",
    true,
  ],
  ["VN-Tag", 1, ethernet(concat(numbers([4, 0x80010002], [2, 0x0800]), v4), [], 0x8926), ""],
  [
    "a backbone (PBB)",
    1,
    ethernet(backbone(ethernet(v4, [0x8100]), 77), [0x88a8], 0x88e7),
    "VLAN 100, PBB 77, VLAN 100",
  ],
  ["FDDI", 10, fddi(v4), ""],
  ["FDDI with a priority", 10, fddi(v6, 0x57), "", true],
  ["pflog", 117, pflog(v4), ""],
  ["pflog of FreeBSD, with IPv6", 117, pflog(v6, 28, 64), "", true],
  ["pflog of macOS", 117, pflog(v6, 30, 61), "", true],
  ["OpenBSD's enc", 109, enc(v4, numbers([4, 0x02000000])), ""],
  ["enc of a big-endian machine, with IPv6", 109, enc(v6, numbers([4, 28])), "", true],
  ["enc by OpenBSD's number", 13, enc(v4, numbers([4, 2])), ""],
  ["Prism", 119, concat(prism, ieee80211(v4)), ""],
  ["AVS in place of Prism", 119, concat(avs, ieee80211(v4)), ""],
  ["AVS", 163, concat(avs, ieee80211(v4)), ""],
  ["TZSP as a link layer", 128, tzsp(ethernet(v4)), ""],
  ["IP over InfiniBand", 242, ipoib(v4), ""],
  ["IP over InfiniBand with a global header", 242, concat(new Uint8Array(40).fill(0xfe), ipoib(v6, 0x86dd)), "", true],
  ["an exported PDU of IP", 252, exportedPdu("ip", v4), ""],
  ["an exported PDU of IPv6", 252, exportedPdu("ipv6", v6), "", true],
  ["an exported frame", 252, exportedPdu("eth_withoutfcs", ethernet(v4, [0x8100])), "VLAN 100"],
  ["an exported PDU by EtherType", 252, exportedByNumber("ethertype", 0x0800, v4), ""],
  ["an exported PDU by EtherType, of IPv6", 252, exportedByNumber("ethertype", 0x86dd, v6), "", true],
  ["an exported frame by link type", 252, exportedByNumber("wtap_encap", 1, ethernet(v4, [0x8100])), "VLAN 100"],
  ["EtherIP", 1, inIp(97, concat(numbers([2, 0x3000]), ethernet(v4))), `EtherIP ${BETWEEN}`],
  ["TZSP", 1, inUdp(37008, tzsp(ethernet(v4))), `TZSP ${BETWEEN}`],
  ["TZSP to transmit, with 802.11", 1, inUdp(37008, tzsp(ieee80211(v6), 18, 1)), `TZSP ${BETWEEN}`, true],
  ["TZSP with Prism", 1, inUdp(37008, tzsp(concat(prism, ieee80211(v4)), 119)), `TZSP ${BETWEEN}`],
  ["L2TP", 1, inUdp(1701, l2tp(framedPpp(v4))), `L2TP ${BETWEEN}`],
  ["L2TP with all fields", 1, inUdp(1701, l2tp(ppp(v6), 0x4a02)), `L2TP ${BETWEEN}`, true],
  ["L2TP that answers", 1, inUdp(40_000, l2tp(framedPpp(v4), 0x4002), 1701), `L2TP ${BETWEEN}`],
  ["L2TPv3 with Ethernet", 1, inIp(115, l2tp3(ethernet(v4))), `L2TP ${BETWEEN}`],
  ["L2TPv3 with a cookie and a VLAN", 1, inIp(115, l2tp3(ethernet(v4, [0x8100]), 8)), `L2TP ${BETWEEN}, VLAN 100`],
  ["L2TPv3 with a cookie and a sublayer", 1, inIp(115, l2tp3(ethernet(v6), 12)), `L2TP ${BETWEEN}`, true],
  ["L2TPv3 with PPP", 1, inIp(115, l2tp3(framedPpp(v4), 4)), `L2TP ${BETWEEN}`],
  ["L2TPv3 with IP", 1, inIp(115, l2tp3(v4)), `L2TP ${BETWEEN}`],
  ["L2TPv3 in UDP", 1, inUdp(1701, concat(numbers([4, 0x00030000]), l2tp3(ethernet(v4), 4))), `L2TP ${BETWEEN}`],
  ["Teredo", 1, inUdp(3544, v6), `Teredo ${BETWEEN}`, true],
  [
    "Teredo that answers, with an origin",
    1,
    inUdp(40_000, concat(numbers([4, 9], [4, 9]), v6), 3544),
    `Teredo ${BETWEEN}`,
    true,
  ],
  [
    "Teredo with authentication",
    1,
    inUdp(3544, concat(numbers([2, 1], [1, 1], [1, 2]), new Uint8Array(12), numbers([4, 9], [4, 9]), v6)),
    `Teredo ${BETWEEN}`,
    true,
  ],
  ["VXLAN with reserved bits", 1, inUdp(4789, vxlan(ethernet(v4), 42, 0xff123456)), `VXLAN 42 ${BETWEEN}`],
  ["VXLAN-GPE with Ethernet", 1, inUdp(4790, vxlanGpe(ethernet(v4), 3, 9)), `VXLAN-GPE 9 ${BETWEEN}`],
  ["VXLAN-GPE with IP", 1, inUdp(4790, vxlanGpe(v6, 2, 9)), `VXLAN-GPE 9 ${BETWEEN}`, true],
  ["VXLAN-GPE with MPLS", 1, inUdp(4790, vxlanGpe(mpls(v4, [3]), 5, 9)), `VXLAN-GPE 9 ${BETWEEN}`],
  ["VXLAN at the port of VXLAN-GPE", 1, inUdp(4790, vxlan(ethernet(v4), 9)), `VXLAN 9 ${BETWEEN}`],
  ["GRE in UDP", 1, inUdp(4754, gre(v4, { key: 5 })), `GRE 5 ${BETWEEN}`],
  ["Aruba's GRE", 1, inIp(47, gre(ieee80211(v4), { type: 0x8230 })), `GRE ${BETWEEN}`],
  ["Aruba's mirror", 1, inUdp(5555, arubaMirror(ieee80211(v4))), `Aruba ERM ${BETWEEN}`],
  [
    "Aruba's mirror with a radio header",
    1,
    inUdp(5555, arubaMirror(ieee80211(v6), undefined, text("rate"))),
    `Aruba ERM ${BETWEEN}`,
    true,
  ],
  ["AYIYA", 1, inUdp(5072, ayiya(v6, 41)), `AYIYA ${BETWEEN}`, true],
  ["AYIYA that answers, with IPv4", 1, inUdp(40_000, ayiya(v4, 4), 5072), `AYIYA ${BETWEEN}`],
  ["GRE in AYIYA", 1, inUdp(5072, ayiya(gre(v4), 47)), `GRE ${BETWEEN}`],
  ["Ethernet over IP of MikroTik", 1, inIp(47, greVersion1(ethernet(v4), 0x6400, 0x0700)), `GRE 7 ${BETWEEN}`],
  ["PPP in GRE of version 0", 1, inIp(47, gre(ppp(v4), { type: 0x880b })), `GRE ${BETWEEN}`],
  ["what a web cache gets", 1, inIp(47, gre(concat(text("\0\0\0\0"), v4), { type: 0x883e })), `GRE ${BETWEEN}`],
  [
    "a mirrored packet (ERSPAN III)",
    1,
    inIp(47, gre(erspan(v4, { type: 3, kind: 2 }), { type: 0x22eb, sequence: 1 })),
    `GRE ${BETWEEN}`,
  ],
  ["MPLS in UDP", 1, inUdp(6635, mpls(v4, [1, 2])), `MPLS ${BETWEEN}`],
  ["MPLS in IP", 1, inIp(137, mpls(v6, [3])), `MPLS ${BETWEEN}`, true],
  ["Ethernet in MPLS in UDP", 1, inUdp(6635, mpls(concat(text("\0\0\0\0"), ethernet(v4)), [3])), `MPLS ${BETWEEN}`],
  ["LISP", 1, inUdp(4341, lisp(v4, 7)), `LISP 7 ${BETWEEN}`],
  ["GUE without a header", 1, inUdp(6080, v4), `GUE ${BETWEEN}`],
  ["GUE with fields", 1, inUdp(6080, gue(v6, 41, text("fields..")), 6080), `GUE ${BETWEEN}`, true],
  ["CAPWAP with Ethernet", 1, inUdp(5247, capwap(ethernet(v4))), `CAPWAP ${BETWEEN}`],
  ["CAPWAP with 802.11", 1, inUdp(40_000, capwap(ieee80211(v6), 0x100, text("rate")), 5247), `CAPWAP ${BETWEEN}`, true],
  ["PPPoE", 1, ethernet(pppoe(ppp(v4)), [], 0x8864), "PPPoE 7"],
  ["SNAP", 1, snap(v4), ""],
  ["MPLS", 219, mpls(v4, [1, 2]), ""],
  ["Linux cooked", 113, linuxCooked(v6), "", true],
  ["802.11", 105, ieee80211(v4), ""],
  ["GENEVE", 1, inUdp(6081, geneve(ethernet(v4), 7, 0x6558, new Uint8Array(8))), `GENEVE 7 ${BETWEEN}`],
  ["GTP-U", 1, inUdp(2152, gtp(v4, 1, numbers([2, 0x0100], [2, 0]))), `GTP-U ${BETWEEN}`],
  // The checksums of these end them.
  ["InfiniBand", 247, infiniband(v4), ""],
  ["InfiniBand of a connection", 247, infiniband(v4, 0x04), ""],
  ["radiotap with a checksum", 127, radiotap(concat(ieee80211(v4), checksum), 0x10), ""],
  ["PPI with a checksum", 192, concat(ppi, ieee80211(v4), checksum), ""],
];

const WITH_CHECKSUM = new Set([
  "InfiniBand",
  "InfiniBand of a connection",
  "radiotap with a checksum",
  "PPI with a checksum",
]);

describe.each(LAYERS.map(([name, linkType, bytes, path, is6 = false]) => ({ name, linkType, bytes, path, is6 })))(
  "$name",
  ({ name, linkType, bytes, path, is6 }) => {
    const ends = is6 ? "[fd00::1]:4000? > [fd00::2]:14617" : "192.168.0.1:4000? > 192.168.0.2:14617";
    const opened = `0 opened tcp ${ends}${path === "" ? "" : ` (${path})`} #1`;

    test("is unwrapped, also with padding behind it", () => {
      for (const packet of [bytes, concat(bytes, text("padding."))]) {
        const network = new TestNetwork().packet(packet, linkType);
        expect(network.take()).toEqual([opened, "0 c2s hello #1"]);
        expect(network.others).toEqual({});
        expect(network.network.counts).toMatchObject({ packets: 1, tcp: 1, udp: 0 });
      }
    });

    test.skipIf(WITH_CHECKSUM.has(name))("that is cut by the snap length shows the available bytes", () => {
      const network = new TestNetwork().packet(bytes, linkType, bytes.length - 3);
      expect(network.take()).toEqual([opened, "0 c2s he #1", "0 c2s gap 3 cut #1"]);
    });

    test("is never called malformed where it is cut, nor cut where it is too short", () => {
      for (let length = 0; length < bytes.length - 8; length++) {
        const cut = new TestNetwork().packet(bytes, linkType, length);
        expect(Object.keys(cut.others).filter((what) => /malformed|beyond/.test(what))).toEqual([]);
        const short = new TestNetwork().packet(bytes.subarray(0, length), linkType);
        expect(Object.keys(short.others).filter((what) => what.includes("snap length"))).toEqual([]);
        const { tcp, udp } = short.network.counts;
        expect(tcp + udp + Object.values(short.others).length).toBe(1);
      }
    });
  },
);

/** A control message of CAPWAP (RFC 5415, section 4.5.1): a request, and one element. */
const discovery = numbers([4, 1], [1, 0], [2, 8], [1, 0], [2, 20], [2, 1], [1, 0]);

test.each([
  ["FDDI's own frames", 10, fddi(v4, 0x41), "FDDI without LLC"],
  ["pflog of something else", 117, pflog(v4, 7), "pflog with address family 7"],
  ["pflog that is too short", 117, pflog(v4, 2, 44), "malformed pflog header"],
  ["InfiniBand's own messages", 247, infiniband(v4, 0x0c), "InfiniBand without IP"],
  ["InfiniBand with something else", 247, infiniband(v4).fill(0xff, 28, 32), "InfiniBand without IP"],
  ["an exported PDU of something else", 252, exportedPdu("tls", text("x")), "exported PDU (tls)"],
  ["enc of something else", 109, enc(v4, numbers([4, 7])), "enc with address family 7"],
  ["enc that ends too soon", 109, numbers([4, 2]), "malformed enc header"],
  [
    "an exported PDU by another number",
    252,
    exportedByNumber("ethertype", 0x0806, text("x")),
    "exported PDU (ethertype 2054)",
  ],
  ["an exported PDU with a strange name", 252, exportedPdu("\x1b[2J", text("x")), "exported PDU"],
  ["an exported PDU without an end", 252, numbers([2, 12], [2, 0]), "malformed exported PDU header"],
  ["TZSP with an unknown frame", 1, inUdp(37008, tzsp(v4, 99)), "TZSP with encapsulation 99"],
  ["TZSP that keeps a connection open", 1, inUdp(37008, numbers([1, 1], [1, 4], [2, 0])), "TZSP keepalive"],
  [
    "TZSP whose tags do not end",
    1,
    inUdp(37008, numbers([1, 1], [1, 0], [2, 1], [1, 9], [1, 200])),
    "malformed TZSP header",
  ],
  ["L2TP's control messages", 1, inUdp(1701, l2tp(new Uint8Array(0), 0xc802)), "L2TP control message"],
  ["L2TP shorter than its header", 1, inUdp(1701, numbers([2, 0x4002], [2, 3], [4, 5])), "malformed L2TP header"],
  ["L2TPv3's control messages", 1, inIp(115, numbers([4, 0], [4, 0xc8030010])), "L2TPv3 control message"],
  [
    "L2TPv3 with something else",
    1,
    inIp(115, l2tp3(text("it may be encrypted or compressed"))),
    "L2TPv3 without a visible IP header",
  ],
  ["EtherIP of another version", 1, inIp(97, concat(numbers([2, 0x4000]), ethernet(v4))), "EtherIP version 4"],
  ["VXLAN-GPE with a service header", 1, inUdp(4790, vxlanGpe(new Uint8Array(16), 4, 9)), "VXLAN-GPE with NSH"],
  ["VXLAN-GPE's own management", 1, inUdp(4790, vxlanGpe(v4, 1, 9, 0x0d)), "VXLAN-GPE management"],
  ["AYIYA's heartbeat", 1, inUdp(5072, ayiya(new Uint8Array(0), 59, 0)), "AYIYA without a packet"],
  ["CAPWAP that is encrypted", 1, inUdp(5247, numbers([4, 0x01000000], [4, 0x17feff00])), "CAPWAP with encryption"],
  ["CAPWAP's control messages", 1, inUdp(5246, capwap(discovery)), "CAPWAP control message"],
  ["the answers to them", 1, inUdp(40_000, capwap(discovery, 0x100), 5246), "CAPWAP control message"],
  ["a fragment in CAPWAP", 1, inUdp(5247, capwap(ethernet(v4), 0x80)), "CAPWAP fragment"],
  ["CAPWAP's sign of life", 1, inUdp(5247, capwap(text("alive"), 0x08)), "CAPWAP keep-alive"],
  [
    "802.11 in CAPWAP with swapped bytes",
    1,
    inUdp(5247, capwap(numbers([2, 0x0108]), 0x100)),
    "CAPWAP with swapped bytes",
  ],
  [
    "ERSPAN with CPU frames",
    1,
    inIp(47, gre(erspan(v4, { type: 3, kind: 7 }), { type: 0x22eb, sequence: 1 })),
    "ERSPAN with frame type 7",
  ],
  ["a backbone in a backbone, and so on", 1, nestedBackbones(9), "too many nested frames"],
  [
    "too many E-Tags",
    1,
    ethernet(concat(...Array.from({ length: 9 }, () => numbers([4, 0], [2, 0], [2, 0x893f]))), [], 0x893f),
    "too many VLAN tags",
  ],
])("what goes no further is counted: %s", (_name, linkType, bytes, what) => {
  expect(new TestNetwork().packet(bytes, linkType).others).toEqual({ [what]: 1 });
});

function nestedBackbones(depth: number): Uint8Array {
  return depth === 0 ? ethernet(v4) : ethernet(backbone(nestedBackbones(depth - 1), 1), [], 0x88e7);
}

test("ports of tunnels are used for other things, too", () => {
  const ordinary = [
    inUdp(37008, text("other version")),
    inUdp(1701, text("The flags do not fit.")),
    inUdp(1701, numbers([2, 2], [2, 1])),
    // The question of a BZFlag client that looks for servers.
    inUdp(1701, concat(numbers([2, 2]), text("pf"), numbers([2, 5156]))),
    inUdp(3544, text("no IPv6 header, though long enough to hold one")),
    inUdp(3544, concat(v6.subarray(0, 4), numbers([2, 999]), v6.subarray(6))),
    inUdp(4790, text("no VXLAN-GPE")),
    inUdp(4754, text("no GRE")),
    inUdp(5072, text("no AYIYA in this datagram, whatever its port")),
    inUdp(5555, text("no pcap record in this datagram")),
    inUdp(6635, text("no MPLS, and no label that is the last one")),
    inUdp(6635, mpls(text("neither IP nor a frame"), [1])),
    inUdp(4341, text("no LISP in this datagram")),
    inUdp(4341, lisp(v4.subarray(0, 30), 1)),
    inUdp(6080, gue(v4, 6)),
    inUdp(6080, text("no GUE in this datagram")),
    inUdp(5247, text("no CAPWAP in this datagram")),
    inUdp(4789, vxlan(text("a text that is no Ethernet frame"), 42, 0xff123456)),
    inUdp(40_000, tzsp(ethernet(v4)), 37008),
  ];
  const network = new TestNetwork();
  for (const bytes of ordinary) network.packet(bytes, ETHERNET);
  expect(network.network.counts).toMatchObject({ tcp: 0, udp: ordinary.length });
  expect(network.others).toEqual({});
});

test("link types and EtherTypes are named with their numbers", () => {
  const network = new TestNetwork();
  for (const linkType of [11, 107, 140, 149, 187, 189, 190, 227, 253, 4711]) network.packet(v4, linkType);
  for (const etherType of [0x88f7, 0x8906, 0x8915, 0x894f, 0x9999])
    network.packet(ethernet(v4, [], etherType), ETHERNET);
  for (const protocol of [46, 103, 137, 200]) network.feed(ipPacket(protocol, ONE, OTHER, text("x")));
  expect(Object.keys(network.others)).toEqual([
    "ATM with LLC (link type 11)",
    "Frame Relay (link type 107)",
    "MTP2 (link type 140)",
    "private use (link type 149)",
    "Bluetooth HCI H4 (link type 187)",
    "USB with Linux header (link type 189)",
    "CAN 2.0B (link type 190)",
    "SocketCAN (link type 227)",
    "Linux netlink (link type 253)",
    "link type 4711",
    "PTP (EtherType 0x88f7)",
    "FCoE (EtherType 0x8906)",
    "RoCE (EtherType 0x8915)",
    "NSH (EtherType 0x894f)",
    "EtherType 0x9999",
    "RSVP (IP protocol 46)",
    "PIM",
    "MPLS in IP (IP protocol 137)",
    "IP protocol 200",
  ]);
});
