import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encode } from "lz4-browser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { endpointText } from "../../src/network/address.js";
import {
  type Conversation,
  type ConversationListener,
  type Direction,
  type NetworkListener,
  senderOf,
} from "../../src/network/conversation.js";
import { Network } from "../../src/network/network.js";
import { openCapture } from "../../src/platform/node/capture-file.js";
import { CaptureViewer } from "../support/capture-viewer.js";
import { PcapngWriter, pcapFile } from "../support/captures.js";
import {
  ayiya,
  backbone,
  capwap,
  erspan,
  exportedPdu,
  fddi,
  framedPpp,
  greVersion1,
  ipoib,
  l2tp,
  lisp,
  pflog,
  tzsp,
  vxlanGpe,
} from "../support/encapsulations.js";
import {
  addressFamily,
  concat,
  type Ends,
  ethernet,
  Flag,
  geneve,
  gre,
  gtp,
  ieee80211,
  ipFragments,
  ipPacket,
  linuxCooked,
  linuxCooked2,
  mpls,
  numbers,
  ppp,
  pppoe,
  radiotap,
  snap,
  TcpTalk,
  tcpBytes,
  tcpPacket,
  text,
  udpPacket,
  vxlan,
} from "../support/packets.js";
import { listening } from "../support/recording.js";
import { SAMPLES, sample } from "../support/samples.js";
import { type CaptureView, type Sent, tsharkVersion } from "../support/tshark.js";
import { ONE, OTHER, over } from "../support/tunnelled.js";

/** Keeps what each end of each conversation sent. Gaps are written in tshark's form. */
class SentLog implements NetworkListener {
  readonly tcp: Record<string, string>[] = [];
  readonly udp: Record<string, string>[] = [];

  opened(conversation: Conversation): ConversationListener {
    const sent: Record<string, string> = {};
    this[conversation.transport].push(sent);
    const add = (direction: Direction, bytes: Uint8Array) => {
      if (bytes.length === 0) return;
      const end = endpointText(senderOf(conversation, direction));
      sent[end] = (sent[end] ?? "") + Buffer.from(bytes).toString("hex");
    };
    const gap = (direction: Direction, length: number) =>
      add(direction, text(`[${length} bytes missing in capture file]\0`));
    return listening({ bytes: add, datagram: add, gap });
  }
}

/** What this program finds in a capture. */
async function ownView(path: string): Promise<CaptureView> {
  const log = new SentLog();
  const network = new Network(log);
  const problems: string[] = [];
  const { lastFrame } = await readCapture(openCapture(path), path, {
    packet: network.packet.bind(network),
    problem: ({ text }) => problems.push(text),
  });
  network.end();
  expect(problems).toEqual([]);
  const { tcp, udp, others } = network.counts;
  const ofTcp = [...others].filter(([what]) => what.startsWith("TCP ")).reduce((sum, [, count]) => sum + count, 0);
  return { packets: lastFrame, inTcp: tcp + ofTcp, inUdp: udp, tcp: log.tcp, udp: log.udp };
}

const CLIENT = ["10.0.0.1", 40_000] as const;
const SERVER = ["10.0.0.2", 14_617] as const;
const ASK: Ends = { source: "10.0.0.1", sourcePort: 5000, destination: "10.0.0.2", destinationPort: 5154 };
const ANSWER: Ends = { source: "10.0.0.2", sourcePort: 5154, destination: "10.0.0.1", destinationPort: 5000 };

/** A session of a few segments, as IP packets. */
function session(
  client: readonly [string, number] = CLIENT,
  server: readonly [string, number] = SERVER,
  initial: readonly [number, number] = [0xffff_fff8, 0x7fff_fff0],
): Uint8Array[] {
  const tcp = new TcpTalk(client, server, initial);
  const opening = tcp.handshake();
  const asks = [tcp.send(0, "the first question, "), tcp.send(0, "the second one")];
  const answers = [tcp.ack(1), tcp.send(1, "an answer "), tcp.ack(0), tcp.send(1, "to both of them")];
  return [...opening, ...asks, ...answers, tcp.ack(0), tcp.fin(0), tcp.fin(1), tcp.ack(0)];
}

const V6 = session(["2001:db8::1", 40_000], ["2001:db8::2", 14_617]);

function damaged(): Uint8Array[] {
  const tcp = new TcpTalk(CLIENT, SERVER, [1000, 5000]);
  const opening = tcp.handshake();
  const [one, two, three, four] = ["one ", "two ", "three ", "four "].map((word) => tcp.send(0, word));
  if (one === undefined || two === undefined || three === undefined || four === undefined) return [];
  const both = tcp.raw(0, { sequence: 1001, payload: text("one two ") });
  return [
    ...opening,
    four,
    two,
    two,
    one,
    // Those that are in order by now: "one " and "two ".
    tcp.raw(1, { acknowledgment: 1009 }),
    one,
    both,
    three,
    tcp.ack(1),
    tcp.fin(0),
    tcp.fin(1),
    tcp.ack(0),
  ];
}

