import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { MessageTable } from "../../../dissectors/bzflag/message-table.js";
import { parseDecodeAs } from "../../../src/session/decode-as.js";
import { fieldsOf, linesOf, type Said, Talks } from "../../support/talk.js";
import {
  addPlayer,
  ascii,
  concat,
  enter,
  f32,
  feed,
  GAME_INFO,
  hello,
  msg,
  NOBODY,
  pid,
  SERVER,
  u8,
  u16,
} from "./bytes.js";

const me = pid([192, 0, 2, 2], 6000);
const update = msg("pu", me, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));

function talks(): Talks {
  return new Talks([bzflag]);
}

describe("the 1.7 protocol", () => {
  it.each(["b", "c", "d", "e"])("is recognised by its hello on any port, version 107%s", (revision) => {
    const run = talks()
      .tcp([SERVER, 4444], [["s", hello(`BZFS107${revision}`, 6000)]])
      .tcp([SERVER, 6000], [["c", enter(me, "alpha")]]);
    expect(linesOf(run.end())).toEqual([`bzflag.107${revision} s2c Hello ok`, `bzflag.107${revision} c2s MsgEnter ok`]);
  });

  it("takes an unknown revision for the newest one, as clients compare only seven characters", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107q", 6000)]])
      .tcp([SERVER, 6000], [["s", msg("pi", u16(1))]]);
    expect(linesOf(run.end())).toEqual(["bzflag.107x s2c Hello ok", "bzflag.107x s2c MsgLagPing ok"]);
  });

  it("says that another version is not declared, if the user declared it to be 1.7", () => {
    const rule = parseDecodeAs("tcp.port==5155,bzflag.107e", [bzflag]);
    const [message] = new Talks([bzflag], [rule]).tcp([SERVER, 5155], [["s", hello("BZFS1910", 6000)]]).end();
    expect(message).toMatchObject({ name: "Hello", status: "unknown" });
    expect(fieldsOf(message)).toEqual({ version: "BZFS1910" });
    expect(message?.notes.at(-1)?.text).toBe("BZFS1910 is a version whose messages are not declared");
  });

  it("recognises a hello that arrives in pieces", () => {
    const pieces = [...hello("BZFS107e", 5156)].map((byte): Said => ["s", u8(byte)]);
    expect(linesOf(talks().tcp([SERVER, 5155], pieces).end())).toEqual(["bzflag.107e s2c Hello ok"]);
  });

  it("does not take another server's connection for the announced one", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]])
      .tcp(["192.0.2.77", 6000], [["c", msg("kl", me, u16(0))]]);
    expect(linesOf(run.end())).toEqual(["bzflag.107e s2c Hello ok"]);
  });

  it("does not take anything else on an announced port for messages", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 5156)]])
      .tcp([SERVER, 5156], [["c", ascii("SSH-2.0-OpenSSH_9.0\r\n")]]);
    expect(linesOf(run.end())).toEqual(["bzflag.107e s2c Hello ok"]);
  });

  it("recognises an announced connection by the server's first message, too", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107d", 6000)]])
      .tcp([SERVER, 6000], [["s", msg("sk")]]);
    expect(linesOf(run.end())[1]).toBe("bzflag.107d s2c MsgSuperKill ok");
  });

  it.each([
    ["MsgGetWorld", msg("gw", u16(0))],
    ["MsgEnter", enter(me, "alpha")],
    ["MsgQueryGame", msg("qg")],
    ["MsgQueryPlayers", msg("qp")],
    ["MsgWantWHash", msg("wh")],
  ])("recognises a connection without a hello by %s", (name, first) => {
    expect(
      linesOf(
        talks()
          .tcp([SERVER, 31337], [["c", first]])
          .end(),
      ),
    ).toEqual([`bzflag.107x c2s ${name} ok`]);
  });

  it("recognises a client's first message that arrives in pieces", () => {
    const pieces = [...enter(me, "alpha")].map((byte): Said => ["c", u8(byte)]);
    expect(linesOf(talks().tcp([SERVER, 31337], pieces).end())).toEqual(["bzflag.107x c2s MsgEnter ok"]);
  });

  it("is recognised at once by a message that other versions have too, as those begin with a greeting", () => {
    const { messages } = talks().tcp([SERVER, 31337], [["c", msg("qg")]], { fin: false });
    expect(linesOf(messages)).toEqual(["bzflag.107x c2s MsgQueryGame ok"]);
  });

  it("swaps the ends of a connection whose SYN was not captured", () => {
    const messages = talks()
      .tcp([SERVER, 4444], [["s", hello("BZFS107e", 5156)]], { handshake: false })
      .end();
    expect(messages[0]).toMatchObject({ name: "Hello", direction: "s2c" });
    expect(messages[0]?.conversation.server).toEqual({ address: SERVER, port: 4444 });
  });

  it("leaves 107e messages undeclared in 107c, and continues after them", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107c", 6000)]])
      .tcp(
        [SERVER, 6000],
        [
          ["c", concat(msg("id"), msg("ex"))],
          ["s", concat(msg("pi", u16(1)), addPlayer(me, "alpha"), addPlayer(me, "alpha", me))],
        ],
      );
    expect(linesOf(run.end()).slice(1)).toEqual([
      "bzflag.107c c2s Msg_id unknown",
      "bzflag.107c c2s MsgExit ok",
      "bzflag.107c s2c Msg_pi unknown",
      "bzflag.107c s2c MsgAddPlayer ok",
      "bzflag.107c s2c MsgAddPlayer malformed",
    ]);
  });

  it("accepts both lengths of MsgAddPlayer in 107e", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]])
      .tcp([SERVER, 6000], [["s", concat(addPlayer(me, "alpha"), addPlayer(me, "alpha", me))]]);
    expect(linesOf(run.end()).slice(1)).toEqual(["bzflag.107e s2c MsgAddPlayer ok", "bzflag.107e s2c MsgAddPlayer ok"]);
  });

  it("distinguishes 1.7e1's client version from MsgServerControl, whose code it shares", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]])
      .tcp([SERVER, 6000], [["c", concat(msg("oi", u16(0x17a0)), msg("oi"), msg("oj", u16(0x17a0)))]]);
    expect(linesOf(run.end()).slice(1)).toEqual([
      "bzflag.107e c2s MsgClientVersion ok",
      "bzflag.107e c2s MsgServerControl ok",
      "bzflag.107e c2s MsgClientVersion ok",
    ]);
  });

  it("stops at a message that is longer than allowed", () => {
    const messages = talks()
      .tcp([SERVER, 31337], [["c", concat(msg("gw", u16(0)), u16(0x7fff, 0x4142), u8(1, 2, 3))]])
      .end();
    expect(linesOf(messages)).toEqual([
      "bzflag.107x c2s MsgGetWorld ok",
      "bzflag.107x c2s Msg_AB malformed",
      "bzflag.107x c2s skipped malformed",
    ]);
  });

  it("names a message by its number if its code is not letters", () => {
    const messages = talks()
      .tcp([SERVER, 31337], [["c", concat(msg("qg"), msg(0x0102, u8(9)), msg("ex"))]])
      .end();
    expect(linesOf(messages)).toEqual([
      "bzflag.107x c2s MsgQueryGame ok",
      "bzflag.107x c2s Msg_0x0102 unknown",
      "bzflag.107x c2s MsgExit ok",
    ]);
  });
});

