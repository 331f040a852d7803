import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { TcpTalk } from "../support/packets.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

/** A conversation with a status server as it is after `scrub`, or nothing if it is not recognised. A piece begins with ">" or "<"; "x" says that it is lost. */
async function scrubbed(pieces: readonly string[]): Promise<string> {
  const tcp = new TcpTalk(["203.0.113.7", 50_000], ["203.0.113.8", 8080], [1, 1]);
  const packets = tcp.handshake();
  for (const piece of pieces) {
    const [, lost = "", arrow = "", text = ""] = /^(x?)([<>])(.*)$/s.exec(piece) ?? [];
    const packet = tcp.send(arrow === ">" ? 0 : 1, Buffer.from(text, "latin1"));
    if (lost === "") packets.push(packet);
  }
  packets.push(tcp.fin(0), tcp.fin(1), tcp.ack(0));
  const path = join(folder, "scrubbed.pcapng");
  rmSync(path, { force: true });
  const { code, stderr } = await run(["scrub", file("status.pcap", rawPcapFile(packets)), "-o", path, "--force"]);
  const isWritten = !stderr.includes("there is nothing to write");
  expect([code, stderr.includes("error"), existsSync(path)]).toEqual([0, false, isWritten]);
  return isWritten ? readFileSync(path, "latin1") : "";
}

const get = ">GET /status HTTP/1.1\r\nHost: shard\r\nUser-Agent: UruClient/1.0\r\n\r\n";
const ok = "<HTTP/1.1 200 OK\r\n";
const text = `${ok}Content-Length: 6\r\n\r\nShorah`;
const secret = `${ok}Set-Cookie: id=bookworm\r\nContent-Length: 6\r\n\r\nShorah`;
const secretRequest = ">GET /status HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\nCookie: id=bookworm\r\n\r\n";
const post = ">POST /status HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\n";

