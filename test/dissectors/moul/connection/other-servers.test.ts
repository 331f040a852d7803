import { describe, expect, it } from "vitest";
import { recogniseStatus } from "../../../../dissectors/moul/connection/status/status-evidence.js";
import { moul } from "../../../../dissectors/moul/index.js";
import { growthOf } from "../../../support/growth.js";
import { dissectConversation, type Said } from "../../../support/streams.js";
import { expectTiling } from "../../../support/tiling.js";

function text(direction: Said["direction"], value: string): Said {
  return { direction, bytes: Buffer.from(value, "latin1") };
}

/** What is compared of messages: protocol, name, status and fields. */
function outline(said: readonly Said[]): unknown[] {
  return dissectConversation(moul, said).map((message) => {
    if (message.nodes !== undefined) expectTiling(message.nodes);
    const { nodes, notes } = message;
    const json = JSON.parse(JSON.stringify(message));
    return [
      message.protocol,
      message.name,
      message.status,
      json.fields,
      nodes === undefined ? [] : notes.map((note) => note.text),
    ];
  });
}

describe("status server", () => {
  const request = "GET /welcome HTTP/1.1\r\nHost: shard.example\r\nUser-Agent: UruClient/1.0\r\n\r\n";
  const reply = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\n";

  it("shows the heads and the text, in any pieces", () => {
    const expected = [
      [
        "moul.status",
        "StatusRequest",
        "ok",
        { requestLine: "GET /welcome HTTP/1.1", headers: ["Host: shard.example", "User-Agent: UruClient/1.0", ""] },
        [],
      ],
      [
        "moul.status",
        "StatusReply",
        "ok",
        { statusLine: "HTTP/1.1 200 OK", headers: ["Content-Type: text/plain", "Content-Length: 6", ""] },
        [],
      ],
      ["moul.status", "StatusText", "ok", { content: "Shorah" }, []],
    ];
    expect(outline([text("c2s", request), text("s2c", `${reply}Shorah`)])).toEqual(expected);
    const bytes = [...request].map((byte) => text("c2s", byte));
    const answer = [...`${reply}Shorah`].map((byte) => text("s2c", byte));
    expect(outline([...bytes, ...answer])).toEqual(expected);
  });

  it("reads a reply without a length up to the end of the connection", () => {
    const messages = outline([text("c2s", request), text("s2c", "HTTP/1.0 200 OK\r\n\r\nShorah"), text("s2c", "!")]);
    expect(messages.slice(2)).toEqual([
      ["moul.status", "StatusText", "ok", { content: "Shorah" }, []],
      ["moul.status", "StatusText", "ok", { content: "!" }, []],
    ]);
  });

  it("reads text whose last piece could be the beginning of a reply", () => {
    const pieces = [text("s2c", "HTTP/1.0 200 OK\r\n\r\nShora"), text("s2c", "H")];
    const [last] = outline([text("c2s", request), ...pieces]).slice(-1);
    expect(last).toEqual(["moul.status", "StatusText", "ok", { content: "H" }, []]);
  });

  it.each(["Content-Length: 2\r\n", ""])(
    "reads a text that a reply could begin with, if nothing follows: %j",
    (length) => {
      const head = `HTTP/1.1 200 OK\r\n${length}\r\n`;
      const expected = ["moul.status", "StatusText", "ok", { content: "HT" }, []];
      expect(outline([text("c2s", request), text("s2c", `${head}HT`)]).slice(2)).toEqual([expected]);
      expect(outline([text("c2s", request), text("s2c", head), text("s2c", "HT")]).slice(2)).toEqual([expected]);
    },
  );

  it("shows the reply after one to HEAD, which announces content that does not follow, in any pieces", () => {
    const other = `${reply}Shorah`;
    const expected = ["StatusRequest", "StatusReply", "StatusReply", "StatusText"];
    const names = (...said: readonly Said[]) =>
      dissectConversation(moul, [text("c2s", request.replace("GET", "HEAD")), ...said]).map(({ name }) => name);
    expect(names(text("s2c", reply + other))).toEqual(expected);
    expect(names(text("s2c", reply), text("s2c", other))).toEqual(expected);
    expect(names(...[...reply, ...other].map((byte) => text("s2c", byte)))).toEqual(expected);
    expect(names(text("s2c", reply), text("s2c", "H"), text("s2c", "ailed!"))).toEqual([
      ...["StatusRequest", "StatusReply", "StatusText", "skipped"],
    ]);
  });

  it("does not believe anything in an overlong head, nor after it", () => {
    const field = `X-Field: ${"x".repeat(989)}\r\n`;
    const pieces = Array.from({ length: 66 }, () => text("s2c", field));
    const long = [text("c2s", request), text("s2c", "HTTP/1.1 200 OK\r\n"), ...pieces];
    const messages = dissectConversation(moul, [...long, text("s2c", "Content-Length: 6\r\n\r\nShorah")]);
    expect(messages.map(({ name }) => name)).toEqual(["StatusRequest", "StatusContent", "StatusContent"]);
  });

  it.each([
    ["that never ends", 600, "skipped"],
    ["that is too long", 4000, "StatusContent"],
  ])("searches a head %s once, however many pieces it arrives in", async (_, pieces, shown) => {
    const growth = await growthOf((count) => {
      const pieces = Array.from({ length: count }, () => text("s2c", "X-Field: x\r\n".repeat(8)));
      const begin = "HTTP/1.1 200 OK\r\n";
      const replies = dissectConversation(moul, [text("c2s", request), text("s2c", begin), ...pieces]).slice(1);
      expect(new Set(replies.map(({ name }) => name))).toEqual(new Set([shown]));
      expect(replies.reduce((sum, { length }) => sum + length, 0)).toBe(begin.length + count * 96);
    }, pieces);
    expect(growth).toBeLessThan(5);
  });

  it("recognises the game client by its name, whatever it requests", () => {
    const messages = outline([text("c2s", "GET /x HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\n\r\n")]);
    expect(messages).toHaveLength(1);
  });

  it("leaves other people's HTTP alone", () => {
    expect(
      outline([text("c2s", "GET /index.html HTTP/1.1\r\nUser-Agent: curl/8\r\n\r\n"), text("s2c", reply)]),
    ).toEqual([]);
    expect(outline([text("c2s", "GEM"), text("c2s", "STONE")])).toEqual([]);
    const endless = text("c2s", `GET /${"x".repeat(5000)}`);
    expect(recogniseStatus({ c2s: endless.bytes, s2c: new Uint8Array(0), final: false })).toBe("no");
  });
});