describe("datagrams", () => {
  it.each([
    ["MsgPlayerUpdate", update],
    ["MsgGMUpdate", msg("gm", me, u16(3), f32(0, 0, 0, 0, 0, 0, 0), NOBODY)],
    ["PingCodeRequest", msg(0x0404, u16(8))],
    ["PingCodeReply", msg(0x0303, ascii("BZFS107e"), pid([0, 0, 0, 0], 5155), u8(192, 0, 2, 1), GAME_INFO)],
    ["PingCodeReply", concat(u16(60, 0x0303), ascii("BZFS107c"), NOBODY, u8(0, 0, 0, 0), GAME_INFO)],
  ])("are recognised on any port if everything fits together: %s", (name, datagram) => {
    const run = talks().udp(["192.0.2.1", 1111], ["192.0.2.255", 2222], [["c", datagram]]);
    const protocol = name.startsWith("Ping") ? "bzflag.ping" : "bzflag.107x";
    // The side that answers is the server.
    const direction = name === "PingCodeReply" ? "s2c" : "c2s";
    expect(linesOf(run.end())).toEqual([`${protocol} ${direction} ${name} ok`]);
  });

  it("may be pings and multicasts of players on the same ports, each under its own name", () => {
    const run = talks().udp(
      ["192.0.2.1", 1111],
      ["224.0.1.2", 5154],
      [
        ["c", msg(0x0202)],
        ["c", update],
        ["c", msg(0x0404, u16(8))],
      ],
    );
    expect(linesOf(run.end())).toEqual([
      "bzflag.ping c2s PingCodeOldRequest ok",
      "bzflag.107x c2s MsgPlayerUpdate ok",
      "bzflag.ping c2s PingCodeRequest ok",
    ]);
  });

  it.each(["BZFS0026", "BZFS1910"])("do not show the reply of %s in the form of another version", (version) => {
    const reply = msg(0x0303, ascii(version), NOBODY, new Uint8Array(40).fill(7));
    const [message] = talks()
      .udp(["192.0.2.1", 1111], [SERVER, 5154], [["s", reply]])
      .end();
    expect(message).toMatchObject({ protocol: "bzflag.ping", name: "PingCodeReply", status: "unknown", length: 60 });
    expect(fieldsOf(message)).toMatchObject({ len: 56, code: "0x0303", version });
    expect(message?.notes.at(-1)?.text).toBe(`${version} is a version whose messages are not declared`);
  });

  it("are recognised only in the usual places if their length shows nothing", () => {
    const audio = msg("au", u8(1, 2, 3, 4));
    const elsewhere = talks().udp(["192.0.2.1", 1111], ["192.0.2.9", 2222], [["c", audio]]);
    const group = talks().udp(["192.0.2.1", 1111], ["224.0.1.2", 2222], [["c", audio]]);
    const broadcast = talks().udp(["192.0.2.1", 1111], ["192.0.2.255", 5154], [["c", audio]]);
    expect(linesOf(elsewhere.end())).toEqual([]);
    expect(linesOf(group.end())).toEqual(["bzflag.107x c2s MsgAudio ok"]);
    expect(linesOf(broadcast.end())).toEqual(["bzflag.107x c2s MsgAudio ok"]);
  });

  it("of players have the version of the port in their id", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107d", 6000)]])
      .udp(["192.0.2.1", 1111], ["224.0.1.2", 5154], [["c", update]]);
    expect(linesOf(run.end())[1]).toBe("bzflag.107d c2s MsgPlayerUpdate ok");
  });

  it("of players with an id from the server have the version of their connection", () => {
    const client = ["192.0.2.1", 50_000] as const;
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]])
      .tcp([SERVER, 6000], [["c", enter(me, "alpha")]], { client, fin: false })
      .udp(
        ["192.0.2.1", 1111],
        ["224.0.1.2", 5154],
        [["c", msg("pu", pid([192, 0, 2, 1], 50_000), u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0))]],
      );
    expect(linesOf(run.end()).at(-1)).toBe("bzflag.107e c2s MsgPlayerUpdate ok");
  });

  it("are not taken for messages if the length is wrong", () => {
    const run = talks().udp(["192.0.2.1", 5154], [SERVER, 5154], [["c", concat(u16(43), update.subarray(2))]]);
    expect(run.end()).toEqual([]);
  });
});

