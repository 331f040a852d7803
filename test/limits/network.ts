import type { Limits } from "../../src/limits.js";
import {
  concat,
  ethernet,
  Flag,
  ipFragments,
  ipv4Packet,
  mpls,
  numbers,
  type TcpTalk,
  udpBytes,
  udpPacket,
} from "../support/packets.js";
import { words } from "../support/toy.js";
import { captured, dissected, ends, ran, type Scenario, talk } from "./scenario.js";

const ETHERNET = 1;

async function wordsAndReached(file: Uint8Array, limits: Partial<Limits>) {
  const { lines, reached } = await dissected(file, limits);
  return { lines, reached };
}

/** An Ethernet frame inside this many others. */
function framesInFrames(depth: number): Uint8Array {
  let frame = ethernet(udpPacket(ends(), words("deep")));
  for (let layer = 0; layer < depth; layer++) {
    frame = ethernet(mpls(concat(numbers([4, 0]), frame), [16]), [], 0x8847);
  }
  return frame;
}

/** A packet inside this many tunnels. */
function tunnelled(depth: number): Uint8Array {
  let packet = udpPacket(ends(), words("deep"));
  for (let layer = 0; layer < depth; layer++) packet = ipv4Packet(4, "198.51.100.1", "198.51.100.2", packet);
  return packet;
}

/** Both fragments of a datagram. */
function fragmented(port: number, word: string): readonly [Uint8Array, Uint8Array] {
  const { source, destination } = ends();
  const [first, second] = ipFragments(17, source, destination, udpBytes(ends(port), words(word)), [8], port);
  if (first === undefined || second === undefined) throw new Error("there are no two fragments");
  return [first, second];
}

/** Two datagrams whose fragments are interleaved. */
function mixedFragments(): Uint8Array {
  const [one, two] = [fragmented(1, "one"), fragmented(2, "two")];
  return captured([one[0], two[0], one[1], two[1]]);
}

/** A late segment, and this many of 100 bytes that arrive before it. */
function late(segments: number): Uint8Array {
  const tcp = talk();
  const packets = [...tcp.handshake(), tcp.send(0, words("first"))];
  const missing = tcp.send(0, words("late"));
  for (let index = 0; index < segments; index++) packets.push(tcp.send(0, words(`${index}`.padEnd(99, "."))));
  return captured([...packets, missing], { spacing: 0.001 });
}

/** The words that arrived, and what was there instead of others. */
async function lateAnd(segments: number, limits: Partial<Limits>) {
  const { lines, reached } = await dissected(late(segments), limits);
  return { lines: lines.map((line) => line.replace(/\.+$/, "")), reached };
}

const inOrder = { lines: ["0 c2s first", "0 c2s late", "0 c2s 0", "0 c2s 1", "0 c2s 2"], reached: {} };
/** The words of this protocol cannot be found after a gap. */
const givenUp = { lines: ["0 c2s first", "0 c2s gap", "0 c2s skipped"] };

/** Data that is acknowledged before it arrives, three packets later. */
function mixedUp(spacing: number): Uint8Array {
  const tcp = talk();
  const packets = [...tcp.handshake(), tcp.send(0, words("one"))];
  const two = tcp.send(0, words("two"));
  packets.push(tcp.send(0, words("three")), tcp.ack(1), tcp.send(1, words("a")), tcp.send(1, words("b")), two);
  return captured(packets, { spacing });
}

const acknowledgedFirst = {
  lines: ["0 c2s one", "0 c2s two", "0 c2s three", "0 s2c a", "0 s2c b"],
  reached: {},
};
const takenForLost = { lines: ["0 c2s one", "0 c2s gap", "0 s2c a", "0 s2c b", "0 c2s skipped"], reached: {} };

/** A connection that is reset, and goes on ten seconds later. */
function resetAndGoesOn(tcp: TcpTalk): Uint8Array {
  const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.ack(1), tcp.rst(1)];
  return captured([...packets, tcp.send(0, words("two")), tcp.send(1, words("answer"))], { spacing: 10 });
}

/** What is reported about retransmitted words that differ. */
async function conflicts(
  packets: (tcp: TcpTalk) => Uint8Array[],
  limits: Partial<Limits>,
): Promise<string | undefined> {
  const tcp = talk();
  const { stderr } = await ran(captured([...tcp.handshake(), ...packets(tcp)]), limits);
  return /stream 0: .* retransmitted .*$/m.exec(stderr)?.[0];
}

