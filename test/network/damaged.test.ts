import { expect, test } from "vitest";
import { changed, fieldsOf, type TcpFields } from "../fuzz/connections/tcp-fields.js";
import { RAW, TestNetwork } from "../support/network.js";
import { type Address, Flag, gre, ipPacket, TcpTalk } from "../support/packets.js";

/** Headers that were damaged in the recording, and packets lost: kinds that the fuzzer has found. */

const CLIENT: Address = ["10.0.0.1", 4000];
const SERVER: Address = ["10.0.0.2", 14617];
const FAR = 0x1800_0000;
const INITIAL = [0x2000_0000, 0x5000_0000] as const;

/** Each packet of the good connection. */
const names = ["syn", "synack", "ack", "ask1", "answer1", "ask2", "answer2", "ask3", "answer3", "last", "fin", "fin2"];

const again = names.map((name) => `${name} again`);
const twice = names.flatMap(both);
function both(name: string): readonly string[] {
  return [name, `${name} again`];
}

type Damage = (fields: TcpFields) => Partial<TcpFields>;

interface Recording {
  readonly damage?: Readonly<Record<string, Damage>>;
  readonly lost?: readonly string[];
  /** Recorded in a tunnel. */
  readonly tunnelled?: readonly string[];
  /** In which order; "ask1 again" is recorded once more. */
  readonly order?: readonly string[];
}

const far: Damage = ({ sequence }) => ({ sequence: sequence + FAR });
const farBack: Damage = ({ sequence }) => ({ sequence: sequence - FAR });
const furtherBackAcknowledgment: Damage = ({ acknowledgment }) => ({ acknowledgment: acknowledgment - FAR - 1e7 });
const farAcknowledgment: Damage = ({ acknowledgment }) => ({ acknowledgment: acknowledgment + FAR });
const farBackAcknowledgment: Damage = ({ acknowledgment }) => ({ acknowledgment: acknowledgment - FAR });
const flagged =
  (flag: number): Damage =>
  ({ flags }) => ({ flags: flags | flag });
const reset = flagged(Flag.rst);
const resetBehind: Damage = ({ acknowledgment }) => ({
  flags: Flag.rst | Flag.ack,
  acknowledgment: acknowledgment - FAR,
});

/**
 * What a network makes of it: what each side said, with gaps as numbers in brackets; the number of bytes that count as
 * unaccepted; and that of the conversations with data.
 */
