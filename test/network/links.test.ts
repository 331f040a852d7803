import { describe, expect, test } from "vitest";
import { littleEndian } from "../support/encapsulations.js";
import { TestNetwork } from "../support/network.js";
import {
  concat,
  ethernet,
  ieee80211,
  ipPacket,
  linuxCooked,
  mpls,
  numbers,
  ppp,
  pppoe,
  radiotap,
  snap,
  tcpPacket,
  text,
} from "../support/packets.js";
import { found, INNER, v4, v6 } from "../support/tunnelled.js";

const CUT = "link header cut by the snap length";
const PPI = "PPI length beyond the end of the frame";

/** A header of 108 bytes, as macOS writes it. */
function pktap(linkType: number): Uint8Array {
  return concat(littleEndian([4, 108], [4, 1], [4, linkType]), new Uint8Array(96));
}

/**
 * A packet header, a mark and a prefix as preceding values, then the packet; 0x8000 marks a value that contains others.
 */
function nflog(order: typeof numbers, packet: Uint8Array): Uint8Array {
  const before = order([2, 8], [2, 1], [4, 7], [2, 7], [2, 10], [1, 65], [1, 66], [1, 0], [1, 0], [2, 8], [2, 0x8003]);
  const payload = concat(order([4, 1], [2, packet.length + 4], [2, 9]), packet);
  return concat(numbers([1, 2], [1, 0], [2, 5]), before, payload);
}

/** Link types of headers that recorders put before a frame: PPI, NFLOG, PKTAP. */
const recorders = new Set([192, 239, 258]);

/** A frame to a hardware address that begins with the given byte. */
function sentTo(first: number, ip: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(first), ethernet(ip, [], (ip[0] ?? 0) >>> 4 === 6 ? 0x86dd : 0x0800).subarray(1));
}

