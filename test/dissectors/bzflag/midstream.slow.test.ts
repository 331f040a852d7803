import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { kindOf } from "../../../dissectors/bzflag/recognise.js";
import { saidOverUdp } from "../../support/lone-datagrams.js";
import { dissectPackets, type Found, packetsOf } from "../../support/sample-packets.js";
import { linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, concat, f32, GAME_INFO, msg, NOBODY, pid, SERVER, u8, u16, u32 } from "./bytes.js";

const keyOf = ({ stream, name, bytes }: Found) => `${stream} ${name} ${bytes}`;

describe.each([
  ["bz0221-glclient.pcap", 500],
  ["bz107e-relay.pcap", 200],
])("%s from its middle", (capture, least) => {
  it.each([0.3, 0.5])("(%f) shows only real messages", async (part) => {
    const packets = await packetsOf(capture);
    const whole = await dissectPackets(packets);
    const found = await dissectPackets(packets.slice(Math.floor(part * packets.length)));
    const known = new Set(whole.map(keyOf));
    expect(found.filter((message) => message.status === "ok" && !known.has(keyOf(message))).map(keyOf)).toEqual([]);
    expect(found.length).toBeGreaterThan(least);
    expect(found.filter(({ status }) => status === "malformed")).toEqual([]);
  });
});

describe("a connection without its beginning", () => {
  const me = pid([192, 0, 2, 2], 6000);
  const update = msg("pu", me, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));
  const from = (port: number, said: readonly Said[]) =>
    linesOf(new Talks([bzflag]).tcp([SERVER, port], said, { handshake: false }).end());

  it("is recognised by several consecutive messages, on a server port", () => {
    const said: Said[] = new Array(4).fill(["c", update]);
    expect(from(5156, said)).toEqual(new Array(4).fill("bzflag.107x c2s MsgPlayerUpdate ok"));
    expect(from(31337, said)).toEqual([]);
    expect(from(5156, [["c", concat(update, update, msg("ex"))]])).toHaveLength(3);
  });

  it("is not recognised by fewer, or if anything else is among them", () => {
    expect(from(5156, [["c", update]])).toEqual([]);
    expect(
      from(5156, [
        ["c", update],
        ["c", update],
        ["c", ascii("GET / HTTP/1.1\r\n")],
        ["c", update],
      ]),
    ).toEqual([]);
    expect(
      from(5156, [
        ["c", ascii("SSH-2.0-OpenSSH_9.0\r\n")],
        ["s", NOBODY],
      ]),
    ).toEqual([]);
  });
});