describe("the UDP link", () => {
  const datagram = feed(0, [0, update]);

  it("is recognised by its envelope, whichever side speaks first", () => {
    const fromClient = talks().udp(["192.0.2.1", 17200], [SERVER, 5155], [["c", datagram]]);
    const fromServer = talks().udp(["192.0.2.1", 17200], [SERVER, 5155], [["s", datagram]]);
    expect(linesOf(fromClient.end())).toEqual(["bzflag.107x c2s MsgPlayerUpdate ok"]);
    expect(linesOf(fromServer.end())).toEqual(["bzflag.107x s2c MsgPlayerUpdate ok"]);
  });

  it("recognises the client by the ports that clients use, if the server's is unusual", () => {
    const run = talks().udp(["192.0.2.1", 17201], [SERVER, 5999], [["s", datagram]]);
    expect(linesOf(run.end())).toEqual(["bzflag.107x s2c MsgPlayerUpdate ok"]);
  });

  it("recognises the server by the port that it announced", () => {
    const run = talks()
      .tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]])
      .tcp(
        [SERVER, 6000],
        [
          ["c", msg("of", u16(17200))],
          ["s", msg("of", u16(7777))],
        ],
      )
      .udp(["192.0.2.1", 17200], [SERVER, 7777], [["s", datagram]]);
    expect(linesOf(run.end()).at(-1)).toBe("bzflag.107e s2c MsgPlayerUpdate ok");
  });

  it("is not recognised by a damaged envelope", () => {
    const damaged = [feed(0, [0, update]).subarray(0, 51), concat(u16(0xfeed, 0, 4, 0), msg("ex", u8(1)), u16(0xffff))];
    for (const bytes of damaged) {
      expect(
        talks()
          .udp(["192.0.2.1", 1111], [SERVER, 2222], [["c", bytes]])
          .end(),
      ).toEqual([]);
    }
  });
});