describe("a layer between the link and IP", () => {
  const cisco = (type: number, packet: Uint8Array): Uint8Array => concat(numbers([1, 0x0f], [1, 0], [2, type]), packet);
  const hdlc = (first: number, frame: Uint8Array): Uint8Array => concat(numbers([1, first], [1, 3]), frame);

  test.each([
    ["one VLAN tag", 1, ethernet(v4, [0x8100]), found(v4, "VLAN 100")],
    ["three tags", 1, ethernet(v6, [0x9100, 0x88a8, 0x8100]), found(v6, "VLAN 100, VLAN 100, VLAN 100")],
    ["a tag for priority alone", 1, ethernet(v4, [0x8100], 0x0800, 0xe000), found(v4)],
    ["LLC and SNAP", 1, snap(v4), found(v4)],
    ["SNAP for bridged Ethernet, with IPv6", 1, snap(v6, 0x0000f8), found(v6)],
    ["LLC for IP", 1, ethernet(concat(numbers([1, 6], [1, 6], [1, 3]), v4), [], v4.length + 3), found(v4)],
    ["LLC in Linux cooked", 113, linuxCooked(v4), found(v4)],
    ["PPPoE", 1, ethernet(pppoe(ppp(v4)), [], 0x8864), found(v4, "PPPoE 7")],
    ["PPPoE in a VLAN, with IPv6", 1, ethernet(pppoe(ppp(v6)), [0x8100], 0x8864), found(v6, "VLAN 100, PPPoE 7")],
    ["PPPoE alone", 51, pppoe(ppp(v4)), found(v4, "PPPoE 7")],
    ["PPP", 9, ppp(v4), found(v4)],
    ["PPP with a short protocol number", 9, concat(Uint8Array.of(0x57), v6), found(v6)],
    ["PPP with address and control", 9, hdlc(0xff, ppp(v4)), found(v4)],
    ["PPP with MPLS", 9, ppp(mpls(v4, [16]), 0x0281), found(v4)],
    ["PPP in HDLC", 50, hdlc(0xff, ppp(v6)), found(v6)],
    ["Cisco's HDLC by its address", 50, cisco(0x0800, v4), found(v4)],
    ["Cisco's HDLC where PPP is stated", 9, cisco(0x0800, v4), found(v4)],
    ["Cisco's HDLC", 104, cisco(0x86dd, v6), found(v6)],
    ["Cisco's HDLC with a direction", 205, concat(Uint8Array.of(1), cisco(0x0800, v4)), found(v4)],
    ["PPP with a direction instead of the address", 166, hdlc(1, ppp(v4)), found(v4)],
    ["PPP with a direction before it", 204, concat(Uint8Array.of(0), hdlc(0xff, ppp(v4))), found(v4)],
    ["MPLS", 1, ethernet(mpls(v4, [17]), [], 0x8847), found(v4)],
    ["MPLS without a link header", 219, mpls(v6, [3, 4]), found(v6)],
    ["twelve labels", 1, ethernet(mpls(v6, new Array(12).fill(99)), [], 0x8848), found(v6)],
    ["a pseudowire without a control word", 1, ethernet(mpls(sentTo(0x00, v4), [1]), [], 0x8847), found(v4)],
    ["a pseudowire to an address of other bits", 1, ethernet(mpls(sentTo(0x8a, v6), [1]), [], 0x8847), found(v6)],
    [
      "a pseudowire",
      1,
      ethernet(mpls(concat(new Uint8Array(4), ethernet(v4, [0x8100])), [1]), [], 0x8847),
      found(v4, "VLAN 100"),
    ],
    ["802.11", 105, ieee80211(v4), found(v4)],
    ["802.11 from the access point", 105, ieee80211(v6, { flags: 2 }), found(v6)],
    ["802.11 with quality of service", 105, ieee80211(v4, { subtype: 8, qosControl: 5 }), found(v4)],
    ["802.11 with HT control", 105, ieee80211(v4, { subtype: 8, qosControl: 0, flags: 0x81 }), found(v4)],
    ["802.11 between access points", 105, ieee80211(v4, { flags: 3 }), found(v4)],
    ["802.11 with radiotap", 127, radiotap(ieee80211(v4)), found(v4)],
    ["802.11 with a long radiotap", 127, radiotap(concat(ieee80211(v4), text("FCS.")), 0x10, 2), found(v4)],
    [
      "802.11 with a rate, but no flags, in its radiotap",
      127,
      concat(numbers([4, 0x0900], [4, 0x04000000], [1, 0x40]), ieee80211(v4)),
      found(v4),
    ],
    ["802.11 that is padded", 127, radiotap(ieee80211(v4, { subtype: 8, qosControl: 0 }, 2), 0x20, 1), found(v4)],
    ["PPI before 802.11", 192, concat(littleEndian([2, 0], [2, 8], [4, 105]), ieee80211(v4)), found(v4)],
    ["PPI with fields", 192, concat(littleEndian([2, 0], [2, 12], [4, 1], [4, 7]), ethernet(v6)), found(v6)],
    ["PKTAP before Ethernet", 258, concat(pktap(1), ethernet(v4)), found(v4)],
    ["loopback on Linux", 0, concat(littleEndian([4, 10]), v6), found(v6)],
    ["loopback on Windows", 0, concat(littleEndian([4, 23]), v6), found(v6)],
    ["PKTAP of the loopback interface", 258, concat(pktap(0), littleEndian([4, 30]), v6), found(v6)],
    ["NFLOG of a little-endian machine", 239, nflog(littleEndian, v4), found(v4)],
    ["NFLOG of a big-endian machine", 239, nflog(numbers, v6), found(v6)],
  ])("is skipped: %s", (_name, linkType, bytes, lines) => {
    const network = new TestNetwork().packet(bytes, linkType);
    expect(network.take()).toEqual(lines);
    expect(network.others).toEqual({});
    if (recorders.has(linkType)) return;
    const behindHeader = new TestNetwork().packet(concat(pktap(linkType), bytes), 258);
    expect(behindHeader.take()).toEqual(lines);
  });

  const frame = ieee80211(v4);
  test.each([
    ["an 802.11 management frame", 105, concat(Uint8Array.of(0x80), frame.subarray(1)), "IEEE 802.11 management"],
    ["an 802.11 control frame", 105, Uint8Array.of(0xd4, 0), "IEEE 802.11 control"],
    ["an encrypted 802.11 frame", 105, ieee80211(v4, { flags: 0x41 }), "IEEE 802.11 protected frame"],
    ["an 802.11 null frame", 105, ieee80211(v4, { subtype: 4 }), "IEEE 802.11 data frame without data"],
    ["an 802.11 fragment", 105, ieee80211(v4, { sequenceControl: 1 }), "IEEE 802.11 fragment"],
    ["the first 802.11 fragment", 105, ieee80211(v4, { flags: 5 }), "IEEE 802.11 fragment"],
    ["an A-MSDU", 105, ieee80211(v4, { subtype: 8, qosControl: 0x80 }), "IEEE 802.11 aggregate (A-MSDU)"],
    ["a damaged 802.11 frame", 127, radiotap(frame, 0x40), "IEEE 802.11 frame with a wrong checksum"],
    [
      "a radiotap header of another version",
      127,
      concat(Uint8Array.of(1), radiotap(frame).subarray(1)),
      "malformed radiotap header",
    ],
    ["PPPoE that opens a session", 1, ethernet(new Uint8Array(20), [], 0x8863), "PPPoE discovery"],
    ["PPPoE of an unknown code", 1, ethernet(numbers([2, 0x11a7], [4, 0]), [], 0x8864), "PPPoE discovery"],
    ["PPP's own protocols", 9, ppp(text("x"), 0xc021), "PPP (LCP)"],
    ["an unknown protocol of PPP", 9, ppp(text("x"), 0x0041), "PPP (protocol 0x0041)"],
    ["MPLS with something else", 219, mpls(text("\x50"), [1]), "MPLS without IP"],
    ["a spanning tree", 1, ethernet(numbers([1, 0x42], [1, 0x42], [1, 3]), [], 3), "IEEE 802.2 LLC (spanning tree)"],
    [
      "LLC for IP that carries no information",
      1,
      ethernet(concat(numbers([1, 6], [1, 6], [1, 0xe3]), v4), [], v4.length + 3),
      "IEEE 802.2 LLC (0x06)",
    ],
    ["an unknown access point", 1, ethernet(numbers([1, 0x45], [2, 0]), [], 3), "IEEE 802.2 LLC (0x45)"],
    ["SNAP of someone", 1, snap(v4, 0x00000c, 0x2000), "SNAP (organisation 0x00000c)"],
    [
      "an unknown Linux type",
      113,
      concat(linuxCooked(v4).subarray(0, 14), numbers([2, 12]), v4),
      "Linux protocol type 12",
    ],
    ["a PPI header of another version", 192, littleEndian([1, 1], [1, 0], [2, 8], [4, 1]), "malformed PPI header"],
    [
      "PPI before something else",
      192,
      concat(littleEndian([2, 0], [2, 8], [4, 195]), v4),
      "IEEE 802.15.4 (link type 195)",
    ],
    ["NFLOG without a packet", 239, numbers([4, 0x02000000], [2, 8], [2, 1], [4, 0]), "NFLOG without a packet"],
    ["a PKTAP record without a packet", 258, littleEndian([4, 12], [4, 2], [4, 1]), "PKTAP record without a packet"],
    ["a PKTAP header that is absurd", 258, littleEndian([4, 3], [4, 1], [4, 1]), "malformed PKTAP header"],
    ["an NFLOG value without a length", 239, numbers([4, 0x02000000], [2, 0], [2, 1]), "malformed NFLOG value"],
  ])("is counted: %s", (_name, linkType, bytes, what) => {
    expect(new TestNetwork().packet(bytes, linkType).others).toEqual({ [what]: 1 });
  });

  const short = "malformed link header";
  test.each([
    ["radiotap", 127, radiotap(frame), 20, short],
    ["MPLS", 219, mpls(v4, [1, 2, 3]), 8, short],
    ["SNAP", 1, snap(v4), 20, "IEEE 802.3 length beyond the end of the frame"],
    ["a VLAN tag", 1, ethernet(v4, [0x8100]), 16, short],
    ["PPPoE", 51, pppoe(ppp(v4)), 5, short],
    ["PPP", 9, ppp(v4), 1, short],
    ["802.11", 105, frame, 23, short],
    ["Linux cooked", 113, linuxCooked(v4), 15, short],
    ["PPI", 192, concat(littleEndian([2, 0], [2, 80], [4, 1]), new Uint8Array(72), ethernet(v4)), 8, PPI],
    ["PPI without its length", 192, concat(littleEndian([2, 0], [2, 8], [4, 1]), ethernet(v4)), 2, short],
    ["PKTAP", 258, concat(pktap(1), ethernet(v4)), 12, "PKTAP length beyond the end of the frame"],
    ["PKTAP of four bytes", 258, concat(pktap(1), ethernet(v4)), 4, short],
    ["NFLOG", 239, nflog(numbers, v4), 20, "NFLOG without a packet"],
  ])("that is cut is not taken for one that is too short: %s", (_name, linkType, bytes, length, what) => {
    expect(new TestNetwork().packet(bytes, linkType, length).others).toEqual({ [CUT]: 1 });
    expect(new TestNetwork().packet(bytes.subarray(0, length), linkType).others).toEqual({ [what]: 1 });
  });

  test("is followed only to a limited depth", () => {
    let packet = ethernet(v4);
    for (let depth = 0; depth < 9; depth++) packet = ethernet(mpls(concat(new Uint8Array(4), packet), [1]), [], 0x8847);
    expect(new TestNetwork().packet(packet, 1).others).toEqual({ "too many nested frames": 1 });
  });

  const tagged = (count: number) => ethernet(v4, new Array(count).fill(0x8100));

  test("is followed through a limited number of VLAN tags", () => {
    expect(new TestNetwork().packet(tagged(8), 1).network.counts.tcp).toBe(1);
    const network = new TestNetwork().packet(tagged(9), 1).packet(ethernet(v4, [0x8100]), 1);
    expect(network.others).toEqual({ "too many VLAN tags": 1 });
    expect(network.network.counts).toMatchObject({ tcp: 1, limits: new Map([["vlanTags", 1]]) });
  });

  test("is followed through as many VLAN tags in all frames and tunnels together", () => {
    const inner = (count: number) => ethernet(mpls(concat(new Uint8Array(4), tagged(count)), [1]), [0x8100], 0x8847);
    expect(new TestNetwork().packet(inner(7), 1).network.counts.tcp).toBe(1);
    expect(new TestNetwork().packet(inner(8), 1).others).toEqual({ "too many VLAN tags": 1 });
    const tunnel = (count: number) =>
      ethernet(ipPacket(47, "10.9.0.1", "10.9.0.2", concat(numbers([2, 0], [2, 0x6558]), tagged(count))), [0x88a8]);
    expect(new TestNetwork().packet(tunnel(7), 1).network.counts.tcp).toBe(1);
    expect(new TestNetwork().packet(tunnel(8), 1).others).toEqual({ "too many VLAN tags": 1 });
  });

  test("may have many VLAN tags, which leaves paths for other packets", () => {
    const network = new TestNetwork({ paths: 12 }).packet(tagged(1000), 1);
    network.packet(ethernet(v4, [0x8100], 0x0800, 200), 1).packet(ethernet(v4, [0x8100], 0x0800, 300), 1);
    expect(network.network.counts.tcp).toBe(2);
  });
});

