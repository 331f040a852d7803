import { describe, expect, test } from "vitest";
import {
  arubaMirror,
  erspan,
  greVersion1,
  infiniband,
  l2tp,
  littleEndian,
  llc,
  tzsp,
} from "../support/encapsulations.js";
import { RAW, TestNetwork } from "../support/network.js";
import {
  concat,
  ethernet,
  gre,
  gtp,
  ieee80211,
  ipPacket,
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

/** "802.11-Common", with the flag for a checksum behind the frame. */
const ppi = littleEndian([2, 0], [2, 32], [4, 105], [2, 2], [2, 20], [4, 0], [4, 0], [2, 1], [2, 0], [4, 0], [4, 0]);
const checksum = text("fcs.");

describe("the length of a layer", () => {
  const claiming = (packet: Uint8Array, more: number): Uint8Array => {
    const longer = packet.slice();
    longer.set(numbers([2, packet.length + more]), 2);
    return longer;
  };
  const greedy = claiming(v4, 6);
  const padding = text("******");
  const opened = (path: string) => `0 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617${path} #1`;

  test.each([
    ["PPPoE", ETHERNET, concat(ethernet(pppoe(ppp(greedy)), [], 0x8864), padding), " (PPPoE 7)"],
    ["IEEE 802.3", ETHERNET, concat(snap(greedy), padding), ""],
    [
      "IEEE 802.3 in a VLAN",
      ETHERNET,
      concat(ethernet(llc(greedy), [0x8100], greedy.length + 8), padding),
      " (VLAN 100)",
    ],
    ["UDP", ETHERNET, concat(inUdp(4789, vxlan(ethernet(greedy), 1)), padding), ` (VXLAN 1 ${BETWEEN})`],
    ["GTP-U", ETHERNET, inUdp(2152, concat(gtp(greedy, 1), padding)), ` (GTP-U ${BETWEEN})`],
    ["L2TP", ETHERNET, inUdp(1701, concat(l2tp(ppp(greedy), 0x4002), padding)), ` (L2TP ${BETWEEN})`],
    ["PPTP", ETHERNET, inIp(47, concat(greVersion1(ppp(greedy), 0x880b, 5), padding)), ` (GRE ${BETWEEN})`],
    ["NFLOG", 239, concat(numbers([4, 0x02000000], [2, greedy.length + 4], [2, 9]), greedy, padding), ""],
    ["InfiniBand", 247, infiniband(greedy), ""],
    ["802.11 with its checksum", 127, radiotap(concat(ieee80211(claiming(v4, 4)), checksum), 0x10), ""],
    ["802.11 with its checksum, in PPI", 192, concat(ppi, ieee80211(claiming(v4, 4)), checksum), ""],
  ])("ends what is inside it: %s", (_name, linkType, bytes, path) => {
    const network = new TestNetwork().packet(bytes, linkType);
    expect(network.take()).toEqual([opened(path), "0 c2s hello #1"]);
    expect(network.others).toEqual({});
  });

  const longer = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
    const changed = bytes.slice();
    changed.set(numbers([2, value]), at);
    return changed;
  };

  test.each([
    ["IPv4", RAW, claiming(v4, 1), "IPv4 length beyond the end of the frame"],
    ["IPv6", RAW, longer(v6, 4, v6.length - 39), "IPv6 length beyond the end of the frame"],
    ["IPv4 in a tunnel", RAW, ipPacket(4, ONE, OTHER, claiming(v4, 1)), "IPv4 length beyond the end of the frame"],
    ["PPPoE", 51, longer(pppoe(ppp(v4)), 4, v4.length + 3), "PPPoE length beyond the end of the frame"],
    ["IEEE 802.3", 1, longer(snap(v4), 12, v4.length + 9), "IEEE 802.3 length beyond the end of the frame"],
    ["radiotap", 127, littleEndian([2, 0], [2, 200], [4, 0]), "radiotap length beyond the end of the frame"],
    [
      "NFLOG",
      239,
      concat(numbers([4, 0x02000000], [2, v4.length + 5], [2, 9]), v4),
      "NFLOG length beyond the end of the frame",
    ],
    ["PPTP", 1, inIp(47, greVersion1(ppp(v4), 0x880b, 5, 99)), "GRE length beyond the end of the frame"],
    ["L2TP", 1, inUdp(1701, longer(l2tp(ppp(v4), 0x4002), 2, 200)), "L2TP length beyond the end of the frame"],
    ["InfiniBand", 247, longer(infiniband(v4), 4, 0x7ff), "InfiniBand length beyond the end of the frame"],
  ])("beyond a frame that was captured whole is a broken packet: %s", (_name, linkType, bytes, what) => {
    const network = new TestNetwork().packet(bytes, linkType);
    expect(network.take()).toEqual([]);
    expect(network.others).toEqual({ [what]: 1 });
  });

  test("of a pseudowire's control word means nothing for Ethernet (RFC 4448)", () => {
    const bytes = ethernet(mpls(concat(numbers([4, 0x00040001]), ethernet(v4)), [1]), [], 0x8847);
    expect(new TestNetwork().packet(bytes, 1).take()).toEqual([opened(""), "0 c2s hello #1"]);
  });
});

describe("a mirrored frame that the sender has cut", () => {
  const cut = ethernet(v4).subarray(0, -3);
  const lines = (path: string) => [
    `0 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 (${path}) #1`,
    "0 c2s he #1",
    "0 c2s gap 3 cut #1",
  ];

  test.each([
    ["ERSPAN II", inIp(47, gre(erspan(cut, { truncated: true }), { type: 0x88be, sequence: 1 })), `GRE ${BETWEEN}`],
    [
      "ERSPAN III",
      inIp(47, gre(erspan(cut, { type: 3, truncated: true }), { type: 0x22eb, sequence: 1 })),
      `GRE ${BETWEEN}`,
    ],
    ["TZSP", inUdp(37008, tzsp(cut, 1, 0, numbers([1, 41], [1, 2], [2, cut.length + 3]))), `TZSP ${BETWEEN}`],
    ["Aruba's", inUdp(5555, arubaMirror(ieee80211(v4).subarray(0, -3), ieee80211(v4).length)), `Aruba ERM ${BETWEEN}`],
  ])("lacks bytes: %s", (_name, bytes, path) => {
    expect(new TestNetwork().packet(bytes, ETHERNET).take()).toEqual(lines(path));
  });

  test("is broken if the sender does not say so", () => {
    const bytes = inIp(47, gre(erspan(cut), { type: 0x88be, sequence: 1 }));
    expect(new TestNetwork().packet(bytes, ETHERNET).others).toEqual({ "IPv4 length beyond the end of the frame": 1 });
  });
});