describe("scrub and status servers", () => {
  it.each<[string, ...string[]]>([
    ["a reply", get, secret],
    ["a request", secretRequest, text],
    ["the reply after one to HEAD", get.replace("GET", "HEAD"), `${ok}Content-Length: 500\r\n\r\n`, get, secret],
    ["the reply after a short one to HEAD", get.replace("GET", "HEAD"), `${ok}Content-Length: 5\r\n\r\n`, get, secret],
    [
      "the reply after one to HEAD, in pieces",
      get,
      `${ok}Content-Length: 500\r\n\r\nHT`,
      "<TP/1.1 200 OK\r\nX: bookworm",
    ],
    ["the reply after one to HEAD that was not captured", `x${get.replace("GET", "HEAD")}`, get, text, secret],
    ["the reply after one that is not modified", get, "<HTTP/1.1 304 Same\r\nContent-Length: 500\r\n\r\n", get, secret],
    [
      "the reply after one in chunks",
      get,
      `${ok}Transfer-Encoding: chunked\r\n\r\n6\r\nShorah\r\n0\r\n\r\n`,
      get,
      secret,
    ],
    ["the trailer of chunks", get, `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\nSet-Cookie: bookworm\r\n\r\n`],
    [
      "a reply after chunks and a length",
      get,
      `${ok}Transfer-Encoding: chunked\r\nContent-Length: 300\r\n\r\n0\r\n\r\n`,
      secret,
    ],
    ["the reply after a length after a tab", get, `${ok}Content-length:\t6 \r\n\r\nShorah`, get, secret],
    ["the reply after a length before a blank", get, `${ok}Content-Length : 6\r\n\r\nShorah`, get, secret],
    ["the reply after a length on a line of its own", get, `${ok}Content-Length:\r\n 6\r\n\r\nShorah`, get, secret],
    [
      "the reply after a length that goes on",
      get,
      `${ok}Content-Length: 5\r\n 00\r\n\r\n${"x".repeat(500)}`,
      get,
      secret,
    ],
    ["the reply after two lengths", get, `${ok}Content-Length: 999\r\nContent-Length: 6\r\n\r\nShorah`, get, secret],
    ["the reply after one without a length", get, `${ok}\r\nShorah`, get, secret],
    ["the reply after too short a length", get, `${ok}Content-Length: 3\r\n\r\nShorah`, get, secret],
    [
      "the reply after one whose content is lost in part",
      get,
      `${ok}Content-Length: 300\r\n\r\nShorah`,
      `x<${"x".repeat(294)}`,
      get,
      secret,
    ],
    ["the reply after lost bytes", get, text, `x${text}`, secret],
    ["the reply after an interim one", post, "<HTTP/1.1 100 Continue\r\n\r\n", secret],
    ["what follows an exchange of protocols", get, "<HTTP/1.1 101 Switching\r\nContent-Length: 9\r\n\r\nbookworm!"],
    ["pipelined replies", get, get, get, `${text}${secret.slice(1)}${text.slice(1)}`],
    ["pipelined requests", `${get}${secretRequest.slice(1)}${get.slice(1)}`, text, text, text],
    ["compressed content", get, `${ok}Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nbookworm`],
    ["a line that continues another", get, `${ok}Content-Type: text/plain;\r\n bookworm\r\nContent-Length: 0\r\n\r\n`],
    ["a line that continues another one of a request", `${post}Accept: */*,\r\n\tbookworm\r\n\r\n`],
    ["a name of a header with unusual letters", get, `${ok}X.Name: bookworm\r\nContent-Length: 0\r\n\r\n`],
    ["the name of a header", get, `${ok}X-Bookworm: 1\r\nContent-Length: 0\r\n\r\n`],
    ["the name of a header of a request", `${post}Bookworm:\r\nX-The.Bookworm: 1\r\n\r\n`, text],
    ["the reply after a text without a length", get, `${ok}\r\nShorah`, get, "<HTTP/2 200\r\nETag: bookworm\r\n\r\n"],
    [
      "the reply after a text without a length, asked before",
      get,
      get,
      `${ok}\r\nShorah`,
      "<HTTP/2 200\r\nETag: bookworm",
    ],
    ["a line without a name", `${post}bookworm\r\n\r\n`],
    ["the content of a request", `${post}Content-Length: 8\r\n\r\nbookworm`, text],
    ["the content of a request, after a tab", `${post}Content-Length:\t14 \r\n\r\nDate: bookworm\r\n\r\n`, text],
    [
      "the content of a request, in chunks",
      `${post}Transfer-Encoding: chunked\r\n\r\nf\r\nDate: bookworm!\r\n0\r\n\r\n`,
      text,
    ],
    ["the content of a request, unannounced", `${post}\r\nDate: bookworm\r\n\r\n`, text],
    ["a path as the content of a request", `${post}\r\n/home/bookworm\r\n\r\n`, text],
    ["a request in lower case", get, text, ">get /status HTTP/1.1\r\nDate: bookworm\r\n\r\n", text],
    ["a reply in lower case", get, "<http/1.1 200 ok\r\nSet-Cookie: id=bookworm\r\n\r\n"],
    ["a reply of another version", get, "<HTTP/2 200 id=bookworm\r\n\r\n"],
    ["a reply without a first line", get, "<Set-Cookie: id=bookworm\r\n\r\n"],
    ["a head that does not end", get, `${ok}Set-Cookie: id=bookworm`],
    ["an overlong head", get, `${ok}Set-Cookie: id=bookworm\r\n`, ...Array(70).fill(`<X: ${"x".repeat(1000)}\r\n`)],
    [
      "the end of an overlong head",
      get,
      ok,
      ...Array(70).fill(`<X: ${"x".repeat(1000)}\r\n`),
      "<Date: bookworm\r\n\r\n",
    ],
    [
      "an overlong head of a request",
      post,
      ...Array(70).fill(`>X: ${"x".repeat(1000)}\r\n`),
      ">Date: bookworm\r\n\r\n",
    ],
    [
      "lines that end in another way",
      get,
      `${ok}Content-Type: text/plain\rSet-Cookie: bookworm\r\nContent-Length: 0\r\n\r\n`,
    ],
    [
      "more after a line ended in another way",
      get,
      `${ok}Content-Type: text/plain\rbookworm\r\nContent-Length: 0\r\n\r\n`,
    ],
    ["more after the status", get, "<HTTP/1.1 200 OK\rbookworm\r\nContent-Length: 0\r\n\r\n"],
    ["more after the request", ">GET /status HTTP/1.1\rbookworm HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\n\r\n"],
    ["a query", ">GET /status?id=bookworm HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\n\r\n"],
    ["parameters of a path", get, text, ">GET /status;id=bookworm HTTP/1.1\r\nUser-Agent: UruClient/1.0\r\n\r\n"],
  ])("leave nothing private in %s", async (_name, ...pieces) => {
    expect(pieces.join("").toLowerCase()).toContain("bookworm");
    expect((await scrubbed(pieces)).toLowerCase()).not.toContain("bookworm");
  });

  it.each([
    ["one", get, text],
    ["several", get, text, get, text],
    ["one after a reply to HEAD", get.replace("GET", "HEAD"), `${ok}Content-Length: 6\r\n\r\n`, get, text],
    ["one after an interim reply", get, `<HTTP/1.1 100 Continue\r\n\r\n${text.slice(1)}`],
    ["one with a length after a tab", get, `${ok}Content-length:\t6 \r\n\r\nShorah`],
    ["one without a length", get, `${ok}\r\nShorah`],
    ["one in pieces", get, ...[...text.slice(1)].map((letter) => `<${letter}`)],
  ])("keep the text of replies: %s", async (_name, ...pieces) => {
    const after = await scrubbed(pieces);
    const count = pieces.join("").split("Shorah").length;
    if (pieces.length < 10) expect(after.split("Shorah")).toHaveLength(count);
    else expect(after.replace(/[^A-Za-z]/g, "")).toMatch(/S.*h.*o.*r.*a.*h/);
  });
});