function reused(): Uint8Array[] {
  const other = new TcpTalk(CLIENT, SERVER, [900_000, 700_000]);
  return [...session(), ...other.handshake(), other.send(1, "again"), other.ack(0)];
}

/** The middle of a session, with a lost piece that the other side has acknowledged. */
function lossy(): Uint8Array[] {
  const tcp = new TcpTalk(CLIENT, SERVER, [1000, 5000]);
  const opening = tcp.handshake();
  const before = tcp.send(0, "before the gap");
  tcp.send(0, "lost");
  const after = tcp.send(0, "behind it");
  return [...opening, before, after, tcp.ack(1), tcp.send(0, ", and on"), tcp.ack(1)];
}

const ip = (protocol: number, packet: Uint8Array): Uint8Array => ipPacket(protocol, ONE, OTHER, packet);

/** Packets of a link type, in which both programs have to find the same. */
const CAPTURES: readonly (readonly [name: string, linkType: number, packets: readonly Uint8Array[]])[] = [
  ["a session", 101, session()],
  ["a session over IPv6", 101, V6],
  ["segments out of order and repeated", 101, damaged()],
  ["a port pair that is used again", 101, reused()],
  ["the middle of a session", 101, session().slice(3)],
  ["one side of a session", 101, session().filter((packet) => packet[15] === 1)],
  ["a loss", 101, lossy()],
  ["datagrams", 101, [udpPacket(ASK, text("ask")), udpPacket(ANSWER, text("answer")), udpPacket(ASK, text("more"))]],
  ["Ethernet", 1, [...session(), ...V6].map((packet) => ethernet(packet))],
  ["Ethernet with padding", 1, session().map((packet) => concat(ethernet(packet), new Uint8Array(9)))],
  ["a VLAN", 1, session().map((packet) => ethernet(packet, [0x8100]))],
  ["VLANs in VLANs", 1, session().map((packet) => ethernet(packet, [0x88a8, 0x8100]))],
  ["SNAP", 1, session().map((packet) => snap(packet))],
  ["PPPoE", 1, session().map((packet) => ethernet(pppoe(ppp(packet)), [], 0x8864))],
  ["MPLS", 1, session().map((packet) => ethernet(mpls(packet, [100, 200]), [], 0x8847))],
  ["PPP", 9, session().map((packet) => ppp(packet))],
  ["Linux cooked", 113, session().map((packet) => linuxCooked(packet))],
  ["Linux cooked v2", 276, V6.map((packet) => linuxCooked2(packet))],
  ["null", 0, session().map((packet) => addressFamily(packet, 2, true))],
  ["loop", 108, session().map((packet) => addressFamily(packet, 2, false))],
  ["802.11", 105, session().map((packet) => ieee80211(packet))],
  ["802.11 with radiotap", 127, V6.map((packet) => radiotap(ieee80211(packet, { subtype: 8, qosControl: 0 })))],
  ["IPv4 in IPv4", 101, session().map((packet) => ip(4, packet))],
  ["6in4", 101, V6.map((packet) => ip(41, packet))],
  ["GRE", 101, session().map((packet) => ip(47, gre(packet, { key: 7, checksum: false, sequence: 1 })))],
  ["Ethernet in GRE", 101, session().map((packet) => ip(47, gre(ethernet(packet), { type: 0x6558 })))],
  ["VXLAN", 101, session().map((packet) => udpPacket(over(4789), vxlan(ethernet(packet), 42)))],
  ["GENEVE", 101, session().map((packet) => udpPacket(over(6081), geneve(ethernet(packet), 42, 0x6558)))],
  ["GTP-U", 101, session().map((packet) => udpPacket(over(2152), gtp(packet, 42)))],
  ["E-Tag", 1, session().map((packet) => ethernet(concat(numbers([4, 5], [2, 0], [2, 0x800]), packet), [], 0x893f))],
  ["VN-Tag", 1, session().map((packet) => ethernet(concat(numbers([4, 0x80010002], [2, 0x800]), packet), [], 0x8926))],
  ["a backbone (PBB)", 1, session().map((packet) => ethernet(backbone(ethernet(packet), 7), [], 0x88e7))],
  ["FDDI", 10, session().map((packet) => fddi(packet))],
  ["pflog", 117, session().map((packet) => pflog(packet))],
  ["IP over InfiniBand", 242, session().map((packet) => concat(new Uint8Array(40), ipoib(packet)))],
  ["exported PDUs", 252, session().map((packet) => exportedPdu("ip", packet))],
  ["TZSP as a link layer", 128, session().map((packet) => tzsp(ethernet(packet)))],
  ["TZSP", 101, session().map((packet) => udpPacket(over(37008), tzsp(ethernet(packet))))],
  ["L2TP", 101, session().map((packet) => udpPacket(over(1701), l2tp(framedPpp(packet), 0x4002)))],
  ["Teredo", 101, V6.map((packet) => udpPacket(over(3544), packet))],
  ["EtherIP", 101, session().map((packet) => ip(97, concat(numbers([2, 0x3000]), ethernet(packet))))],
  ["VXLAN-GPE", 101, session().map((packet) => udpPacket(over(4790), vxlanGpe(packet, 1, 42)))],
  [
    "VXLAN with reserved bits",
    101,
    session().map((packet) => udpPacket(over(4789), vxlan(ethernet(packet), 42, 0x0a000001))),
  ],
  ["GRE in UDP", 101, session().map((packet) => udpPacket(over(4754), gre(packet)))],
  ["MPLS in UDP", 101, session().map((packet) => udpPacket(over(6635), mpls(packet, [5])))],
  ["LISP", 101, session().map((packet) => udpPacket(over(4341), lisp(packet, 7)))],
  ["CAPWAP", 101, session().map((packet) => udpPacket(over(5247), capwap(ethernet(packet))))],
  ["Aruba's GRE", 101, session().map((packet) => ip(47, gre(ieee80211(packet), { type: 0x8200 })))],
  ["AYIYA", 101, V6.map((packet) => udpPacket(over(5072), ayiya(packet, 41)))],
  ["ERSPAN", 101, session().map((packet) => ip(47, gre(erspan(ethernet(packet)), { type: 0x88be, sequence: 1 })))],
  ["PPTP", 101, session().map((packet) => ip(47, greVersion1(framedPpp(packet), 0x880b, 7)))],
  ["PPPoE with padding", 1, session().map((packet) => concat(ethernet(pppoe(ppp(packet)), [], 0x8864), text("pad")))],
  ["802.11 with a checksum", 127, session().map((packet) => radiotap(concat(ieee80211(packet), text("fcs.")), 0x10))],
  [
    "fragments",
    101,
    [
      ...ipFragments(17, ASK.source, ASK.destination, udpPacket(ASK, text("a fragmented one")).subarray(20), [8, 8]),
      ...ipFragments(
        6,
        "fd00::1",
        "fd00::2",
        tcpBytes({ ...ASK, source: "fd00::1", destination: "fd00::2" }, { sequence: 9, payload: text("in pieces") }),
        [16],
      ).reverse(),
    ],
  ],
  [
    "what is not understood",
    1,
    [ethernet(text("who has it?"), [], 0x0806), ...session().map((packet) => ethernet(packet))],
  ],
];

