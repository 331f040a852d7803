import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { type DissectedMessage, dissect } from "../../../src/index.js";
import { summaryText } from "../../../src/output/text/summary-text.js";
import { labelOf } from "../../../src/schema/tree/label.js";
import { dissectPackets } from "../../support/dissecting.js";
import { TcpTalk } from "../../support/packets.js";
import { type Said, Talks } from "../../support/talk.js";
import { ascii, concat, hello, msg, SERVER, str, u8, u16, u32 } from "./bytes.js";

type Messages = readonly DissectedMessage[];

/** Each reply with what it answers, in the form `#3 MsgEnter: #4 MsgAccept`. */
function answersIn(messages: Messages): string[] {
  return messages.flatMap(({ number, name, nodes }) => {
    const answers = nodes?.context?.answers;
    return answers === undefined ? [] : [`#${answers.number} ${answers.name}: #${number} ${name}`];
  });
}

/** What still waits for an answer. */
function unanswered(messages: Messages): string[] {
  const answered = new Set(messages.map(({ nodes }) => nodes?.context?.answers?.number));
  return messages
    .filter(({ number, nodes }) => nodes?.context?.asks === true && !answered.has(number))
    .map(({ number, name }) => `#${number} ${name}`);
}

const greeting: readonly Said[] = [
  ["c", ascii("BZFLAG\r\n\r\n")],
  ["s", concat(ascii("BZFS0221"), u8(2))],
];

function modern(...said: readonly Said[]): Messages {
  return new Talks([bzflag]).tcp([SERVER, 5154], [...greeting, ...said]).end();
}

const wantWorld = (offset: number): Said => ["c", msg("gw", u32(offset))];
const world = (remaining: number): Said => ["s", msg("gw", u32(remaining))];
const ping = (side: "c" | "s", seqno: number): Said => [side, msg("pi", u16(seqno))];

describe("a reply", () => {
  it("answers the request of its kind, whatever else is said in between", () => {
    const messages = modern(
      ["c", msg("ws")],
      ["c", msg("wh")],
      ["s", msg("wh", str(34, "t0d66231fb345064a8fec11ee8305c9b7"))],
      ["s", msg("gs", new Uint8Array(30))],
    );
    expect(answersIn(messages)).toEqual(["#4 MsgWantWHash: #5 MsgWantWHash", "#3 MsgWantSettings: #6 MsgGameSettings"]);
    const { nodes } = messages[4] ?? {};
    expect(nodes && labelOf(nodes, nodes.child(0, "code"))).toBe("wh; answers #4 MsgWantWHash after 1000.000 ms");
    expect(nodes?.context?.answers).toMatchObject({ milliseconds: 1000, isFirst: true, isPing: false });
  });

  it("may be a refusal, which is an error all the same", () => {
    const enter = msg("en", u8(0), u8(0), u16(0), str(32, "a"), str(128, "b"), str(22, ""), str(60, "2.4"));
    const messages = modern(["c", enter], ["s", msg("rj", u16(5), str(128, "no"))]);
    expect(answersIn(messages)).toEqual(["#3 MsgEnter: #4 MsgReject"]);
    expect(messages[3]?.nodes?.context?.error).toBe("RejectServerFull");
  });

  it("answers nothing if nothing was asked", () => {
    expect(answersIn(modern(world(0), ["s", msg("nf")]))).toEqual([]);
  });

  it("that follows another one to the same request answers nothing", () => {
    expect(answersIn(modern(wantWorld(0), world(0), world(0)))).toEqual(["#3 MsgGetWorld: #4 MsgGetWorld"]);
  });

  describe("during the download of a world", () => {
    const LENGTH = 2304;
    const talk = new TcpTalk(["192.0.2.1", 40_000], [SERVER, 5154], [1, 2]);
    const offsets = Array.from({ length: LENGTH / 256 }, (_, index) => 256 * index);
    /** So much follows each reply that it is found again after a loss. */
    const others = concat(...Array.from({ length: 8 }, (_, index) => msg("pi", u16(index))));
    const blocks = offsets.flatMap((offset): Said[] => {
      const [, reply] = world(LENGTH - offset);
      return [wantWorld(offset), ["s", concat(reply, others)]];
    });
    const sent = ([side, bytes]: Said) => talk.send(side === "c" ? 0 : 1, bytes);
    const before = [...talk.handshake(), ...greeting.map(sent)];
    const packets = [...before, ...blocks.map(sent)];
    const places = blocks.map((_, index) => before.length + index);

    /** What replies are said to answer, as the offset in the request and the one that the reply is for. */
    function links(captured: readonly (Uint8Array | undefined)[], seconds?: readonly number[]): [number, number][] {
      const { messages } = dissectPackets(captured, { dissectors: [bzflag], ...(seconds && { seconds }) });
      const asked = new Map(messages.map(({ number, nodes }) => [number, nodes?.numberIn(0, "offset") ?? -1]));
      return messages.flatMap(({ nodes }) => {
        const { answers } = nodes?.context ?? {};
        const remaining = nodes?.numberIn(0, "remaining") ?? 0;
        return answers?.name !== "MsgGetWorld" ? [] : [[asked.get(answers.number) ?? -1, LENGTH - remaining]];
      });
    }

    const wrong = (all: readonly [number, number][]) => all.filter(([asked, answered]) => asked !== answered);

    it("answers no other request, whichever two packets are lost", () => {
      expect(links(packets)).toHaveLength(offsets.length);
      // Each pair once.
      const pairs = places.flatMap((one, index) => places.slice(index).map((other) => [one, other]));
      const found = pairs.flatMap((lost) =>
        links(packets.map((packet, at) => (lost.includes(at) ? undefined : packet))),
      );
      expect(found.length).toBeGreaterThan(600);
      expect(wrong(found)).toEqual([]);
    });

    it("answers no other request, whichever packet the capture has late", () => {
      const found = places.flatMap((late) =>
        [1, 2, 3, 4].flatMap((by) => {
          const order = packets.map((_, at) => at);
          order.splice(late + by, 0, ...order.splice(late, 1));
          return links(
            order.map((at) => packets[at]),
            order,
          );
        }),
      );
      expect(found.length).toBeGreaterThan(400);
      expect(wrong(found)).toEqual([]);
    });

    it("answers no other request if the capture has all replies first", () => {
      const order = packets.map((_, at) => (at < before.length ? at : ((at - before.length) ^ 1) + before.length));
      const found = links(
        order.map((at) => packets[at]),
        order,
      );
      expect(wrong(found)).toEqual([]);
    });
  });
});

