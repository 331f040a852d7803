import { describe, expect, it } from "vitest";
import { moul } from "../../../../dissectors/moul/index.js";
import { dissectConversation } from "../../../support/streams.js";

/** Names of the messages of a connection. A piece begins with ">" or "<". */
function namesOf(...pieces: readonly string[]): string[] {
  const said = pieces.map((piece) => ({
    direction: piece.startsWith(">") ? ("c2s" as const) : ("s2c" as const),
    bytes: Buffer.from(piece.slice(1), "latin1"),
  }));
  return dissectConversation(moul, said).map(({ name }) => name);
}

const get = (path: string, ...headers: readonly string[]) =>
  `>GET ${path} HTTP/1.1\r\n${["Host: shard.example", ...headers].join("\r\n")}\r\n\r\n`;
const reply = (content: string, ...headers: readonly string[]) =>
  `<HTTP/1.1 200 OK\r\n${[...headers, `Content-Length: ${content.length}`].join("\r\n")}\r\n\r\n${content}`;

const game = "User-Agent: UruClient/1.0";
const plain = "Content-Type: text/plain";
const json = "Content-Type: application/json";
const dirtsand = ["Server: Dirtsand", "Connection: close", "Accept-Ranges: bytes"];
const nagus = ["Server: BaseHTTP/0.6 Python/3.11.2", "Date: Tue, 14 Nov 2023 22:13:20 GMT"];
const shown = ["StatusRequest", "StatusReply", "StatusText"];