describe("a connection without its beginning, on an unknown port", () => {
  const me = pid([192, 0, 2, 2], 6000);
  const update = msg("pu", me, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));
  const updates: Said[] = new Array(5).fill(["s", update]);
  const alive: Said = ["s", msg("al", me, f32(0, 0, 0, 0, 0, 0))];
  const on = (said: readonly Said[], handshake = false) =>
    new Talks([bzflag]).tcp([SERVER, 31337], said, { handshake }).end();

  it("is recognised by more consecutive messages, as soon as one shows which side is the server", () => {
    const messages = on([...updates, alive, ["c", update]]);
    expect(linesOf(messages)).toEqual([
      ...new Array(5).fill("bzflag.107x s2c MsgPlayerUpdate ok"),
      "bzflag.107x s2c MsgAlive ok",
      "bzflag.107x c2s MsgPlayerUpdate ok",
    ]);
    expect(messages[0]?.conversation.server).toEqual({ address: SERVER, port: 31337 });
  });

  it("is recognised by the client's messages, too", () => {
    const asked: Said[] = new Array(3).fill(["c", msg("gf", u16(2))]);
    const said: Said[] = [...asked, ["s", update], ["c", msg("al", f32(0, 0, 0, 0, 0, 0))]];
    expect(linesOf(on(said)).filter((line) => !/^bzflag\.107x .* ok$/.test(line))).toEqual([]);
    expect(on(said)).toHaveLength(5);
  });

  it("is recognised as 2.4 by its messages", () => {
    const said: Said[] = new Array(6).fill(["s", msg("al", u8(1), f32(0, 0, 0, 0))]);
    expect(linesOf(on(said))).toEqual(new Array(6).fill("bzflag.0221 s2c MsgAlive ok"));
  });

  it("is recognised if both sides begin inside a message", () => {
    const inside = (message: Uint8Array) => message.subarray(7);
    const said: Said[] = [["s", inside(update)], ["c", inside(update)], ...updates, alive, ["c", update]];
    expect(linesOf(on(said)).toSorted()).toEqual([
      "bzflag.107x c2s MsgPlayerUpdate ok",
      "bzflag.107x c2s skipped truncated",
      "bzflag.107x s2c MsgAlive ok",
      ...new Array(5).fill("bzflag.107x s2c MsgPlayerUpdate ok"),
      "bzflag.107x s2c skipped truncated",
    ]);
  });

  it("is shown in order if it begins with a request for a world, whose answer tells the two apart", () => {
    const [ask, piece] = [(at: number) => msg("gw", u16(at)), msg("gw", u16(2), u8(1, 2, 3, 4))];
    const messages = on([
      ["c", ask(0)],
      ["s", piece],
      ["c", ask(4)],
      ["s", msg("gw", u16(0))],
      ["c", msg("ex")],
    ]);
    expect(messages.map(({ direction }) => direction)).toEqual(["c2s", "s2c", "c2s", "s2c", "c2s"]);
    expect(linesOf(messages).at(0)).toBe("bzflag.107x c2s MsgGetWorld ok");
  });

  it("keeps its server if it begins with the end of a world, which could be a client's request", () => {
    const messages = on([["s", msg("gw", u16(0))], ...updates, alive, ["c", update]]);
    expect(messages.map(({ direction }) => direction)).toEqual([...new Array(7).fill("s2c"), "c2s"]);
  });

  it("is not recognised if both sides could have sent all of it", () => {
    expect(on(new Array(50).fill(["s", update]))).toEqual([]);
    expect(on(new Array(1000).fill(["s", update]))).toEqual([]);
  });

  it("is not recognised by fewer, if anything else is among them, or if its beginning is present", () => {
    expect(on([alive, alive])).toEqual([]);
    expect(on([...updates.slice(1), ["c", ascii("GET / HTTP/1.1\r\n")], ["s", update], alive])).toEqual([]);
    expect(on([...updates, alive], true)).toEqual([]);
  });
});

describe("a connection whose first captured message is empty and in both protocols", () => {
  const MODERN_GAME = u16(...new Array<number>(22).fill(0));
  const digest = ascii(`p${"0".repeat(32)}\0`);
  const ping = msg("pi", u16(1));
  const from = (said: readonly Said[], port = 5154) =>
    linesOf(new Talks([bzflag]).tcp([SERVER, port], said, { handshake: false }).end());

  it.each<[string, string, readonly Said[]]>([
    [
      "an answer that only 2.4 has",
      "MsgWantWHash",
      [
        ["c", msg("wh")],
        ["s", msg("cu", ascii("http://a/w\0"))],
      ],
    ],
    [
      "the length of the answer",
      "MsgQueryGame",
      [
        ["c", msg("qg")],
        ["s", msg("qg", MODERN_GAME)],
      ],
    ],
    [
      "the length of the client's next message",
      "MsgWantWHash",
      [
        ["c", msg("wh")],
        ["s", msg("wh", digest)],
        ["c", msg("gw", u32(0))],
      ],
    ],
    [
      "what follows identical answers",
      "MsgQueryPlayers",
      [
        ["c", msg("qp")],
        ["s", concat(msg("qp", u16(8, 0)), ping, ping)],
        ["s", msg("gt", u32(1, 2))],
      ],
    ],
  ])("is recognised as 2.4 by %s, on any port", (_what, name, said) => {
    for (const lines of [from(said), from(said, 31337)]) {
      expect(lines[0]).toBe(`bzflag.0221 c2s ${name} ok`);
      expect(lines.filter((line) => !/^bzflag\.0221 .* ok$/.test(line))).toEqual([]);
    }
  });

  it.each<[string, readonly Said[]]>([
    [
      "the length of the answer",
      [
        ["c", msg("qg")],
        ["s", msg("qg", GAME_INFO)],
      ],
    ],
    [
      "the length of the client's next message",
      [
        ["c", msg("wh")],
        ["s", msg("wh", digest)],
        ["c", msg("gw", u16(0))],
      ],
    ],
    [
      "nothing to the contrary",
      [
        ["c", concat(msg("qg"), msg("qp"), msg("wh"))],
        ["s", ping],
      ],
    ],
  ])("is recognised as 1.7 by %s", (_what, said) => {
    expect(from(said).filter((line) => !/^bzflag\.107x .* ok$/.test(line))).toEqual([]);
    expect(from(said).length).toBeGreaterThan(1);
  });
});