describe("a lag ping", () => {
  it("is answered by its number", () => {
    const messages = modern(ping("s", 1), ping("c", 1), ping("s", 2), ping("c", 1), ping("s", 3));
    expect(answersIn(messages)).toEqual(["#3 MsgLagPing: #4 MsgLagPing"]);
    expect(messages[3]?.nodes?.context?.answers?.isPing).toBe(true);
    expect(messages[3] && summaryText(messages[3])).toBe("seqno=1 (#3, 1000 ms)");
    expect(unanswered(messages)).toEqual(["#5 MsgLagPing", "#7 MsgLagPing"]);
  });

  it("of one player is not answered by another", () => {
    const [, , first] = modern(ping("s", 1));
    expect(first?.name).toBe("MsgLagPing");
    const both = new Talks([bzflag])
      .tcp([SERVER, 5154], [...greeting, ping("s", 1)], { fin: false })
      .tcp([SERVER, 5154], [...greeting, ping("c", 1)])
      .end();
    expect(answersIn(both)).toEqual([]);
  });

  it.each<[string, readonly Said[], readonly Said[]]>([
    ["a modern", [], greeting],
    ["a classic", [["s", hello("BZFS107e", 5156)]], []],
  ])("of %s connection is not answered in a later one between the same ports", (_what, announced, begun) => {
    const connection = (port: number, initial: [number, number], said: readonly Said[]) => {
      const talk = new TcpTalk(["192.0.2.1", 40_000], [SERVER, port], initial);
      const sent = ([side, bytes]: Said) => talk.send(side === "c" ? 0 : 1, bytes);
      return [...talk.handshake(), ...said.map(sent), talk.fin(0), talk.fin(1)];
    };
    const packets = [
      ...connection(5155, [1, 2], announced),
      ...connection(5156, [1, 2], [...begun, ping("s", 1)]),
      ...connection(5156, [50_000, 90_000], [...begun, ping("c", 1)]),
    ];
    const { messages } = dissectPackets(packets, { dissectors: [bzflag] });
    expect(messages.filter(({ name }) => name === "MsgLagPing")).toHaveLength(2);
    expect(answersIn(messages)).toEqual([]);
  });

  it.each(["bz0221-glclient", "bz107e-udp"])("of %s goes out over UDP and returns over TCP", async (sample) => {
    const messages: DissectedMessage[] = [];
    for await (const message of dissect(`samples/${sample}.pcap`)) messages.push(message);
    const pings = messages.filter(({ name }) => name === "MsgLagPing");
    expect(pings).toHaveLength(8);
    expect(pings.map(({ conversation, direction }) => `${conversation.transport} ${direction}`)).toEqual(
      Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? "udp s2c" : "tcp c2s")),
    );
    expect(answersIn(pings)).toHaveLength(4);
    expect(unanswered(messages)).toEqual([]);
  });
});

it.each([
  ["bz107c-relay", { MsgEnter: 3, MsgGetWorld: 30, MsgNetworkRelay: 3, MsgQueryGame: 1, MsgQueryPlayers: 1 }],
  ["bz107e-udp", { MsgEnter: 2, MsgGetWorld: 18, MsgNetworkRelay: 2, MsgUDPLinkRequest: 2, MsgLagPing: 4 }],
  ["bz107e-reject", { MsgEnter: 10 }],
])("all requests of %s are answered", async (sample, wanted) => {
  const messages: DissectedMessage[] = [];
  for await (const message of dissect(`samples/${sample}.pcap`)) messages.push(message);
  const counts: Record<string, number> = {};
  for (const { nodes } of messages) {
    const name = nodes?.context?.answers?.name;
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  expect(counts).toEqual(wanted);
  expect(unanswered(messages)).toEqual([]);
});