describe("a status server", () => {
  it.each([
    ["DIRTSAND's status", get("/status"), reply(`{'online':true,'welcome':"Shorah"}\r\n`, ...dirtsand, json)],
    ["DIRTSAND's welcome", get("/welcome"), reply("Shorah", ...dirtsand, plain)],
    ["NAGUS's status", get("/status"), reply('{"online": true, "welcome": "Sho\\"rah"}', ...nagus, json)],
    ["NAGUS's welcome", get("/welcome"), reply("Shorah", ...nagus, `${plain}; charset=windows-1252`)],
    ["a path of its own", get("/serverstatus/moullive.php"), reply("Shorah", plain)],
    ["the game, and no word of the type", get("/status", game), reply("Shorah")],
  ])("is known by %s, in any pieces", (_, request, answer) => {
    expect(namesOf(request, answer)).toEqual(shown);
    const bytes = (piece: string) => [...piece.slice(1)].map((byte) => `${piece[0]}${byte}`);
    expect(namesOf(...bytes(request), ...bytes(answer))).toEqual(shown);
    expect(namesOf(request, answer, request, answer)).toEqual([...shown, ...shown]);
  });

  it("is known by the game, whatever it asks; a text under another path than that of a status may be private", () => {
    const said = ["StatusRequest", "StatusReply", "StatusContent"];
    expect(namesOf(get("/x", game), reply("Shorah", plain))).toEqual(said);
    expect(
      namesOf(get("/account", game), reply("PIN 4711", plain), get("/status", game), reply("Shorah", plain)),
    ).toEqual([...said, ...shown]);
  });

  it.each([
    ["the status of a router", get("/status"), reply('{"uptime":5,"admin":"alice"}', json)],
    ["a status with more in it", get("/status"), reply('{"online":true,"welcome":"x","players":["Alice"]}', json)],
    ["a status that is cut", get("/status"), reply('{"online":true,"welcome":"x"}', json).slice(0, -1)],
    ["a welcome page", get("/welcome"), reply("Welcome back, Alice", "Content-Type: text/html")],
    ["a welcome text", get("/welcome"), reply("Welcome back, Alice", plain)],
    ["a text of another program in Python", get("/welcome"), reply("Alice", ...nagus, `${plain}; charset=utf-8`)],
    ["Prometheus", get("/metrics", "User-Agent: Prometheus/2.4"), reply("up 1", plain)],
    ["a health check", get("/healthz"), reply("ok", plain)],
    ["another page about a server", get("/serverstatus/index.php"), reply("Alice", plain)],
    ["a path that only begins alike", get("/statusboard"), reply(`{'online':true,'welcome':"x"}`, json)],
    ["a client with a similar name", get("/x", "User-Agent: NotUruClient/1.0"), reply("Alice", plain)],
    ["a client that is only mentioned", get("/x", "X-Agent: UruClient/1.0"), reply("Alice", plain)],
    ["a page that is not there", get("/status"), "<HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nAlice"],
    ["chunks", get("/status"), `<HTTP/1.1 200 OK\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["a proxy", `>GET http://a.example/status HTTP/1.1\r\n\r\n`, reply("Alice", plain)],
    ["a tunnel", ">CONNECT a.example:443 HTTP/1.1\r\n\r\n", "<HTTP/1.1 200 OK\r\n\r\n"],
    ["another method", ">PUT /status HTTP/1.1\r\n\r\n", reply("Alice", ...dirtsand, plain)],
    ["an answer in another protocol", get("/status"), "<+OK Alice"],
    ["no answer", get("/status")],
    ["an SSH server", "<SSH-2.0-OpenSSH_9.6\r\n", ">SSH-2.0-OpenSSH_9.6\r\n"],
    ["TLS", ">\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03alice.example"],
    ["a mail server", "<220 mail.example\r\n", ">EHLO alice\r\n"],
    ["a web socket", get("/status", "Upgrade: websocket"), "<HTTP/1.1 101 Switching Protocols\r\n\r\nAlice"],
    ["redirection", get("/status"), "<HTTP/1.1 301 Moved\r\nLocation: https://alice.example/\r\n\r\n"],
  ])("is not %s", (_, ...pieces) => {
    expect(namesOf(...pieces)).toEqual([]);
  });

  const secret = reply("Dear Alice", plain);
  it.each([
    ["the client asks for another page", [get("/welcome", game), reply("x", plain), get("/mail"), secret], shown],
    [
      "the client has asked for another page in the same packet",
      [get("/welcome", game) + get("/mail").slice(1), reply("x", plain) + secret.slice(1)],
      ["StatusRequest", "StatusReply", "StatusText"],
    ],
    [
      "somebody else asks the same server",
      [get("/welcome", game), reply("x", plain), get("/welcome"), secret],
      ["StatusRequest", "StatusReply", "StatusText", "StatusRequest"],
    ],
    [
      "the server answers something else",
      [get("/welcome"), reply("x", ...dirtsand, plain), get("/welcome"), secret],
      ["StatusRequest", "StatusReply", "StatusText", "StatusRequest"],
    ],
    ["the client begins to speak in another way", [get("/status", game), reply("x", plain), ">\x16\x03\x01"], shown],
    ["the server begins to speak in another way", [get("/status", game), "<+OK Alice", ">QUIT"], ["StatusRequest"]],
    [
      "another protocol follows",
      [get("/status", game), "<HTTP/1.1 101 Switching Protocols\r\n\r\nAlice", ">Alice"],
      ["StatusRequest"],
    ],
    ["an unknown method follows", [get("/status", game), reply("x", plain), ">PUT /a HTTP/1.1\r\n\r\n"], shown],
  ])("is left once %s: nothing more is a message", (_, pieces, names) => {
    const found = namesOf(...pieces);
    expect(found.filter((name) => name !== "skipped")).toEqual(names);
    expect(found).toContain("skipped");
  });

  it.each([
    ["that is not JSON as shards write it", reply('{"online":true,"name":"Alice"}', json)],
    ["of an error, which repeats the path", "<HTTP/1.1 404 NOT FOUND\r\nContent-Length: 5\r\n\r\nAlice"],
    ["of a page", reply("<p>Alice", "Content-Type: text/html")],
    ["that is compressed", reply("Alice", plain, "Content-Encoding: gzip")],
  ])("does not tell everybody a content %s", (_, answer) => {
    expect(namesOf(get("/status", game), answer)).toEqual(["StatusRequest", "StatusReply", "StatusContent"]);
  });
});
