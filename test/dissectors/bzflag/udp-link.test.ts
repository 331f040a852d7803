import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import type { Address } from "../../support/packets.js";
import { fieldsOf, linesOf, Talks } from "../../support/talk.js";
import { expectTiling } from "../../support/tiling.js";
import { addPlayer, concat, f32, feed, hello, msg, pid, SERVER, u8, u16 } from "./bytes.js";

const CLIENT: Address = ["192.0.2.1", 17200];
const LINK: Address = [SERVER, 5155];
const me = pid([192, 0, 2, 2], 6000);
const end = msg("se", me, u16(3, 1));
const update = msg("pu", me, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));

function link(...datagrams: readonly Uint8Array[]) {
  const run = new Talks([bzflag]).udp(
    CLIENT,
    LINK,
    datagrams.map((bytes) => ["c", bytes]),
  );
  const messages = run.end();
  expect(run.errors).toEqual([]);
  for (const { nodes } of messages) if (nodes !== undefined) expectTiling(nodes);
  return messages;
}

describe("datagrams of the UDP link", () => {
  it("show the envelope around their message", () => {
    const [message] = link(feed(7, [12, end]));
    expect(fieldsOf(message)).toEqual({
      udpFrame: { marker: 0xfeed, lastRecv: 7, packetLen: 16, seq: 12 },
      len: 12,
      code: "se",
      shooter: { host: "192.0.2.2", port: 6000, number: 0 },
      shotId: 3,
      reason: "Explosion",
      udpFrameEnd: 0xffff,
    });
  });

  it("may hold several messages: the envelope is shared among them", () => {
    const messages = link(feed(7, [1, end], [2, update], [3, end]));
    expect(linesOf(messages)).toEqual([
      "bzflag.107x c2s MsgShotEnd ok",
      "bzflag.107x c2s MsgPlayerUpdate ok",
      "bzflag.107x c2s MsgShotEnd ok",
    ]);
    expect(fieldsOf(messages[0])).toMatchObject({ udpFrame: { marker: 0xfeed, lastRecv: 7, packetLen: 16, seq: 1 } });
    expect(fieldsOf(messages[1])).toMatchObject({ udpFrame: { packetLen: 46, seq: 2 } });
    expect(fieldsOf(messages[2])).toMatchObject({ udpFrame: { packetLen: 16, seq: 3 }, udpFrameEnd: 0xffff });
    expect(fieldsOf(messages[1])).not.toHaveProperty("udpFrameEnd");
    expect(messages.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 24],
      [24, 50],
      [74, 22],
    ]);
  });

  it("may hold none, even the first one", () => {
    expect(linesOf(link(feed(9), feed(1, [0, end])))).toEqual([
      "bzflag.107x c2s UDPLinkDatagram ok",
      "bzflag.107x c2s MsgShotEnd ok",
    ]);
    expect(link(u8(0xfe, 0xed, 0, 9, 0xff, 0xfe))).toEqual([]);
  });

  it("may hold none", () => {
    const messages = link(feed(1, [0, end]), feed(9));
    expect(linesOf(messages)[1]).toBe("bzflag.107x c2s UDPLinkDatagram ok");
    expect(fieldsOf(messages[1])).toEqual({ udpFrame: { marker: 0xfeed, lastRecv: 9 }, udpFrameEnd: 0xffff });
  });

  it("may hold an undeclared message, which ends within its packet", () => {
    const messages = link(feed(1, [0, msg("zz", u8(1, 2, 3))], [1, end]));
    expect(linesOf(messages)).toEqual(["bzflag.107x c2s Msg_zz unknown", "bzflag.107x c2s MsgShotEnd ok"]);
    expect(fieldsOf(messages[0])).toMatchObject({ code: "zz", undissected: "010203" });
  });

  it("are malformed if a packet and its message differ in length, and the next packet is read", () => {
    const short = concat(u16(0xfeed, 0, 18, 4), end, u8(1, 2), u16(16, 5), end, u16(0xffff));
    const messages = link(feed(1, [0, end]), short);
    expect(linesOf(messages).slice(1)).toEqual([
      "bzflag.107x c2s UDPLinkPacket malformed",
      "bzflag.107x c2s MsgShotEnd ok",
    ]);
    expect(messages[1]?.notes).toEqual([
      { severity: "error", path: "udpFrame.packetLen", text: "is not the length of the message in the packet" },
    ]);
  });

  it("are malformed if a packet is longer than the datagram, and the next datagram is read", () => {
    const long = concat(u16(0xfeed, 0, 99, 4), end);
    const messages = link(feed(1, [0, end]), long, feed(2, [1, end]));
    expect(linesOf(messages).slice(1)).toEqual([
      "bzflag.107x c2s UDPLinkPacket malformed",
      "bzflag.107x c2s MsgShotEnd ok",
    ]);
  });

  it("are malformed without their end mark", () => {
    const messages = link(feed(1, [0, end]), feed(1, [1, end]).subarray(0, 24), concat(u16(0xfeed, 1), u8(3)));
    expect(linesOf(messages).slice(1)).toEqual([
      "bzflag.107x c2s MsgShotEnd ok",
      "bzflag.107x c2s UDPLinkDatagram malformed",
    ]);
  });

  it("are truncated by a snap length, which is not an error", () => {
    const run = new Talks([bzflag])
      .udp(CLIENT, LINK, [["c", feed(1, [0, end])]])
      .udp(CLIENT, LINK, [["c", feed(1, [1, end])]], 8);
    expect(linesOf(run.end()).slice(1)).toEqual([
      "bzflag.107x c2s MsgShotEnd truncated",
      "bzflag.107x c2s gap truncated",
    ]);
  });

  it("have the player names seen on the client's TCP connection", () => {
    const named = hello("BZFS107e", 6000);
    const run = new Talks([bzflag])
      .tcp([SERVER, 5155], [["s", named]])
      .tcp(
        [SERVER, 6000],
        [
          ["c", msg("of", u16(17200))],
          ["s", addPlayer(me, "alpha")],
        ],
      )
      .udp(CLIENT, LINK, [["c", feed(0, [0, end])]]);
    const tree = JSON.stringify(run.end().at(-1)?.toTree());
    expect(tree).toContain('"name":"shooter","kind":"struct","class":"PlayerId","value":null,"label":"alpha"');
  });
});
