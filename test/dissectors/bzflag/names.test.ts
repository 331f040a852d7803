import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import type { DissectedMessage } from "../../../src/index.js";
import { labelOf } from "../../../src/schema/tree/label.js";
import type { Address } from "../../support/packets.js";
import { Talks } from "../../support/talk.js";
import { addPlayer, ascii, concat, enter, f32, hello, msg, NOBODY, pid, SERVER, str, u8, u16 } from "./bytes.js";

/** The label of a field of the last message with this name. */
function label(messages: readonly DissectedMessage[], name: string, field: string): string | undefined {
  const nodes = messages.findLast((message) => message.name === name)?.nodes;
  return nodes === undefined ? undefined : labelOf(nodes, nodes.child(0, field));
}

function talks(version: string, port: number): Talks {
  return new Talks([bzflag]).tcp([SERVER, 5155], [["s", hello(version, port)]]);
}

describe("call signs of the 1.7 protocol", () => {
  const old = pid([192, 0, 2, 2], 6000);
  const assigned = pid([192, 0, 2, 1], 40001, 3);

  it("label the ids of players: their own, and the one that the server assigns", () => {
    const messages = talks("BZFS107e", 6000)
      .tcp(
        [SERVER, 6000],
        [
          ["c", enter(old, "alpha")],
          ["s", concat(addPlayer(old, "alpha", assigned), msg("kl", assigned, old, u16(-1)))],
        ],
      )
      .end();
    expect(label(messages, "MsgKilled", "victim")).toBe("alpha");
    expect(label(messages, "MsgKilled", "killer")).toBe("alpha");
    expect(label(messages, "MsgEnter", "player")).toBe("alpha");
  });

  it("distinguish nobody and everybody from players, and leave unknown ids as they are", () => {
    const messages = talks("BZFS107e", 6000)
      .tcp([SERVER, 6000], [["s", msg("mg", pid([10, 0, 0, 1], 99, 7), NOBODY, u16(0), str(128, "hi"))]])
      .tcp([SERVER, 6000], [["s", msg("so", NOBODY, u16(1))]])
      .end();
    expect(label(messages, "MsgMessage", "from")).toBe("10.0.0.1:99 #7");
    expect(label(messages, "MsgMessage", "to")).toBe("everybody");
    expect(label(messages, "MsgScoreOver", "player")).toBe("nobody");
  });

  it("of 107e are valid for one connection: all clients give themselves the same id", () => {
    const messages = talks("BZFS107e", 6000)
      .tcp([SERVER, 6000], [["s", addPlayer(old, "alpha", assigned)]])
      .tcp([SERVER, 6000], [["s", concat(addPlayer(old, "bravo", assigned), msg("rp", old))]])
      .tcp([SERVER, 6000], [["s", msg("al", old, f32(0, 0, 0, 0, 0, 0))]])
      .end();
    expect(label(messages, "MsgRemovePlayer", "player")).toBe("bravo");
    expect(label(messages, "MsgAlive", "player")).toBe("192.0.2.2:6000 #0");
  });

  it("of 107c are valid everywhere, even for what players multicast", () => {
    const messages = talks("BZFS107c", 6000)
      .tcp([SERVER, 6000], [["s", addPlayer(old, "alpha")]])
      .udp(["192.0.2.1", 1111], ["224.0.1.2", 5154], [["c", msg("pu", old, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0))]])
      .end();
    expect(label(messages, "MsgPlayerUpdate", "player")).toBe("alpha");
  });
});

describe("call signs of the modern protocol", () => {
  const clientHello = ascii("BZFLAG\r\n\r\n");
  const added = (id: number, callsign: string) =>
    msg("ap", u8(id), u16(0, 1, 0, 0, 0), str(32, callsign), str(128, ""));
  const other: Address = ["192.0.2.3", 5154];

  it("label player ids, but only on the server that assigned them", () => {
    const removed = msg("rp", u8(1));
    const messages = new Talks([bzflag])
      .tcp(
        [SERVER, 5154],
        [
          ["c", clientHello],
          ["s", concat(added(1, "alpha"), removed)],
        ],
      )
      .tcp(other, [
        ["c", clientHello],
        ["s", removed],
      ])
      .end();
    expect(
      messages
        .filter(({ name }) => name === "MsgRemovePlayer")
        .map((message) => label([message], message.name, "player")),
    ).toEqual(["alpha", undefined]);
  });

  it("label ids in datagrams, too", () => {
    const client: Address = ["192.0.2.1", 5000];
    const messages = new Talks([bzflag])
      .tcp(
        [SERVER, 5154],
        [
          ["c", clientHello],
          ["s", added(1, "alpha")],
        ],
        { client, fin: false },
      )
      .udp(client, [SERVER, 5154], [["s", msg("se", u8(1), u16(0, 1))]])
      .end();
    expect(label(messages, "MsgShotEnd", "player")).toBe("alpha");
  });

  it("do not outlive their players: an id soon belongs to somebody else, who says the new call sign first", () => {
    const server: Address = [SERVER, 5154];
    const enter = msg("en", u16(0, 1), str(32, "bravo"), str(128, ""), str(22, ""), str(60, ""), u8(0));
    const client: Address = ["192.0.2.1", 5001];
    const messages = new Talks([bzflag])
      .tcp(server, [
        ["c", clientHello],
        ["s", concat(ascii("BZFS0221"), u8(1), added(1, "alpha"), msg("rp", u8(1)))],
      ])
      .tcp(
        server,
        [
          ["c", clientHello],
          ["s", concat(ascii("BZFS0221"), u8(1))],
        ],
        { client, fin: false },
      )
      .udp(client, server, [["c", msg("of", u8(1))]])
      .tcp(server, [
        ["c", clientHello],
        ["s", concat(ascii("BZFS0221"), u8(2))],
        ["c", enter],
        ["s", msg("ac", u8(2))],
      ])
      .tcp(server, [
        ["c", clientHello],
        ["s", concat(ascii("BZFS0221"), u8(255))],
      ])
      .end();
    expect(label(messages, "MsgRemovePlayer", "player")).toBe("alpha");
    expect(label(messages, "MsgUDPLinkRequest", "player")).toBeUndefined();
    expect(label(messages, "MsgAccept", "player")).toBe("bravo");
  });

  it("name ids that do not stand for a single player", () => {
    const messages = new Talks([bzflag])
      .tcp(
        [SERVER, 5154],
        [
          ["c", clientHello],
          ["s", msg("mg", u8(253, 250, 0), ascii("welcome\0"))],
        ],
      )
      .end();
    expect(label(messages, "MsgMessage", "from")).toBe("server");
    expect(label(messages, "MsgMessage", "to")).toBe("red team");
  });
});