describe("the same addresses and ports", () => {
  const BACK = {
    source: INNER.destination,
    sourcePort: INNER.destinationPort,
    destination: INNER.source,
    destinationPort: INNER.sourcePort,
  };
  const back = tcpPacket(BACK, { sequence: 700, acknowledgment: 105, payload: text("answer") });

  test("in two VLANs are two conversations if their numbers differ, each with both directions", () => {
    const network = new TestNetwork();
    const hello = (sequence: number, acknowledgment: number) =>
      tcpPacket(INNER, { sequence, acknowledgment, payload: text("hello") });
    const tagged = (packet: Uint8Array, vlan: number) => ethernet(packet, [0x8100], 0x0800, vlan);
    const answer = tcpPacket(BACK, { sequence: 5000, acknowledgment: 900_000_005, payload: text("answer") });
    network.packet(tagged(hello(100, 700), 100), 1).packet(tagged(hello(900_000_000, 5000), 200), 1);
    network.packet(tagged(back, 100), 1).packet(tagged(answer, 200), 1);
    network.packet(ethernet(hello(1_800_000_000, 6)), 1);
    expect(network.take()).toEqual([
      "0 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 (VLAN 100) #1",
      "0 c2s hello #1",
      "1 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 (VLAN 200) #2",
      "1 c2s hello #2",
      "0 s2c answer #3",
      "1 s2c answer #4",
      "2 opened tcp 192.168.0.1:4000? > 192.168.0.2:14617 #5",
      "2 c2s hello #5",
    ]);
  });

  test("after different labels are one conversation: labels belong to one direction", () => {
    const network = new TestNetwork().packet(mpls(v4, [16, 17]), 219).packet(mpls(back, [30]), 219);
    expect(network.take()).toEqual([...found(v4), "0 s2c answer #2"]);
  });

  test.each([
    ["PPPoE sessions", 1, ethernet(pppoe(ppp(v4)), [], 0x8864)],
    ["kinds of tunnel", 1, ethernet(ipPacket(4, "10.9.0.1", "10.9.0.2", v4))],
    ["tunnels", 2, ethernet(ipPacket(4, "10.9.0.1", "10.9.0.2", v4))],
  ])("in too many %s are counted, not confused", (_name, paths, packet) => {
    const network = new TestNetwork({ paths }).packet(packet, 1).packet(packet, 1);
    expect(network.take()).toEqual([]);
    expect(network.others).toEqual({ "too many VLANs and tunnels to tell apart": 2 });
    expect(network.network.counts.limits).toEqual(new Map([["paths", 2]]));
  });

  test("in too many VLANs are counted, not confused", () => {
    const network = new TestNetwork({ paths: 3 });
    for (const vlan of [1, 2, 3, 1, 4]) network.packet(ethernet(v4, [0x8100], 0x0800, vlan), 1);
    network.packet(ethernet(v4, [0x88a8, 0x8100], 0x0800, 5), 1);
    expect(network.network.counts.tcp).toBe(3);
    expect(network.others).toEqual({ "too many VLANs and tunnels to tell apart": 3 });
    // One per packet, however many of its tags are beyond the limit.
    expect(network.network.counts.limits).toEqual(new Map([["paths", 3]]));
  });
});
