import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pcapFile } from "../support/captures.js";
import { TestNetwork } from "../support/network.js";
import { type Address, Flag, TcpTalk, text } from "../support/packets.js";
import { tsharkVersion, tsharkView } from "../support/tshark.js";

/** The segments of a connection that its other end did not accept, and what follows them. */

const CLIENT: Address = ["10.0.0.1", 4000];
const SERVER: Address = ["10.0.0.2", 14617];
const ENDS: readonly (readonly [Address, Address])[] = [
  [CLIENT, SERVER],
  [
    ["fd00::1", 4000],
    ["fd00::2", 14617],
  ],
];

/** A connection that asks and answers a few times; `between` is recorded after the first answer. */
interface Kind {
  readonly name: string;
  /** The section that decides. */
  readonly source: string;
  /** What tshark makes of it (4.0), in a few words. */
  readonly tshark: string;
  readonly handshake?: (tcp: TcpTalk, usual: readonly Uint8Array[]) => readonly Uint8Array[];
  readonly between?: (tcp: TcpTalk) => readonly Uint8Array[];
}

/** A copy of a packet with another sequence number. */
function renumbered(packet: Uint8Array, change: number): Uint8Array {
  const copy = packet.slice();
  const view = new DataView(copy.buffer);
  const at = (copy[0] ?? 0) >>> 4 === 6 ? 44 : 24;
  view.setUint32(at, (view.getUint32(at) + change) >>> 0);
  return copy;
}

const foreign = (side: 0 | 1) => (side === 0 ? 700_000_000 : 900_000_000);

/** A challenge ACK: what is expected next. */
const challenge = (tcp: TcpTalk, side: 0 | 1) => tcp.ack(side);

const KINDS: readonly Kind[] = [
  {
    name: "a second SYN-ACK with another number before the client's ACK",
    source: "RFC 9293, 3.10.7.4 (SYN-SENT: the first acceptable one counts)",
    tshark: "loses what the server sends, or splits the connection",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, synAck, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), ack]),
  },
  {
    name: "a first SYN-ACK with another number that the client refuses",
    source: "RFC 9293, 3.10.7.3",
    tshark: "splits the connection",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), synAck, ack]),
  },
  {
    name: "a SYN-ACK whose number was damaged in the recording",
    source: "RFC 9293, 3.4 (the acknowledgment says what was received)",
    tshark: "loses what the server sends",
    handshake: (_tcp, [syn, synAck, ack]) => present([syn, synAck && renumbered(synAck, 310_914_028), ack]),
  },
  {
    name: "a SYN-ACK with another number after the handshake",
    source: "RFC 9293, 3.10.7.4; RFC 5961, 4.2",
    tshark: "splits the connection",
    handshake: (tcp, usual) => [...usual, tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) })],
  },
  {
    name: "a SYN-ACK with another number in the middle",
    source: "RFC 5961, 4.2",
    tshark: "splits the connection",
    between: (tcp) => [tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: foreign(1) }), challenge(tcp, 0)],
  },
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `a SYN of the ${who} that is answered with a challenge ACK`,
      source: "RFC 5961, 4.2",
      tshark: "splits the connection",
      between: (tcp) => [
        tcp.raw(side, { flags: Flag.syn, sequence: foreign(side), acknowledgment: 0 }),
        challenge(tcp, side === 0 ? 1 : 0),
      ],
    };
  }),
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `an RST of the ${who} in the window that both ends ignore`,
      source: "RFC 5961, 3.2; RFC 9293, 3.10.7.4 (first check)",
      tshark: "goes on, and marks the connection as reset",
      between: (tcp) => [tcp.rst(side)],
    };
  }),
  {
    name: "RSTs of both ends that a third party has forged, and both ignore",
    source: "RFC 5961, 3.2",
    tshark: "goes on, and marks the connection as reset",
    between: (tcp) => [tcp.rst(0), tcp.rst(1)],
  },
  {
    name: "a forged RST between SYN and SYN-ACK",
    source: "RFC 9293, 3.10.7.3",
    tshark: "goes on",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { flags: Flag.rst | Flag.ack, sequence: 0, acknowledgment: 1001 }), synAck, ack]),
  },
  {
    name: "a forged RST between SYN-ACK and ACK",
    source: "RFC 9293, 3.10.7.4 (SYN-RECEIVED)",
    tshark: "goes on",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, synAck, tcp.raw(0, { flags: Flag.rst, sequence: 1001 }), ack]),
  },
  {
    name: "forged data between SYN and SYN-ACK, with a number far away",
    source: "RFC 9293, 3.10.7.3",
    tshark: "takes the forged data for the stream",
    handshake: (tcp, [syn, synAck, ack]) =>
      present([syn, tcp.raw(1, { sequence: foreign(1), acknowledgment: 1001, payload: text("forged") }), synAck, ack]),
  },
  ...([0, 1] as const).map((side): Kind => {
    const who = side === 0 ? "client" : "server";
    return {
      name: `a FIN of the ${who} that both ends ignore`,
      source: "RFC 9293, 3.10.7.4 (eighth check), 3.4",
      tshark: "drops what follows it in this direction",
      between: (tcp) => [tcp.raw(side, { flags: Flag.fin | Flag.ack })],
    };
  }),
  {
    name: "data far beyond the window",
    source: "RFC 9293, 3.10.7.4 (first check)",
    tshark: "makes a gap of that length",
    between: (tcp) => [tcp.raw(0, { sequence: tcp.next(0) + 500_000_000, payload: text("far") }), challenge(tcp, 1)],
  },
  {
    name: "a FIN far beyond the window",
    source: "RFC 9293, 3.10.7.4 (first check)",
    tshark: "makes a gap of that length",
    between: (tcp) => [tcp.raw(1, { sequence: tcp.next(1) + 500_000_000, flags: Flag.fin | Flag.ack })],
  },
];