describe("a connection in which nothing sets the protocols apart", () => {
  const pings: Said[] = new Array(4).fill(["s", msg("pi", u16(1))]);
  const pingsOn = (port: number, said = pings) => new Talks([bzflag]).tcp([SERVER, port], said, { handshake: false });

  it.each([
    [5154, "bzflag.0221"],
    [5155, "bzflag.107x"],
  ])("gets the usual protocol of its port, %i, once it ends", (port, protocol) => {
    expect(
      pingsOn(port)
        .end()
        .map((message) => message.protocol),
    ).toEqual(new Array(4).fill(protocol));
  });

  it("does not wait long", () => {
    expect(pingsOn(5154, [...pings, ...pings, ...pings]).messages.length).toBeGreaterThan(8);
  });

  it("is still recognised if an undeclared message follows several declared ones", () => {
    const lines = linesOf(pingsOn(5155, [...pings, ["s", msg("zz")]]).end());
    expect(lines.slice(-2)).toEqual(["bzflag.107x s2c MsgLagPing ok", "bzflag.107x s2c Msg_zz unknown"]);
  });

  it("follows the first message that sets them apart", () => {
    const said: Said[] = [...pings, ["s", msg("to", u16(7))]];
    expect(linesOf(pingsOn(5154, said).end()).at(-1)).toBe("bzflag.107x s2c MsgTimeUpdate ok");
  });
});

describe("datagrams of 2.4 without their connection", () => {
  const CLIENT = ["192.0.2.1", 37_400] as const;
  const small = (status: number, ...rest: readonly Uint8Array[]) =>
    msg("ps", f32(1), u8(0), u32(7), u16(status), u16(0, 0, 0, 0, 0, 0, 0, 0), ...rest);
  const shotEnd = msg("se", u8(0), u16(1, 0));
  const from = (port: number, said: readonly Said[]) => new Talks([bzflag]).udp(CLIENT, [SERVER, port], said).end();

  it.each([
    ["MsgPlayerUpdateSmall", small(1)],
    ["MsgPlayerUpdateSmall", small(1 << 8, u16(5, 6))],
    ["MsgPlayerUpdate", msg("pu", f32(1), u8(0), u32(7), u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0))],
    ["MsgShotEnd", shotEnd],
  ])("are recognised by one whole %s, on a server port", (name, update) => {
    expect(linesOf(from(5154, [["c", update]]))).toEqual([`bzflag.0221 c2s ${name} ok`]);
    expect(linesOf(from(31337, [["c", update]]))).toEqual([]);
  });

  it("have the server at its port, whoever speaks first, and may hold several messages", () => {
    const messages = from(5154, [
      ["s", concat(small(1), msg("gt", u32(1, 2)))],
      ["c", shotEnd],
    ]);
    expect(linesOf(messages)).toEqual([
      "bzflag.0221 s2c MsgPlayerUpdateSmall ok",
      "bzflag.0221 s2c MsgGameTime ok",
      "bzflag.0221 c2s MsgShotEnd ok",
    ]);
    expect(messages[0]?.conversation.server).toEqual({ address: SERVER, port: 5154 });
  });

  it.each([
    ["is longer than its fields", small(1, u8(0))],
    ["is shorter than its status says", small(1 << 8)],
    ["has bytes after it", concat(shotEnd, u8(0))],
    ["continues after the datagram", shotEnd.subarray(0, 8)],
    ["is followed by something else", concat(shotEnd, msg("zz"))],
    ["never travels over UDP", msg("al")],
  ])("are not recognised if a message %s", (_what, datagram) => {
    expect(from(5154, [["c", datagram]])).toEqual([]);
  });
});