describe("connection types without a documented protocol", () => {
  const identity = `96030000 32000000 01000000 ${"00".repeat(16)}`;
  const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ""), "hex");

  it("are named", () => {
    const packet = bytes(`0e 1f00 ${identity} 08000000 aabbccdd`);
    const messages = outline([
      { direction: "c2s", bytes: packet },
      { direction: "c2s", bytes: bytes("0102") },
      { direction: "s2c", bytes: bytes("03") },
    ]);
    const why = "the messages of a SrvToVault connection are not documented";
    expect(messages).toEqual([
      [
        "moul.srvToVault",
        "ConnectPacket",
        "ok",
        expect.objectContaining({ connectionType: "SrvToVault", data: "aabbccdd" }),
        [],
      ],
      ["moul.srvToVault", "SrvToVault_Data", "unknown", { undissected: "0102" }, [why]],
      ["moul.srvToVault", "SrvToVault_Data", "unknown", { undissected: "03" }, [why]],
    ]);
  });

  it("include SimpleNet, with its channel", () => {
    const packet = bytes(`15 1f00 ${identity} 01000000`);
    expect(
      outline([
        { direction: "c2s", bytes: packet.subarray(0, 34) },
        { direction: "c2s", bytes: packet.subarray(34) },
      ]),
    ).toEqual([["moul.simpleNet", "SimpleNet_Connect", "ok", expect.objectContaining({ channelId: "Csr" }), []]]);
  });

  it("do not include what only resembles one", () => {
    expect(outline([{ direction: "c2s", bytes: bytes(`0e 1f00 ${identity} ffffffff`) }])).toEqual([]);
    expect(outline([{ direction: "c2s", bytes: bytes(`02 1f00 ${identity} 04000000`) }])).toEqual([]);
  });
});

describe("SimpleNet", () => {
  const packet = `15 1f00 96030000 32000000 01000000 ${"00".repeat(16)} 01000000`;
  const command = Buffer.from("Avatar.Physics.TogglePhysical\0", "latin1").toString("hex");
  const exec = `01000000 00000000 2a000000 ${command}`;
  const said = (hex: string, direction: Said["direction"] = "c2s"): Said => {
    return { direction, bytes: Buffer.from(hex.replace(/\s/g, ""), "hex") };
  };
  const executed = [
    "moul.simpleNet",
    "CsrNet_ExecConsoleCmd",
    "ok",
    { channelId: "Csr", messageId: 0, messageByteCount: 42, command: "Avatar.Physics.TogglePhysical" },
    [],
  ];

  it("carries console commands, in any pieces", () => {
    expect(outline([said(packet + exec + exec)]).slice(1)).toEqual([executed, executed]);
    const bytes = (packet + exec).replace(/\s/g, "").match(/../g) ?? [];
    expect(outline(bytes.map((byte) => said(byte))).slice(1)).toEqual([executed]);
  });

  it("passes over what is not documented by its byte count", () => {
    const other = "01000000 05000000 0e000000 aabb";
    const max = "02000000 00000000 0d000000 cc";
    expect(outline([said(packet + other + max + exec)]).slice(1)).toEqual([
      [
        "moul.simpleNet",
        "CsrNet_5",
        "unknown",
        { channelId: "Csr", messageId: 5, messageByteCount: 14, undissected: "aabb" },
        ["5 is not a known message of the channel Csr"],
      ],
      [
        "moul.simpleNet",
        "SimpleNet_0",
        "unknown",
        { channelId: "Max", messageId: 0, messageByteCount: 13, undissected: "cc" },
        ["the messages of channel 2 are not documented"],
      ],
      executed,
    ]);
  });

  it("says that a byte count is too small", () => {
    const [, message] = outline([said(`${packet} 01000000 00000000 0b000000`)]);
    const why = "the byte count of 11 does not even cover the header of 12 bytes";
    expect(message).toEqual([
      "moul.simpleNet",
      "CsrNet_ExecConsoleCmd",
      "malformed",
      expect.objectContaining({ messageByteCount: 11 }),
      [why],
    ]);
  });

  it("goes on with the next command after lost bytes", () => {
    const found = outline([said(packet), { ...said(`${exec}aabb`), isLost: true }, said(`ccdd ${exec}${exec}`)]);
    const [first, second] = found.slice(-2);
    expect(first).toEqual([...executed.slice(0, 4), ["found after a gap: from here on a message makes sense"]]);
    expect(second).toEqual(executed);
  });
});
