import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { parseDecodeAs } from "../../../src/session/decode-as.js";
import type { Address } from "../../support/packets.js";
import { linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, concat, f32, feed, hello, msg, pid, SERVER, u8, u16 } from "./bytes.js";

/** Conversations whose protocol the user names, which may not look like it. */

const CLIENT: Address = ["192.0.2.1", 1111];
const ELSEWHERE: Address = [SERVER, 31_337];
const me = pid([192, 0, 2, 2], 6000);
const update = msg("pu", me, u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));

function declared(rule: string): Talks {
  return new Talks([bzflag], [parseDecodeAs(rule, [bzflag])]);
}

describe("a connection that the user has declared", () => {
  it("begins with a hello if it begins like one, even if that arrives in pieces", () => {
    const pieces = [...hello("BZFS107c", 5156)].map((byte): Said => ["s", u8(byte)]);
    const run = declared("tcp.port==31337,bzflag.107e").tcp(ELSEWHERE, pieces);
    expect(linesOf(run.end())).toEqual(["bzflag.107c s2c Hello ok"]);
  });

  it("begins with messages otherwise", () => {
    const run = declared("tcp.port==31337,bzflag.107c").tcp(ELSEWHERE, [["c", update]]);
    expect(linesOf(run.end())).toEqual(["bzflag.107c c2s MsgPlayerUpdate ok"]);
  });

  it("is searched for messages if its beginning was not captured and only looks like one", () => {
    const lines = (bytes: Uint8Array) =>
      linesOf(
        declared("tcp.port==31337,bzflag.107c")
          .tcp(ELSEWHERE, [["c", bytes]], { handshake: false })
          .end(),
      );
    expect(lines(concat(update, update))).toEqual(Array(2).fill("bzflag.107c c2s MsgPlayerUpdate ok"));
    expect(lines(concat(update, ascii("1234567890")))[0]).toBe("bzflag.107c c2s skipped truncated");
  });

  it("may be one to a list server", () => {
    const run = declared("tcp.port==31337,bzflag.list").tcp(ELSEWHERE, [["c", ascii("HELLO\n")]]);
    expect(linesOf(run.end())).toEqual(["bzflag.list c2s ListServerText unknown"]);
  });
});

describe("datagrams that the user has declared", () => {
  it("are of the version that the user has named", () => {
    const run = declared("udp.port==31337,bzflag.107c").udp(CLIENT, ELSEWHERE, [
      ["c", update],
      ["c", feed(0, [0, update])],
    ]);
    expect(linesOf(run.end())).toEqual(Array(2).fill("bzflag.107c c2s MsgPlayerUpdate ok"));
  });

  it("may be pings", () => {
    const run = declared("udp.port==31337,bzflag.ping").udp(CLIENT, ELSEWHERE, [
      ["c", concat(msg(0x0202), u8(0))],
      ["c", msg(0x0202)],
    ]);
    expect(linesOf(run.end())).toEqual([
      "bzflag.ping c2s PingCodeOldRequest ok",
      "bzflag.107x c2s skipped truncated",
      "bzflag.ping c2s PingCodeOldRequest ok",
    ]);
  });
});
