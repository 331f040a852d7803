import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { dissectPackets, type Found, packetsOf } from "../../support/sample-packets.js";
import { linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, f32, msg, NOBODY, pid, SERVER, u16 } from "./bytes.js";

const keyOf = ({ stream, name, bytes }: Found) => `${stream} ${name} ${bytes}`;

describe.each([
  ["bz0221-glclient.pcap", 500],
  ["bz107e-relay.pcap", 200],
])("%s from its middle on", (capture, least) => {
  it.each([0.3, 0.5])("(%f) shows the messages that are there, and no others", async (part) => {
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

  it("is known by several messages in a row, on a port of servers", () => {
    const said: Said[] = new Array(4).fill(["c", update]);
    expect(from(5156, said)).toEqual(new Array(4).fill("bzflag.107x c2s MsgPlayerUpdate ok"));
    expect(from(31337, said)).toEqual([]);
  });

  it("is not believed for fewer, or if anything else is among them", () => {
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