function present(packets: readonly (Uint8Array | undefined)[]): Uint8Array[] {
  return packets.filter((packet) => packet !== undefined);
}

const INITIAL = [1000, 5000] as const;

/** The packets of a connection in which a segment is contradicted. */
function packetsOf({ handshake, between }: Kind, [client, server]: readonly [Address, Address]): Uint8Array[] {
  const tcp = new TcpTalk(client, server, INITIAL);
  const usual = tcp.handshake();
  return [
    ...(handshake?.(tcp, usual) ?? usual),
    tcp.send(0, "ask1 "),
    tcp.send(1, "answer1 "),
    tcp.ack(0),
    ...(between?.(tcp) ?? []),
    tcp.send(0, "ask2 "),
    tcp.send(1, "answer2 "),
    tcp.send(0, "ask3 "),
    tcp.send(1, "answer3 "),
    tcp.ack(0),
    tcp.fin(0),
    tcp.fin(1),
    tcp.ack(0),
  ];
}

/** What each direction of each conversation delivered, and how the conversations ended. */
function outcome(packets: readonly Uint8Array[]): Record<string, string> {
  const lines = new TestNetwork().feed(...packets);
  const said: Record<string, string> = {};
  const frames = / #\d+$/;
  for (const line of [...lines.take(), ...lines.end()]) {
    const [, key = "", what = ""] = /^(\d+ (?:c2s|s2c|closed)) (.*)$/.exec(line) ?? [];
    if (key !== "") said[key] = (said[key] ?? "") + what.replace(frames, "");
  }
  return said;
}

const RIGHT = {
  "0 c2s": "ask1 ask2 ask3 finished",
  "0 s2c": "answer1 answer2 answer3 finished",
  "0 closed": "fin",
};