function found({ damage = {}, lost = [], tunnelled = [], order = names }: Recording): readonly unknown[] {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 ")];
  const bare = tcp.ack(1);
  packets.push(
    tcp.send(1, "answer1 "),
    tcp.send(0, "ask2 "),
    tcp.send(1, "answer2 "),
    tcp.send(0, "ask3"),
    tcp.send(1, "answer3"),
    tcp.ack(0),
    tcp.fin(0),
    tcp.fin(1),
  );
  const network = new TestNetwork();
  const byName = new Map(packets.map((packet, index) => [names[index] ?? "", packet])).set("bare", bare);
  for (const [index, name] of order.entries()) {
    const packet = byName.get(name.replace(" again", ""));
    if (packet === undefined || lost.includes(name)) continue;
    const change = damage[name]?.(fieldsOf(packet));
    const ip = change === undefined ? packet : changed(packet, change);
    const recorded = tunnelled.includes(name) ? ipPacket(47, "192.0.2.1", "192.0.2.2", gre(ip)) : ip;
    network.packetAt(recorded, RAW, index * 1000);
  }
  const lines = [...network.take(), ...network.end()];
  const data = lines.filter((line) => / (ask|answer|gap)/.test(line));
  const said = (what: RegExp) =>
    data
      .filter((line) => what.test(line))
      .map((line) => line.replace(/^\d+ ... (gap (\d+) \w+)?/, (_all, _gap, length) => (length ? `[${length}]` : "")))
      .map((line) => line.replace(/ #\d+$/, ""))
      .join("");
  const conversations = new Set(data.map((line) => line.split(" ")[0]));
  return [said(/ask|c2s gap/), said(/answer|s2c gap/), network.network.counts.unaccepted.bytes, conversations.size];
}

const asks = "ask1 ask2 ask3";
const answers = "answer1 answer2 answer3";
const handshake = ["syn", "synack", "ack"];
/** With an acknowledgment of the server before its data. */
const early = [...names.slice(0, 4), "bare", ...names.slice(4)];

const TABLE: readonly (readonly [string, Recording, ReturnType<typeof found>])[] = [
  [
    "a SYN flag on data: a receiver drops it, so these bytes are missing",
    { damage: { answer1: flagged(Flag.syn) } },
    [asks, "[8]answer2 answer3", 8, 1],
  ],
  [
    "the same where the handshake was not captured",
    { lost: handshake, damage: { answer1: flagged(Flag.syn) } },
    [asks, "answer2 answer3", 8, 1],
  ],
  [
    "a SYN flag on data of the client, where the SYN-ACK was not captured",
    { lost: ["synack", "ack"], damage: { ask1: flagged(Flag.syn) } },
    ["[5]ask2 ask3", answers, 5, 1],
  ],
  [
    "a SYN flag on data of the server, where the SYN-ACK was not captured",
    { lost: ["synack", "ack"], damage: { answer1: flagged(Flag.syn) } },
    [asks, "[8]answer2 answer3", 8, 1],
  ],
  [
    "the number of the SYN, and the acknowledgment of the SYN-ACK",
    { damage: { syn: farBack, synack: farAcknowledgment } },
    [asks, answers, 0, 1],
  ],
  [
    "the number of the SYN, where the SYN-ACK was not captured",
    { lost: ["synack", "ask2"], damage: { syn: far } },
    ["ask1 [5]ask3", answers, 0, 1],
  ],
  [
    "a SYN-ACK's number and the first acknowledgment, on another path",
    {
      lost: ["ack"],
      damage: { synack: farBack, ask1: furtherBackAcknowledgment },
      tunnelled: ["ask1", "ask2", "ask3"],
    },
    [asks, answers, 0, 1],
  ],
  [
    "an RST flag on data, and the number of what acknowledges that",
    { damage: { ask2: flagged(Flag.rst), answer2: farBack } },
    ["ask1 [5]ask3", "answer1 [8]answer3", 8, 1],
  ],
  [
    "an RST flag on data, and a SYN flag on what acknowledges that",
    { damage: { ask2: flagged(Flag.rst), answer2: flagged(Flag.syn) } },
    ["ask1 [5]ask3", "answer1 [8]answer3", 8, 1],
  ],
  [
    "both acknowledgments of the handshake",
    { damage: { synack: farBackAcknowledgment, ack: farAcknowledgment } },
    [asks, answers, 0, 1],
  ],
  [
    "the number of the SYN, before a loss of what else begins",
    { lost: ["synack", "ack"], damage: { syn: farBack } },
    [asks, answers, 0, 1],
  ],
  [
    "a SYN flag on the first data that was captured, after an acknowledgment that expects it",
    {
      lost: handshake,
      damage: { ask1: flagged(Flag.syn), bare: ({ acknowledgment }) => ({ acknowledgment: acknowledgment - 5 }) },
      order: ["bare", ...names],
    },
    ["ask2 ask3", answers, 5, 1],
  ],
  [
    "the number of the SYN-ACK, and an RST flag on data",
    {
      damage: {
        synack: farBack,
        ask2: reset,
        bare: ({ acknowledgment }) => ({ acknowledgment: acknowledgment + 5 }),
        answer1: farBackAcknowledgment,
      },
      order: ["syn", "synack", "ack", "ask1", "bare again", "ask2", "bare", "answer1", ...names.slice(6)],
    },
    ["ask1 [5]ask3", answers, 0, 1],
  ],
  [
    "the same without an earlier acknowledgment of the server",
    {
      damage: {
        synack: farBack,
        ask2: reset,
        bare: ({ acknowledgment }) => ({ acknowledgment: acknowledgment + 5 }),
        answer1: farBackAcknowledgment,
      },
      order: ["syn", "synack", "ack", "ask1", "ask2", "bare", "answer1", ...names.slice(6)],
    },
    ["ask1 ask3", answers, 5, 2],
  ],
  [
    "the number of the first data that was captured",
    { lost: handshake, damage: { answer1: farBack } },
    [asks, "answer2 answer3", 8, 1],
  ],
  [
    "the acknowledgment of the first data that was captured",
    { lost: handshake, damage: { ask1: farAcknowledgment } },
    [asks, answers, 0, 1],
  ],
  [
    "the acknowledgment of a SYN-ACK, recorded twice",
    {
      order: ["syn", "synack", "ack", "ack again", ...names.slice(3)],
      damage: { ack: farBackAcknowledgment, "ack again": farBackAcknowledgment },
      tunnelled: ["answer1", "answer2"],
    },
    [asks, answers, 0, 1],
  ],
  [
    "the number of the SYN, where packets take different paths",
    { damage: { syn: farBack }, tunnelled: ["ack"] },
    [asks, answers, 0, 1],
  ],
  [
    "a FIN flag on a copy, where the real FIN is recorded before what it follows is acknowledged",
    {
      order: [...names.slice(0, 7), "answer2 again", "answer3", "fin2", "ask3", "last", "fin"],
      damage: { "answer2 again": flagged(Flag.fin) },
    },
    [asks, answers, 0, 1],
  ],
  [
    "the number of the first data that was captured, after an acknowledgment that shows it",
    { lost: ["syn", "synack", "ask2"], damage: { ask1: far } },
    ["[10]ask3", answers, 5, 1],
  ],
  [
    "the number of the SYN, where each side takes a path of its own",
    { lost: ["synack", "ack"], damage: { syn: far }, tunnelled: ["answer1", "answer2", "answer3", "fin2"] },
    [asks, answers, 0, 1],
  ],
  [
    "the number of the SYN and what answers it, where each side takes a path of its own",
    {
      lost: ["ask2"],
      damage: { syn: far, synack: farBackAcknowledgment },
      tunnelled: ["synack", "answer1", "answer2", "answer3", "fin2"],
    },
    ["ask1 [5]ask3", answers, 0, 1],
  ],
  [
    "the acknowledgment of data that alone takes another path",
    { damage: { answer2: farAcknowledgment }, tunnelled: ["answer2"] },
    [asks, answers, 0, 1],
  ],
  [
    "an acknowledgment, and a FIN flag that it seems to acknowledge",
    {
      lost: ["answer3"],
      damage: { ack: ({ acknowledgment }) => ({ acknowledgment: acknowledgment + 1 }), bare: flagged(Flag.fin) },
      order: early,
    },
    [asks, "answer1 answer2 [7]", 0, 1],
  ],
  [
    "acknowledgments, the first of which takes another path, before a loss",
    {
      lost: ["ask3"],
      damage: { bare: farBackAcknowledgment, answer2: farAcknowledgment },
      tunnelled: ["bare"],
      order: early,
    },
    ["ask1 ask2 [4]", answers, 0, 1],
  ],
  [
    "the acknowledgment of a SYN-ACK that was not captured: what comes before it was sent",
    { lost: ["synack"], damage: { ack: ({ acknowledgment }) => ({ acknowledgment: acknowledgment + 2 }) } },
    [asks, answers, 0, 1],
  ],
  [
    "the acknowledgment of an RST, after bytes that were acknowledged and are missing",
    { lost: ["ask3", "last", "fin"], damage: { fin2: resetBehind } },
    ["ask1 ask2 [4]", answers, 0, 1],
  ],
  [
    "an RST flag on an acknowledgment, before a loss that only the next one shows",
    {
      lost: ["answer3", "fin", "fin2"],
      damage: {
        "last again": ({ acknowledgment }) => ({ flags: Flag.ack | Flag.rst, acknowledgment: acknowledgment - 7 }),
      },
      order: ["syn", "synack", "ack", "ask1", "answer1", "ask2", "answer2", "ask3", "last again", "last"],
    },
    [asks, "answer1 answer2 [7]", 0, 1],
  ],
  [
    "the acknowledgment of a SYN-ACK, and the number of data near that",
    { damage: { synack: farAcknowledgment, ask2: ({ sequence }) => ({ sequence: sequence + FAR + 5000 }) } },
    ["ask1 [5]ask3", answers, 5, 1],
  ],
  [
    "an ACK flag on the SYN, whose sender then counts as the server, and the other side's first data lost",
    { lost: ["answer1"], damage: { syn: flagged(Flag.ack) } },
    [`${asks}[8]`, "answer2 answer3", 0, 1],
  ],
  [
    "FIN flags on data, where the SYN-ACK was not captured",
    { lost: ["synack", "ack"], damage: { answer1: flagged(Flag.fin), answer2: flagged(Flag.fin) } },
    [asks, answers, 0, 1],
  ],
  [
    "an RST flag on the SYN, and the first answer lost, of packets that are recorded twice",
    { order: twice, tunnelled: again, lost: both("answer1"), damage: { syn: reset, "syn again": reset } },
    [asks, "[8]answer2 answer3", 0, 1],
  ],
];

test.each(TABLE)("damaged: %s", (_name, recording, expected) => {
  expect(found(recording)).toEqual(expected);
});

test("what is acknowledged while answers wait for their lost question is missed at the end", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, [0, 0]);
  const [syn] = tcp.handshake();
  tcp.send(0, "lost question");
  const acknowledgment = tcp.ack(1);
  const packets = [syn, acknowledgment, tcp.send(0, "ask"), tcp.send(1, "answer")];
  tcp.send(1, "lost answer");
  packets.push(tcp.fin(0));
  const network = new TestNetwork();
  for (const [index, packet] of packets.entries()) {
    if (packet !== undefined) network.packetAt(packet, RAW, index * 1000);
  }
  const gaps = [...network.take(), ...network.end()].filter((line) => line.includes("gap"));
  expect(gaps).toEqual(["0 c2s gap 13 lost #3", "0 s2c gap 11 lost #5"]);
});

test("data with RST flags that go on from each other, and that nobody acknowledges, are counted", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const packets = tcp.handshake();
  const rst = Flag.rst | Flag.ack;
  packets.push(tcp.send(1, "answer1", rst), tcp.send(1, "answer2", rst), tcp.send(1, "answer3"));
  const text = tcp.rst(1, new Uint8Array(4));
  const network = new TestNetwork().feed(...packets, text, text);
  expect(network.end()).toContain("0 closed rst");
  expect(network.network.counts.unaccepted.bytes).toBe(21);
});