describe("datagrams of 2.4 on an unknown port", () => {
  const CLIENT = ["192.0.2.1", 37_400] as const;
  const shotEnd = msg("se", u8(0), u16(1, 0));
  const lagPing = msg("pi", u16(1));
  const from = (said: readonly Said[], run = new Talks([bzflag])) =>
    linesOf(run.udp(CLIENT, [SERVER, 31_337], said).end());
  const fromServer = ["bzflag.0221 s2c MsgShotEnd ok"];

  it.each<[string, readonly Said[]]>([
    [
      "the client first",
      [
        ["c", shotEnd],
        ["s", shotEnd],
        ["s", lagPing],
        ["s", shotEnd],
        ["s", shotEnd],
      ],
    ],
    [
      "the server first",
      [
        ["s", shotEnd],
        ["s", shotEnd],
        ["s", lagPing],
        ["c", shotEnd],
        ["s", shotEnd],
      ],
    ],
  ])("are recognised by several, once one has shown which side is the server: %s", (_who, said) => {
    expect(from(said).slice(-1)).toEqual(fromServer);
    expect(from(said).map((line) => line.split(" ")[1])).toEqual(said.map(([side]) => (side === "c" ? "c2s" : "s2c")));
  });

  it("are then all dissected, like those of a recording", async () => {
    const { said, lines } = await saidOverUdp();
    expect(lines.length).toBeGreaterThan(400);
    expect(from(said)).toEqual(lines.map((line) => `bzflag.0221 ${line}`));
  });

  it("are not recognised if both sides could have sent all of them", () => {
    expect(from(new Array(50).fill(["s", shotEnd]))).toEqual([]);
  });

  it("are not recognised if they are few, or if anything else is among them", () => {
    expect(
      from([
        ["s", lagPing],
        ["s", lagPing],
        ["s", lagPing],
      ]),
    ).toEqual([]);
    const said: Said[] = new Array(3).fill(["s", lagPing]);
    expect(from([...said, ["s", u8(1, 2, 3)], ...said, ...said])).toEqual([]);
  });

  it("are counted when they are recognised, not by whoever asks what they are", () => {
    const [client, server] = [CLIENT, [SERVER, 31_337] as const].map(([address, port]) => ({ address, port }));
    if (client === undefined || server === undefined) throw new Error("no ends");
    const [c2s, s2c] = [u8(), lagPing];
    const opening = {
      transport: "udp",
      client,
      server,
      c2s,
      s2c,
      final: true,
      midstream: true,
      shared: new Map(),
    } as const;
    for (let asked = 0; asked < 10; asked++) {
      expect(kindOf(opening)).toEqual({ is: "possibly modern", isOneWay: true });
    }
    const answers = Array.from({ length: 5 }, () => bzflag.recognise(opening));
    expect(answers).toEqual(["more", "more", "more", "yes", "yes"]);
  });

  it("are recognised if another client has a connection to the server", () => {
    const run = new Talks([bzflag]).tcp([SERVER, 31_337], [["c", ascii("BZFLAG\r\n\r\n")]], { fin: false });
    expect(from([["s", shotEnd]], run).slice(1)).toEqual(fromServer);
  });

  it("are not recognised if the server turned out to be of another version", () => {
    const greetings: Said[] = [
      ["c", ascii("BZFLAG\r\n\r\n")],
      ["s", concat(ascii("BZFS0026"), u8(0))],
    ];
    expect(from([["s", shotEnd]], new Talks([bzflag]).tcp([SERVER, 31_337], greetings)).slice(1)).toEqual([
      "bzflag.0221 s2c ServerHello unknown",
      "bzflag.0221 s2c skipped unknown",
    ]);
  });
});