export const networkScenarios = {
  frames: {
    value: 1,
    observe: (limits) =>
      wordsAndReached(captured([framesInFrames(1), framesInFrames(2)], { linkType: ETHERNET }), limits),
    limited: { lines: ["0 c2s deep"], reached: { frames: 1 } },
    otherwise: { lines: ["0 c2s deep", "0 c2s deep"], reached: {} },
  },
  vlanTags: {
    value: 1,
    observe: (limits) => {
      const packets = [1, 2].map((tags) => ethernet(udpPacket(ends(), words("x")), new Array(tags).fill(0x8100)));
      return wordsAndReached(captured(packets, { linkType: ETHERNET }), limits);
    },
    limited: { lines: ["0 c2s x"], reached: { vlanTags: 1 } },
    otherwise: { lines: ["0 c2s x", "1 c2s x"], reached: {} },
  },
  paths: {
    value: 2,
    observe: (limits) => {
      const packets = [10, 20, 10].map((vlan) => ethernet(udpPacket(ends(), words("x")), [0x8100], undefined, vlan));
      return wordsAndReached(captured(packets, { linkType: ETHERNET }), limits);
    },
    limited: { lines: ["0 c2s x", "0 c2s x"], reached: { paths: 1 } },
    otherwise: { lines: ["0 c2s x", "1 c2s x", "0 c2s x"], reached: {} },
  },
  tunnels: {
    value: 1,
    observe: (limits) => wordsAndReached(captured([tunnelled(2), tunnelled(1)]), limits),
    limited: { lines: ["0 c2s deep"], reached: { tunnels: 1 } },
    otherwise: { lines: ["0 c2s deep", "1 c2s deep"], reached: {} },
  },
  fragmentedPackets: {
    value: 1,
    observe: (limits) => wordsAndReached(mixedFragments(), limits),
    // After the first packet, the second one makes room for the rest of the first.
    limited: { lines: [], reached: { fragmentedPackets: 3 } },
    otherwise: { lines: ["0 c2s one", "1 c2s two"], reached: {} },
  },
  fragmentBytes: {
    value: 2048,
    observe: (limits) => wordsAndReached(mixedFragments(), limits),
    limited: { lines: [], reached: { fragmentBytes: 3 } },
    otherwise: { lines: ["0 c2s one", "1 c2s two"], reached: {} },
  },
  fragmentSeconds: {
    value: 1,
    observe: async (limits) => {
      const [first, second] = fragmented(1, "one");
      const { lines, others } = await dissected(captured([first, second], { spacing: 5 }), limits);
      return { lines, others };
    },
    limited: { lines: [], others: { "IPv4 fragment without the rest of its packet": 2 } },
    otherwise: { lines: ["0 c2s one"], others: { "IPv4 fragment, reassembled in another frame": 1 } },
  },
  conversations: {
    value: 1,
    observe: (limits) => {
      const [one, two] = [talk(1), talk(2)];
      const packets = [...one.handshake(), one.send(0, words("one")), ...two.handshake(), two.send(0, words("two"))];
      return wordsAndReached(captured([...packets, one.send(0, words("more"))]), limits);
    },
    limited: { lines: ["0 c2s one", "1 c2s two", "2 c2s more"], reached: { conversations: 2 } },
    otherwise: { lines: ["0 c2s one", "1 c2s two", "0 c2s more"], reached: {} },
  },
  idleSeconds: {
    value: 50,
    observe: async (limits) => {
      const [one, two] = [talk(1), talk(2)];
      const before = [...one.handshake(), one.send(0, words("one"))].map((packet, index) => [packet, index] as const);
      const after = [...two.handshake(), ...talk(3).handshake(), one.send(0, words("more"))];
      const { lines } = await dissected(
        captured([...before, ...after.map((packet) => [packet, 100] as const)]),
        limits,
      );
      return lines;
    },
    limited: ["0 c2s one", "3 c2s more"],
    otherwise: ["0 c2s one", "0 c2s more"],
  },
  heldBytes: {
    value: 700,
    observe: (limits) => lateAnd(3, limits),
    limited: { ...givenUp, reached: { heldBytes: 1 } },
    otherwise: inOrder,
  },
  heldSegments: {
    value: 2,
    observe: (limits) => lateAnd(3, limits),
    limited: { ...givenUp, reached: { heldSegments: 1 } },
    otherwise: inOrder,
  },
  heldBytesInAll: {
    value: 700,
    observe: (limits) => lateAnd(3, limits),
    limited: { ...givenUp, reached: { heldBytesInAll: 1 } },
    otherwise: inOrder,
  },
  heldOverhead: {
    value: 4 * 1024 * 1024,
    observe: (limits) => lateAnd(3, limits),
    limited: { ...givenUp, reached: { heldBytes: 1 } },
    otherwise: inOrder,
  },
  resetWindow: {
    value: 50,
    observe: async (limits) => {
      const tcp = talk();
      const packets = [...tcp.handshake(), tcp.send(0, words("one"))];
      const reset = tcp.raw(0, { flags: Flag.rst, sequence: tcp.next(0) + 100 });
      const { lines, others } = await dissected(captured([...packets, reset, tcp.send(0, words("two"))]), limits);
      return { lines, others };
    },
    limited: { lines: ["0 c2s one", "0 c2s two"], others: { "TCP reset that does not fit its connection": 1 } },
    otherwise: { lines: ["0 c2s one", "0 c2s two"], others: {} },
  },
  resetSeconds: {
    value: 1,
    observe: (limits) => wordsAndReached(resetAndGoesOn(talk()), limits),
    limited: { lines: ["0 c2s one"], reached: {} },
    otherwise: { lines: ["0 c2s one", "0 c2s two", "0 s2c answer"], reached: {} },
  },
  resetConnections: {
    value: 0,
    observe: (limits) => wordsAndReached(resetAndGoesOn(talk()), limits),
    limited: { lines: ["0 c2s one"], reached: {} },
    otherwise: { lines: ["0 c2s one", "0 c2s two", "0 s2c answer"], reached: {} },
  },
  twinConversations: {
    value: 2,
    observe: async (limits) => {
      const talks = [1, 2, 3].map((index) => talk(1111, [index * 500_000_000, index * 600_000_000]));
      const tagged = (packet: Uint8Array, vlan: number) => ethernet(packet, [0x8100], 0x0800, vlan);
      const opened = talks.flatMap((tcp, index) => tcp.handshake().map((packet) => tagged(packet, index + 1)));
      const said = talks.map((tcp, index) => tagged(tcp.send(0, words(`${index}`)), index + 1));
      const { lines, reached } = await dissected(
        captured([...opened, ...said.reverse()], { linkType: ETHERNET }),
        limits,
      );
      return { lines, reached };
    },
    limited: { lines: ["2 c2s 2", "1 c2s 1", "3 c2s 0"], reached: { twinConversations: 2 } },
    otherwise: { lines: ["2 c2s 2", "1 c2s 1", "0 c2s 0"], reached: {} },
  },
  recentBytes: {
    value: 4,
    observe: (limits) => {
      return conflicts((tcp) => {
        const again = tcp.raw(0, { payload: words("SEVENTH") });
        return [tcp.send(0, words("seventh")), again];
      }, limits);
    },
    limited: "stream 0: 4 retransmitted bytes differ from the first copy; the first copy is used",
    otherwise: "stream 0: 7 retransmitted bytes differ from the first copy; the first copy is used",
  },
  recentStretches: {
    value: 1,
    observe: (limits) => {
      return conflicts((tcp) => {
        const again = tcp.raw(0, { payload: words("ONE") });
        return [tcp.send(0, words("one")), tcp.send(1, words("between")), tcp.send(0, words("two")), again];
      }, limits);
    },
    limited: undefined,
    otherwise: "stream 0: 3 retransmitted bytes differ from the first copy; the first copy is used",
  },
  doubtPackets: {
    value: 1,
    observe: (limits) => wordsAndReached(mixedUp(0.001), limits),
    limited: takenForLost,
    otherwise: acknowledgedFirst,
  },
  doubtSeconds: {
    value: 0.1,
    observe: (limits) => wordsAndReached(mixedUp(0.11), limits),
    limited: takenForLost,
    otherwise: acknowledgedFirst,
  },
  packetKinds: {
    value: 2,
    observe: async (limits) => {
      const packets = [0x0806, 0x88cc, 0x88f7, 0x88e5].map((type) => ethernet(new Uint8Array(40), [], type));
      const { others } = await dissected(captured(packets, { linkType: ETHERNET }), limits);
      return [Object.keys(others).length, others["other packets"]];
    },
    limited: [3, 2],
    otherwise: [4, undefined],
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;