describe.each(KINDS)("$name", (kind) => {
  test.each(ENDS)("changes nothing between %s and %s", (...ends) => {
    expect(outcome(packetsOf(kind, ends))).toEqual(RIGHT);
  });

  test("changes nothing where every packet is recorded twice", () => {
    const packets = packetsOf(kind, [CLIENT, SERVER]);
    expect(outcome(packets.flatMap((packet) => [packet, packet]))).toEqual(RIGHT);
  });

  test("loses nothing without a mark if a packet after it is lost", () => {
    const packets = packetsOf(kind, [CLIENT, SERVER]);
    for (let lost = packets.length - 9; lost < packets.length; lost++) {
      const said = outcome(packets.filter((_, index) => index !== lost));
      for (const [direction, whole] of [
        ["0 c2s", "ask1 ask2 ask3 "],
        ["0 s2c", "answer1 answer2 answer3 "],
      ] as const) {
        const found = (said[direction] ?? "").replace("finished", "");
        const unmarked = found.replace(/gap (\d+) lost/g, (_all, length: string) => ".".repeat(Number(length)));
        const isRight = new RegExp(`^${unmarked.replace(/ /g, "[ ]")}$`).test(whole.slice(0, unmarked.length));
        expect([lost, direction, found, isRight]).toEqual([lost, direction, found, true]);
        // Only what nobody has acknowledged may be absent without a gap.
        const most = lost >= packets.length - 3 ? 8 : 0;
        expect([lost, said, whole.length - unmarked.length <= most]).toEqual([lost, said, true]);
      }
    }
  });
});

test("a SYN whose number was damaged in the recording is a connection of its own, and nothing of the real one is lost", () => {
  const kind: Kind = {
    name: "",
    source: "",
    tshark: "",
    handshake: (_tcp, [syn, synAck, ack]) => present([syn && renumbered(syn, 310_914_028), synAck, ack]),
  };
  expect(outcome(packetsOf(kind, [CLIENT, SERVER]))).toEqual({
    "0 closed": "reused",
    "1 c2s": RIGHT["0 c2s"],
    "1 s2c": RIGHT["0 s2c"],
    "1 closed": RIGHT["0 closed"],
  });
});

describe.each([1, 33, 3000])("a FIN %i bytes ahead that both ends ignore", (ahead) => {
  const kind = (side: 0 | 1): Kind => ({
    name: "",
    source: "RFC 9293, 3.10.7.4 (eighth check)",
    tshark: "",
    between: (tcp) => [tcp.raw(side, { sequence: tcp.next(side) + ahead, flags: Flag.fin | Flag.ack })],
  });

  test.each([0, 1] as const)("changes nothing: of side %i", (side) => {
    for (const ends of ENDS) {
      const packets = packetsOf(kind(side), ends);
      expect(outcome(packets)).toEqual(RIGHT);
      expect(outcome(packets.flatMap((packet) => [packet, packet]))).toEqual(RIGHT);
    }
  });
});

test("a FIN that both ends ignore does not hide the real one, which was captured too early", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 "), tcp.ack(1)];
  const forged = tcp.raw(0, { flags: Flag.fin | Flag.ack });
  const [data, fin] = [tcp.send(0, "ask2 "), tcp.fin(0)];
  packets.push(fin, forged, data, tcp.ack(1), tcp.fin(1), tcp.ack(0));
  expect(outcome(packets)).toEqual({ "0 c2s": "ask1 ask2 finished", "0 s2c": "finished", "0 closed": "fin" });
});

describe("data with the flag of an RST", () => {
  test.each([0, 1] as const)("of side %i is a gap if it is acknowledged", (side) => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const other = side === 0 ? 1 : 0;
    const packets = [...tcp.handshake(), tcp.send(side, "one "), tcp.ack(other)];
    const damaged = tcp.send(side, "two ", Flag.rst | Flag.ack | Flag.push);
    packets.push(
      damaged,
      tcp.ack(other),
      tcp.send(side, "three "),
      tcp.ack(other),
      tcp.send(other, "yes"),
      tcp.ack(side),
    );
    const said = outcome([...packets, tcp.fin(0), tcp.fin(1), tcp.ack(0)]);
    const [own, peer] = side === 0 ? ["0 c2s", "0 s2c"] : ["0 s2c", "0 c2s"];
    expect(said[own ?? ""]).toBe("one gap 4 lostthree finished");
    expect(said[peer ?? ""]).toBe("yesfinished");
  });
});

test("data with the flag of an RST is counted if its side goes on from it, although nothing is acknowledged any more", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(1, "one "), tcp.send(1, "two ", Flag.rst));
  network.feed(tcp.send(1, "three "));
  expect([...network.take(), ...network.end()].slice(1)).toEqual(["0 s2c one  #4", "0 closed rst"]);
  expect(network.network.counts.unaccepted.bytes).toBe(10);
});

