import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { hasBits } from "../../../src/filter/named-numbers.js";
import { Type } from "../../../src/schema/index.js";
import { Opcode } from "../../../src/schema/language/opcode.js";
import { flagBits, labelOf } from "../../../src/schema/tree/label.js";
import { expectRoundTrip } from "../../support/check.js";
import { fieldsOf, linesOf, type Said, Talks } from "../../support/talk.js";
import { expectTiling } from "../../support/tiling.js";
import { ascii, SERVER, u8 } from "./bytes.js";

const GAME = "01ff00c80003".padEnd(72, "0");
const GAME_JSON = {
  gameStyle: expect.arrayContaining(["TeamFlags", "TimeSync"]),
  maxPlayers: 200,
  maxShots: 3,
  maxTime: 0,
};

function ask(request: string, answer: string | Uint8Array = "", port = 5156) {
  const said: Said[] = [["c", ascii(request)]];
  if (answer.length > 0) said.push(["s", typeof answer === "string" ? ascii(answer) : answer]);
  const run = new Talks([bzflag]).tcp([SERVER, port], said);
  const messages = run.end();
  expect(run.errors).toEqual([]);
  for (const { nodes } of messages) {
    const struct = nodes?.field(0).struct;
    if (nodes === undefined || struct === undefined) continue;
    expectTiling(nodes);
    expectRoundTrip(new Type({ opcode: Opcode.Struct, kind: "struct", width: 0, struct }), nodes);
  }
  return messages;
}

describe("the list server's protocol", () => {
  it.each(["\n", "\r\n"])("registers a server, with any line break", (eol) => {
    const messages = ask(`ADD game.example.org:5155 42 BZFS107e ${GAME} A title of words${eol}${eol}`, u8(0), 31337);
    expect(linesOf(messages)).toEqual(["bzflag.list c2s ListServerAdd ok", "bzflag.list s2c ListServerResult ok"]);
    expect(fieldsOf(messages[0])).toMatchObject({
      command: "ADD",
      server: "game.example.org:5155",
      build: 42,
      version: "BZFS107e",
      ...GAME_JSON,
      title: "A title of words",
      end: "",
    });
    expect(fieldsOf(messages[1])).toEqual({ result: "Ok" });
  });

  it("removes a server, and is refused", () => {
    const messages = ask("REMOVE game.example.org\n\n", u8(1));
    expect(fieldsOf(messages[0])).toEqual({ command: "REMOVE", server: "game.example.org", end: "" });
    expect(fieldsOf(messages[1])).toEqual({ result: "Refused" });
  });

  it("counts players", () => {
    const [message] = ask("SETNUM game.example.org:5155 1 2 3 4 5\r\n\r\n");
    expect(fieldsOf(message)).toMatchObject({
      rogueCount: 1,
      redCount: 2,
      greenCount: 3,
      blueCount: 4,
      purpleCount: 5,
    });
  });

  it("lists servers", () => {
    const lines = `a.example:5155 BZFS107e ${GAME} 192.0.2.7 One\r\nb.example BZFS107d ${GAME} 192.0.2.8 Two words\r\n`;
    const messages = ask("LIST\n\n", lines);
    expect(fieldsOf(messages[1])).toMatchObject({
      servers: [
        { server: "a.example:5155", version: "BZFS107e", ip: "192.0.2.7", title: "One", ...GAME_JSON },
        { server: "b.example", version: "BZFS107d", ip: "192.0.2.8", title: "Two words" },
      ],
    });
  });

  it("lists servers without their addresses, as 1.7d does", () => {
    const messages = ask("LIST\r\n\r\n", `a.example:5155 BZFS107d ${GAME} One of all\r\n`);
    const [server] = [fieldsOf(messages[1])];
    expect(server).toMatchObject({ servers: [{ server: "a.example:5155", title: "One of all" }] });
    expect(JSON.stringify(server)).not.toContain('"ip"');
  });

  it.each([
    ["LIST\n\n", "", "ListServerEntries"],
    ["GET /list HTTP/1.0\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n", "ListServerHttpReply"],
  ])("does not take a list for complete unless the server has ended it by hanging up: %j", (request, head, name) => {
    const said: Said[] = [
      ["c", ascii(request)],
      ["s", ascii(`${head}a.example:5155 BZFS107e ${GAME} 192.0.2.7 One\r\n`)],
    ];
    const [, whole] = new Talks([bzflag]).tcp([SERVER, 5156], said).end();
    expect(whole).toMatchObject({ name, status: "ok", notes: [] });
    const [, cut] = new Talks([bzflag]).tcp([SERVER, 5156], said, { fin: false }).end();
    expect(cut).toMatchObject({
      name,
      status: "truncated",
      notes: [{ text: expect.stringMatching(/^the capture holds/) }],
    });
    expect(fieldsOf(cut)).toEqual(fieldsOf(whole));
  });

  it("shows an empty list as empty", () => {
    expect(linesOf(ask("LIST\n\n"))).toEqual(["bzflag.list c2s ListServerList ok"]);
  });

  it("is recognised over HTTP by the content of the answer", () => {
    const request = "GET /list HTTP/1.0\r\nHost: example.org\r\n\r\n";
    const list = `a.example:5155 BZFS107e ${GAME} 192.0.2.7 One\r\n`;
    const messages = ask(request, `HTTP/1.0 200 OK\r\nServer: bzfls/1.7\r\n\r\n${list}`, 8080);
    expect(linesOf(messages)).toEqual(["bzflag.list c2s ListServerGet ok", "bzflag.list s2c ListServerHttpReply ok"]);
    expect(fieldsOf(messages[0])).toEqual({
      command: "GET",
      url: "/list",
      httpVersion: "HTTP/1.0",
      headers: "Host: example.org",
    });
    expect(fieldsOf(messages[1])).toMatchObject({
      status: "HTTP/1.0 200 OK",
      headers: "Server: bzfls/1.7",
      servers: [{ server: "a.example:5155", ip: "192.0.2.7" }],
    });
    const withoutName = ask(request, `HTTP/1.0 200 OK\r\n\r\n${list}`, 8080);
    expect(linesOf(withoutName)[1]).toBe("bzflag.list s2c ListServerHttpReply ok");
  });

  it("shows an invalid number as such", () => {
    const game = `zz00${"00c8".padEnd(63, "0")}12x4g`;
    const [, message] = ask("LIST\n\n", `a.example BZFS107d ${game} Title\r\n`);
    const server = { gameStyle: "NaN", maxPlayers: 200, maxTime: "NaN", title: "Title" };
    expect(fieldsOf(message)).toMatchObject({ servers: [server] });
    const { nodes } = message ?? {};
    const style = nodes?.child(2, "gameStyle") ?? -1;
    expect(nodes && labelOf(nodes, style)).toBeUndefined();
    expect(nodes && hasBits(flagBits(nodes, style), 1)).toBe(false);
  });

  it("accepts a request that arrives in pieces", () => {
    const said = [..."SETNUM a 1 2 3 4 5\n\n"].map((letter): Said => ["c", ascii(letter)]);
    expect(linesOf(new Talks([bzflag]).tcp([SERVER, 9], said).end())).toEqual(["bzflag.list c2s ListServerSetNum ok"]);
  });

  it("is truncated if the capture ends", () => {
    const run = new Talks([bzflag]).tcp([SERVER, 5156], [["c", ascii(`ADD a 1 BZFS107e ${GAME} tit`)]], { fin: false });
    expect(linesOf(run.end())).toEqual(["bzflag.list c2s ListServerAdd truncated"]);
  });
});
