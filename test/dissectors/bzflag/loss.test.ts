import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { dissectPackets } from "../../support/dissecting.js";
import { TcpTalk } from "../../support/packets.js";
import { addPlayer, ascii, concat, f32, msg, pid, SERVER, str, u8, u16 } from "./bytes.js";

const me = pid([192, 0, 2, 2], 6000);
const update = msg("pu", me, u16(1), f32(1, 2, 3, 4, 5, 6, 7, 8));

describe("after a gap", () => {
  it("messages of the 1.7 protocol are found again", () => {
    const talk = new TcpTalk(["192.0.2.1", 40_000], [SERVER, 31_337], [1, 2]);
    const packets = [
      ...talk.handshake(),
      talk.send(0, msg("gw", u16(0))),
      talk.send(1, concat(addPlayer(me, "alpha"), update.subarray(0, 20))),
      talk.send(1, update.subarray(20, 30)),
      talk.send(1, concat(update.subarray(30), update, msg("rp", me), update, update, update)),
    ];
    const lost = packets.map((packet, index) => (index === 5 ? undefined : packet));
    const found = dissectPackets(lost, { dissectors: [bzflag] }).direction("s2c");
    expect(found[0]).toBe("MsgAddPlayer");
    expect(found).toContain("gap truncated");
    expect(found.slice(-5)).toEqual(["MsgPlayerUpdate", "MsgRemovePlayer", ...Array(3).fill("MsgPlayerUpdate")]);
  });

  it("messages of the modern protocol are found again", () => {
    const talk = new TcpTalk(["192.0.2.1", 40_000], [SERVER, 31_337], [1, 2]);
    const added = msg("ap", u8(1), u16(0, 1, 0, 0, 0), str(32, "alpha"), str(128, "a motto that is long enough"));
    const packets = [
      ...talk.handshake(),
      talk.send(0, ascii("BZFLAG\r\n\r\n")),
      talk.send(1, concat(ascii("BZFS0221"), u8(1), added.subarray(0, 9))),
      talk.send(1, added.subarray(9, 20)),
      talk.send(1, concat(added.subarray(20), added, msg("rp", u8(1)), added)),
    ];
    const lost = packets.map((packet, index) => (index === 5 ? undefined : packet));
    const found = dissectPackets(lost, { dissectors: [bzflag] }).direction("s2c");
    expect(found.slice(-3)).toEqual(["MsgAddPlayer", "MsgRemovePlayer", "MsgAddPlayer"]);
  });

  it("a server list that is cut within a line is not reported as malformed", () => {
    const line = ascii(`192.0.2.9:5155 BZFS107e ${"0".repeat(72)} 192.0.2.9 a title\r\n`);
    const talk = new TcpTalk(["192.0.2.1", 40_000], [SERVER, 31_337], [1, 2]);
    const packets = [
      ...talk.handshake(),
      talk.send(0, ascii("LIST\n\n")),
      talk.send(1, concat(line, line.subarray(0, 30))),
      talk.send(1, line.subarray(30)),
      talk.fin(1),
      talk.fin(0),
    ];
    const found = (lost: number) => {
      const there = packets.map((packet, index) => (index === lost ? undefined : packet));
      return dissectPackets(there, { dissectors: [bzflag] }).direction("s2c");
    };
    expect(found(-1)).toEqual(["ListServerEntries"]);
    expect(found(5)).toEqual(["ListServerEntries truncated", "gap truncated"]);
  });
});