describe("the modern protocol", () => {
  const clientHello = ascii("BZFLAG\r\n\r\n");
  const serverHello = concat(ascii("BZFS0221"), u8(2));

  it("is recognised by its handshake on any port, even in pieces", () => {
    const pieces = [...clientHello].map((byte): Said => ["c", u8(byte)]);
    const run = talks().tcp(
      [SERVER, 31337],
      [...pieces, ["s", concat(serverHello, msg("ac", u8(2)))], ["c", msg("ex")]],
    );
    expect(linesOf(run.end())).toEqual([
      "bzflag.0221 c2s ClientHello ok",
      "bzflag.0221 s2c ServerHello ok",
      "bzflag.0221 s2c MsgAccept ok",
      "bzflag.0221 c2s MsgExit ok",
    ]);
  });

  it.each(["BZFS0026", "BZFS0226"])("says that %s is not declared, and shows its hello", (version) => {
    const greeting = concat(ascii(version), u8(2));
    const messages = talks()
      .tcp(
        [SERVER, 5154],
        [
          ["c", clientHello],
          ["s", concat(greeting, msg("ac", u8(2)))],
        ],
      )
      .end();
    expect(linesOf(messages)).toEqual([
      "bzflag.0221 c2s ClientHello ok",
      "bzflag.0221 s2c ServerHello unknown",
      "bzflag.0221 s2c skipped unknown",
    ]);
    expect(messages[1]?.notes.at(-1)?.text).toBe(`${version} is a version whose messages are not declared`);
  });

  it.each(["BZFS0026", "BZFS1910", "BZFS109a"])("says so for %s in either direction, whoever is first", (version) => {
    const run = talks().tcp(
      [SERVER, 5154],
      [
        ["s", concat(ascii(version), u8(0))],
        ["c", msg("qg")],
        ["s", msg("qg", GAME_INFO)],
        ["c", msg("wh")],
      ],
    );
    const messages = run.end();
    expect(linesOf(messages)).toEqual([
      "bzflag.0221 s2c ServerHello unknown",
      "bzflag.0221 s2c skipped unknown",
      "bzflag.0221 c2s UndeclaredMessages unknown",
    ]);
    const [greeting, , first] = messages;
    expect(fieldsOf(greeting)).toEqual({ version });
    const notes = [greeting, first].map((message) => message?.notes.map(({ text }) => text));
    expect(notes).toEqual(new Array(2).fill([`${version} is a version whose messages are not declared`]));
  });

  it("is recognised by the datagram with which a client opens the UDP side, and by no other as short", () => {
    const first = (datagram: Uint8Array) =>
      linesOf(
        talks()
          .udp(["192.0.2.1", 5000], [SERVER, 31337], [["c", datagram]])
          .end(),
      );
    expect(first(msg("of", u8(0)))).toEqual(["bzflag.0221 c2s MsgUDPLinkRequest ok"]);
    expect(first(msg("zz", u8(0)))).toEqual([]);
    expect(first(concat(u16(2), ascii("of"), u8(0)))).toEqual([]);
  });

  it("does not take datagrams of an undeclared version for its own", () => {
    const client = ["192.0.2.1", 5000] as const;
    const run = talks()
      .tcp([SERVER, 5154], [["s", concat(ascii("BZFS0026"), u8(0))]], { client, fin: false })
      .udp(client, [SERVER, 5154], [["c", msg("of", u8(0))]]);
    expect(linesOf(run.end())).toEqual(["bzflag.0221 s2c ServerHello unknown", "bzflag.0221 s2c skipped unknown"]);
  });

  it("distinguishes the farewell to a client that does not greet from a greeting to player 13", () => {
    const first = (...pieces: readonly Uint8Array[]) =>
      linesOf(
        talks()
          .tcp(
            [SERVER, 5154],
            pieces.map((piece): Said => ["s", piece]),
          )
          .end(),
      );
    expect(first(ascii("BZFS0221\r\n\r\n"))).toEqual(["bzflag.0221 s2c ServerFarewell ok"]);
    expect(first(ascii("BZFS0221\r\n"), ascii("\r\n"))).toEqual(["bzflag.0221 s2c ServerFarewell ok"]);
    expect(first(ascii("BZFS0221\r"), msg("ac", u8(13)))).toEqual([
      "bzflag.0221 s2c ServerHello ok",
      "bzflag.0221 s2c MsgAccept ok",
    ]);
  });

  it.each([
    ["a web browser's request", "GET / HTTP/1.1\r\n\r\n"],
    ["what begins like a greeting", "BZFLAG2\r\n\r\n"],
    ["zeros", "\0\0\0\0"],
  ])("does not take %s for a message, and waits for the server's answer", (_who, said) => {
    const messages = talks()
      .tcp(
        [SERVER, 5154],
        [
          ["c", ascii(said)],
          ["s", ascii("BZFS0221\r\n\r\n")],
        ],
      )
      .end();
    expect(linesOf(messages)).toEqual(["bzflag.0221 c2s UnexpectedData unknown", "bzflag.0221 s2c ServerFarewell ok"]);
    expect(messages[0]?.notes.at(-1)?.text).toBe("this is neither the greeting of a client nor a message");
  });

  it("does not wait for the server's answer if the client sends a lot", () => {
    const run = talks().tcp(
      [SERVER, 5154],
      [
        ["c", new Uint8Array(1025)],
        ["s", ascii("BZFS0221\r\n\r\n")],
      ],
    );
    expect(linesOf(run.end())).toEqual([]);
  });

  it("shows the server's answer to half a greeting", () => {
    const run = talks().tcp(
      [SERVER, 31337],
      [
        ["c", ascii("BZFLAG\r\n")],
        ["s", ascii("BZFS0221\r\n\r\n")],
      ],
    );
    expect(linesOf(run.end())).toContain("bzflag.0221 s2c ServerFarewell ok");
  });

  it("shows what a banned client gets", () => {
    const run = talks().tcp(
      [SERVER, 5154],
      [
        ["c", clientHello],
        ["s", ascii("REFUSED:go away")],
      ],
    );
    expect(linesOf(run.end())[1]).toBe("bzflag.0221 s2c ServerRefusal ok");
  });

  it("shows what others get from a banned address, but does not take any sentence for it", () => {
    const lines = (port: number) =>
      linesOf(
        talks()
          .tcp(
            [SERVER, port],
            [
              ["c", ascii("GET / HTTP/1.0\r\n\r\n")],
              ["s", ascii("banned for spam by op")],
            ],
          )
          .end(),
      );
    expect(lines(5154)).toEqual(["bzflag.0221 c2s UnexpectedData unknown", "bzflag.0221 s2c ServerBan ok"]);
    expect(lines(6667)).toEqual([]);
  });

  it("does not wait for the end of an endless refusal", () => {
    const pieces = Array.from({ length: 100 }, (): Said => ["s", ascii("spam ".repeat(20))]);
    const run = talks().tcp([SERVER, 5154], [["c", clientHello], ["s", ascii("REFUSED:")], ...pieces], { fin: false });
    const [, refusal] = run.messages;
    expect(refusal).toMatchObject({ name: "ServerRefusal", status: "unknown", length: 4108 });
    expect(fieldsOf(refusal)).toMatchObject({ text: "REFUSED:", reason: "spam ".repeat(820) });
    expect(refusal?.notes.map(({ text }) => text)).toEqual([
      "the reason goes on after 4108 bytes, and the rest of it is not waited for",
    ]);
    expect(run.end().at(-1)).toMatchObject({ name: "skipped", offset: 4108, length: 5900 });
    expect(run.errors).toEqual([]);
  });

  it("is recognised by the server's hello, if the client's was not captured", () => {
    const run = talks().tcp([SERVER, 5154], [["s", serverHello]], { handshake: false });
    expect(linesOf(run.end())).toEqual(["bzflag.0221 s2c ServerHello ok"]);
  });

  it.each(["gt", "ls", "hc", "Pa", "Pu", "rr"])("names the undeclared message %s by its code and continues", (code) => {
    const run = talks().tcp([SERVER, 5154], [["c", concat(clientHello, msg(code, u8(1, 2)), msg("ex"))]]);
    expect(linesOf(run.end()).slice(1)).toEqual([`bzflag.0221 c2s Msg_${code} unknown`, "bzflag.0221 c2s MsgExit ok"]);
  });

  it("keeps a limited number of undeclared messages, as arbitrary bytes have 65,536", () => {
    const table = new MessageTable([]);
    const typeOf = (code: number) => table.typeOf({ length: 4, code });
    const first = typeOf(0x0100);
    expect(typeOf(0x0100)).toBe(first);
    for (let code = 0x0200; code < 0x0300; code++) typeOf(code);
    expect(typeOf(0x0100)).not.toBe(first);
    const sent = Array.from({ length: 300 }, (_, index) => concat(u16(0), u16(0x0100 + index)));
    const run = talks().tcp([SERVER, 5154], [["c", concat(clientHello, ...sent, ...sent, msg("ex"))]]);
    const lines = linesOf(run.end());
    expect(lines.length).toBe(602);
    expect(lines.slice(1, -1).every((line) => / Msg_\S+ unknown$/.test(line))).toBe(true);
  });

  it("recognises its datagrams by the ports of the connection, and takes several messages from one", () => {
    const run = talks()
      .tcp([SERVER, 5154], [["c", clientHello]], { client: ["192.0.2.1", 5000], fin: false })
      .udp(["192.0.2.1", 5000], [SERVER, 5154], [["c", concat(msg("pi", u16(1)), msg("pi", u16(2)))]]);
    expect(linesOf(run.end()).slice(1)).toEqual(["bzflag.0221 c2s MsgLagPing ok", "bzflag.0221 c2s MsgLagPing ok"]);
  });

  it("recognises datagrams without a connection by the request that opens the link", () => {
    const run = talks().udp(["192.0.2.1", 1111], [SERVER, 2222], [["c", msg("of", u8(3))]]);
    expect(linesOf(run.end())).toEqual(["bzflag.0221 c2s MsgUDPLinkRequest ok"]);
  });
});

describe("other protocols", () => {
  it.each([
    ["HTTP", "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "HTTP/1.1 200 OK\r\nServer: other\r\n\r\nhello"],
    ["SMTP", "EHLO example.org\r\n", "220 example.org\r\n"],
    ["FTP", "LISTEN\r\n", ""],
    ["zeros", "\0\0\0\0\0\0\0\0", ""],
  ])("are left alone: %s", (_name, said, answer) => {
    const run = talks().tcp(
      [SERVER, 5156],
      [["c", ascii(said)], ...(answer === "" ? [] : [["s", ascii(answer)] as const])],
    );
    expect(run.end()).toEqual([]);
  });
});