const title = `compared with ${tsharkVersion ?? "tshark, which is not installed"}`;
if (tsharkVersion === undefined) {
  console.warn("tshark is not installed: what this program makes of captures is not compared with it.");
}

describe.skipIf(tsharkVersion === undefined)(title, () => {
  const viewer = new CaptureViewer();
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
  });
  afterAll(async () => {
    viewer.stop();
    await rm(folder, { recursive: true });
  });

  async function written(bytes: Uint8Array): Promise<string> {
    const path = join(folder, "capture");
    await writeFile(path, bytes);
    return path;
  }

  function capture(linkType: number, packets: readonly Uint8Array[], snapLength?: number): Uint8Array {
    const records = packets.map((data, index) => ({
      data: data.subarray(0, snapLength),
      originalLength: data.length,
      time: BigInt(index) * 1_000_000n,
    }));
    return pcapFile(records, { linkType });
  }

  /** What both programs find, this program first. */
  async function both(path: string): Promise<readonly [CaptureView, CaptureView]> {
    const own = await ownView(path);
    // tshark counts tunnels over UDP as conversations, too.
    return [own, await viewer.view(path, own.tcp.length, own.udp.length + 2)];
  }

  test.each(SAMPLES)(
    "%s has the same packets, streams and bytes",
    async (name) => {
      const [own, other] = await both(sample(name));
      expect(own).toEqual(other);
    },
    60_000,
  );

  test.each(CAPTURES)("%s: the same packets, streams and bytes", async (_name, linkType, packets) => {
    const [own, other] = await both(await written(capture(linkType, packets)));
    expect(own.tcp.length + own.udp.length).toBeGreaterThan(0);
    expect(own).toEqual(other);
  });

  test("every container has the same packets, streams and bytes", async () => {
    const write = new PcapngWriter(false);
    const plain = capture(101, session());
    const files = [
      pcapFile(
        session().map((data) => ({ data })),
        { linkType: 101, little: false, nanoseconds: true },
      ),
      pcapFile(
        session().map((data) => ({ data })),
        { linkType: 101, modified: true },
      ),
      pcapFile(
        session().map((data) => ({ data })),
        { linkType: 101, version: [2, 2], swapped: true },
      ),
      pcapFile(
        session().map((data) => ({ data })),
        { linkType: 0x4400_0065 },
      ),
      concat(
        write.section(),
        write.interface({ linkType: 101 }),
        write.custom(text("what is it?")),
        ...session().map(
          (data, index) =>
            [write.enhanced({ data }, 0n), write.simple({ data }), write.obsolete({ data }, 0n)][index % 3] ?? data,
        ),
        write.block(5, new Uint8Array(12)),
      ),
      gzipSync(plain),
      encode(Buffer.from(plain)),
    ];
    for (const file of files) {
      const [own, other] = await both(await written(file));
      expect(own.inTcp).toBe(session().length);
      expect(own).toEqual(other);
    }
  }, 30_000);

  /** Where tshark is known to be wrong, or deliberately behaves differently. */
  describe("differs on purpose", () => {
    const hex = (words: string): string => Buffer.from(words).toString("hex");
    const sent = (client: string, server = ""): Sent => ({
      "10.0.0.1:40000": hex(client),
      ...(server === "" ? {} : { "10.0.0.2:14617": hex(server) }),
    });

    test("text on an RST is not data", async () => {
      const tcp = new TcpTalk(CLIENT, SERVER, [1, 1]);
      const packets = [...tcp.handshake(), tcp.send(0, "data"), tcp.ack(1), tcp.rst(0, text("go away"))];
      const [own, other] = await both(await written(capture(101, packets)));
      expect(own.tcp).toEqual([sent("data")]);
      expect(other.tcp).toEqual([sent("datago away")]);
    });

    test("data after an unacknowledged gap is kept", async () => {
      const tcp = new TcpTalk(CLIENT, SERVER, [1, 1]);
      const packets = [...tcp.handshake(), tcp.send(0, "data")];
      tcp.send(0, "lost");
      packets.push(tcp.send(0, "behind"));
      const [own, other] = await both(await written(capture(101, packets)));
      expect(own.tcp).toEqual([sent("data[4 bytes missing in capture file]\0behind")]);
      expect(other.tcp).toEqual([sent("data")]);
    });

    test("data recorded after its acknowledgment is kept", async () => {
      const tcp = new TcpTalk(CLIENT, SERVER, [1, 1]);
      const opening = tcp.handshake();
      const [one, two] = [tcp.send(0, "one "), tcp.send(0, "two")];
      const [own, other] = await both(await written(capture(101, [...opening, two, tcp.ack(1), one, tcp.ack(1)])));
      expect(own.tcp).toEqual([sent("one two")]);
      expect(other.tcp).toEqual([sent("[4 bytes missing in capture file]\0two")]);
    });

    test("the same addresses and ports in two VLANs are two conversations", async () => {
      const sessions = [session(), session(CLIENT, SERVER, [900_000_000, 300_000_000])];
      const packets = session().flatMap((_packet, at) =>
        sessions.map((packetsOf, index) => ethernet(packetsOf[at] ?? new Uint8Array(0), [0x8100], 0x0800, 1 + index)),
      );
      const [own, other] = await both(await written(capture(1, packets)));
      expect(own.tcp.length).toBe(2);
      expect(own.tcp[0]).toEqual(own.tcp[1]);
      expect([own.inTcp, other.inTcp]).toEqual([packets.length, packets.length]);
      expect(other.tcp).not.toEqual(own.tcp);
    });

    test("data cut by the snap length is reported as missing", async () => {
      const [own, other] = await both(await written(capture(101, session(), 50)));
      const client = "the first [10 bytes missing in capture file]\0the second[4 bytes missing in capture file]\0";
      const server = "an answer to both of[5 bytes missing in capture file]\0";
      expect(own.tcp).toEqual([sent(client, server)]);
      expect({ ...other, tcp: [] }).toEqual({ ...own, tcp: [] });
    });

    test("a packet of a port pair's old connection does not open a new one", async () => {
      const tcp = new TcpTalk(CLIENT, SERVER, [1, 1]);
      const packets = [...tcp.handshake(), tcp.send(0, "data"), tcp.raw(0, { flags: Flag.rst, sequence: 0x7fff_0000 })];
      packets.push(tcp.send(0, " and more"), tcpPacket({ ...ASK, sourcePort: 1 }, {}));
      const [own, other] = await both(await written(capture(101, packets)));
      expect(own.tcp[0]).toEqual(sent("data and more"));
      expect(own.inTcp).toBe(other.inTcp);
    });
  });
});