describe("what is accepted", () => {
  test("a SYN that is answered opens the next connection, with the SYN and what comes before the answer", () => {
    const first = new TcpTalk(CLIENT, SERVER, INITIAL);
    const second = new TcpTalk(CLIENT, SERVER, [foreign(0), foreign(1)]);
    const network = new TestNetwork().feed(...first.handshake(), first.send(0, "old"), second.syn(0));
    network.feed(first.ack(1), second.syn(1, Flag.syn | Flag.ack), second.ack(0), second.send(0, "new"));
    expect(network.take()).toEqual([
      "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #1",
      "0 c2s old #4",
      "0 closed reused",
      "1 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #5",
      "1 c2s new #9",
    ]);
    expect(network.others).toEqual({});
  });

  test.each([0, 1] as const)("an RST of side %i ends the connection if nothing contradicts it", (side) => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const other = side === 0 ? 1 : 0;
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask"), tcp.send(1, "answer"), tcp.ack(0));
    network.feed(tcp.rst(side), tcp.send(other, "in flight"), tcp.raw(side, { flags: Flag.rst }));
    expect([...network.take(), ...network.end()].slice(1)).toEqual(["0 c2s ask #4", "0 s2c answer #5", "0 closed rst"]);
    expect(network.others).toEqual({ "TCP data after the end of its connection": 1 });
    expect(network.network.counts.unaccepted).toMatchObject({ bytes: 9, streams: new Map([[0, 9]]) });
  });

  test("an RST may say what its sender had received before", () => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(1, "answer"), tcp.ack(0), tcp.rst(0));
    network.feed(tcp.send(1, "in flight"), tcp.rst(0));
    expect([...network.take(), ...network.end()].slice(1)).toEqual([
      "0 s2c answer #4",
      "0 s2c in flight #7",
      "0 closed rst",
    ]);
  });

  test("an RST ends the connection a minute later", () => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const network = new TestNetwork()
      .feed(...tcp.handshake(), tcp.rst(1))
      .wait(59)
      .feed(new Uint8Array(20));
    expect(network.take().at(-1)).toBe("0 closed rst");
  });
});

const title = `compared with ${tsharkVersion ?? "tshark, which is not installed"}`;
describe.skipIf(tsharkVersion === undefined)(title, () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test("the table says what both do", async () => {
    const rows = [];
    for (const kind of KINDS) {
      const path = join(folder, "capture");
      const records = packetsOf(kind, [CLIENT, SERVER]).map((data, index) => ({
        data,
        time: BigInt(index) * 1_000_000n,
      }));
      await writeFile(path, pcapFile(records, { linkType: 101 }));
      const { tcp } = await tsharkView(path, 4, 0);
      const words = (hex = "") => Buffer.from(hex, "hex").toString("latin1").replace(/\0/g, "").trim();
      const theirs = tcp.map((sent) => `${words(sent["10.0.0.1:4000"])} / ${words(sent["10.0.0.2:14617"])}`);
      const isRight = theirs.join() === "ask1 ask2 ask3 / answer1 answer2 answer3";
      rows.push(
        `| ${kind.name} | ${kind.source} | all of both directions | ${isRight ? "the same" : theirs.join("; ")} |`,
      );
    }
    const table = [
      "# Segments that the other end did not accept",
      "",
      "The receiver's state decides: what its later acknowledgments contradict did not happen. Each row is a connection in which",
      "the client sends `ask1 ask2 ask3` and the server `answer1 answer2 answer3`, with the segment between them. The tests",
      "beside this file hold each row, over IPv4 and IPv6, with every packet recorded twice, and with any later one lost;",
      "`npm run golden` writes the table. Where tshark (4.0) has several conversations, they are separated by semicolons.",
      "",
      "| segment | what decides | this program | tshark: client / server |",
      "|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
    await expect(table).toMatchFileSnapshot("CONTRADICTED.md");
  }, 120_000);
});
