import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pcapFile, rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { haystacksOf, leaks, textNeedle } from "../support/leaks.js";
import { loneDatagrams } from "../support/lone-datagrams.js";
import { endsOf, TcpTalk, udpPacket } from "../support/packets.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

/** What is private in all of these conversations. */
const SECRETS = ["bookworm", "alice.smith", "4711-PIN", "MYPRIVATE"];
const SECRET = "Dear alice.smith@example.com, bookworm, your 4711-PIN. MYPRIVATE";
/** Bytes before the payload of a UDP packet over IPv4. */
const HEADERS = 28;
const needles = SECRETS.flatMap(textNeedle);

async function scrubbed(packets: readonly Uint8Array[], ...options: readonly string[]): Promise<string[]> {
  const before = file("foreign.pcap", rawPcapFile(packets));
  const path = join(folder, "foreign.pcapng");
  rmSync(path, { force: true });
  const { code, stderr } = await run(["scrub", before, ...options, "-o", path, "--force", "--seed", "s"]);
  expect([code, stderr.includes("error")]).toEqual([0, false]);
  // Where nothing can be shared, no file is written.
  return existsSync(path) ? leaks(needles, await haystacksOf(path)) : [];
}

/** A connection to a port. A piece begins with ">" or "<". */
function talk(port: number, pieces: readonly string[], clientPort = 50_000): Uint8Array[] {
  const tcp = new TcpTalk(["203.0.113.7", clientPort], ["203.0.113.8", port], [1, 1]);
  const opening = tcp.handshake();
  const said = pieces.map((piece) => tcp.send(piece.startsWith(">") ? 0 : 1, Buffer.from(piece.slice(1), "latin1")));
  return [...opening, ...said, tcp.fin(0), tcp.fin(1), tcp.ack(0)];
}

const request = (method: string, path: string, ...headers: readonly string[]) =>
  `>${method} ${path} HTTP/1.1\r\n${["Host: router", "Cookie: bookworm", ...headers].join("\r\n")}\r\n\r\n`;
const reply = (type = "text/plain", content = SECRET) =>
  `<HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nSet-Cookie: bookworm\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
const chunked = `<HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n${SECRET}\r\n0\r\n\r\n`;
const game = "User-Agent: UruClient/1.0";
const json = '{"online":true,"welcome":"x"}';
const digits = "0".repeat(72);

const FOREIGN: readonly (readonly [string, readonly string[]])[] = [
  ["a status page", [request("GET", "/status"), reply()]],
  ["a status as JSON", [request("GET", "/status"), reply("application/json", `{"admin":"${SECRET}"}`)]],
  ["a welcome page", [request("GET", "/welcome"), reply("text/html")]],
  [
    "a request with HEAD and one with GET",
    [request("HEAD", "/status"), reply().replace(SECRET, ""), request("GET", "/status"), reply()],
  ],
  ["posted contents", [request("POST", "/status", `Content-Length: ${SECRET.length}`) + SECRET, reply()]],
  [
    "pages after the status",
    [request("GET", "/status"), reply("application/json", json), request("GET", "/mail"), reply()],
  ],
  [
    "pipelined pages",
    [request("GET", "/status") + request("GET", "/mail").slice(1), reply("application/json", json) + reply().slice(1)],
  ],
  [
    "pages that the game did not ask for",
    [request("GET", "/status", game), reply("text/plain", "Shorah"), request("GET", "/mail"), reply()],
  ],
  [
    "an error that repeats a path",
    [request("GET", "/status?bookworm", game), `<HTTP/1.1 404 bookworm\r\nContent-Length: 64\r\n\r\n${SECRET}`],
  ],
  ["the path of a request of the game", [request("GET", "/bookworm/MYPRIVATE", game), reply("text/html")]],
  ["chunks", [request("GET", "/welcome"), chunked]],
  ["metrics", [request("GET", "/metrics"), reply("text/plain; version=0.0.4", `up{user="${SECRET}"} 1`)]],
  ["a health check", [request("GET", "/healthz"), reply()]],
  ["a proxy", [request("GET", "http://mail.example/status"), reply(), request("CONNECT", "mail.example:443"), reply()]],
  ["a web socket", [request("GET", "/status", game), "<HTTP/1.1 101 bookworm\r\n\r\n", `<${SECRET}`, `>${SECRET}`]],
  ["TLS", [`>\x16\x03\x01\x00\x50\x01\x00\x00\x4c\x03\x03${SECRET}`, `<\x16\x03\x03\x00\x40${SECRET}`]],
  ["SSH", ["<SSH-2.0-bookworm\r\n", ">SSH-2.0-MYPRIVATE\r\n", `<${SECRET}`]],
  ["mail", ["<220 bookworm\r\n", ">EHLO bookworm\r\n", `>MAIL FROM:<${SECRET}>\r\n`]],
  ["FTP", ["<220 bookworm\r\n", ">LIST\r\n\r\n", `<150 ${SECRET}\r\n`]],
  ["a list of something else", [">LIST\r\n\r\n", `<Dear alice.smith\r\n${SECRET}\r\n`]],
  [
    "a list of something else after a server",
    [">LIST\r\n\r\n", `<a.example BZFS107e ${digits} title\r\n${SECRET}\r\n`],
  ],
  ["a page like a list", [request("GET", "/list"), `<HTTP/1.0 200 OK\r\nServer: bzfls/1\r\n\r\n${SECRET}`]],
  [
    "a page after a list",
    [
      request("GET", "/list"),
      `<HTTP/1.0 200 OK\r\nContent-Length: 92\r\n\r\na.example BZFS107e ${digits} x\r\n`,
      request("GET", "/mail"),
      reply(),
    ],
  ],
  ["a result that goes on", [">REMOVE a.example\r\n\r\n", `<\0${SECRET}`]],
  ["a result of something else", [">REMOVE a.example\r\n\r\n", `<${SECRET}`]],
  ["words in place of numbers", [`>ADD a.example 1 BZFS107e ${digits} x\r\nMYPRIVATE\r\n`, `<${SECRET}`]],
  ["a number in place of a word", [`>SETNUM a.example 1 2 3 4 5\r\nbookworm\r\n`]],
  ["a server that is scanned for BZFlag", [">BZFLAG\r\n\r\n", `<HTTP/1.1 400 bookworm\r\n\r\n${SECRET}`, `>${SECRET}`]],
  ["a server with a similar greeting", [`<BZFSbookworm`, `>${SECRET}`]],
  ["a server of an undeclared version", [`<BZFS1910${SECRET}`, `>${SECRET}`]],
  ["a server of 1.7 that goes on", [`<BZFS107e\x00\x00${SECRET}`, `>${SECRET}`]],
  ["another game", [`>\x00\x00\x00\x20${SECRET}`, `<\x00\x00\x00\x20${SECRET}`]],
  [
    "messages of BZFlag with other letters",
    [`>\x00\x02gw\x00\x00\x00\x40bw${SECRET}`, `<\x00\x40bw${SECRET}`, `<${SECRET}`],
  ],
  ["a connect packet that is too long", [`>\x0a\x1f\x00${"\0".repeat(28)}\x40\x00\x00\x00${SECRET}`]],
  ["a connect packet of an unknown kind", [`>\x0e\x1f\x00${"\0".repeat(28)}\x44\x00\x00\x00${SECRET}`, `<${SECRET}`]],
  ["the beginning of a connect packet", [`>\x10\x1f\x00${"\0".repeat(28)}`, `<${SECRET}`]],
  ["text that is not MOUL", [`>${SECRET.repeat(8)}`, `<${SECRET.repeat(80)}`]],
];

/** The texts in all fields of a name, long enough not to occur by chance. */
async function textsOf(name: string, field: string): Promise<string[]> {
  const { stdout } = await run([sample(name), "--json"]);
  const found = [...stdout.matchAll(new RegExp(`"${field}":"([^"\\\\]{6,})"`, "g"))];
  return [...new Set(found.map(([, text = ""]) => text))];
}

describe("scrub leaves nothing of other traffic", () => {
  it.each(FOREIGN)("%s", async (_, pieces) => {
    expect(pieces.join("")).toMatch(new RegExp(SECRETS.join("|")));
    const ports = [80, 8080, 3128, 14617, 5154, 5155, 5156];
    expect(await scrubbed(ports.flatMap((port, index) => talk(port, pieces, 50_000 + index)))).toEqual([]);
  });

  it("in a capture that begins in the middle of it, and in pieces", async () => {
    for (const [index, [, pieces]] of FOREIGN.entries()) {
      const bytes = pieces.flatMap((piece) => [...piece.slice(1)].map((byte) => `${piece[0]}${byte}`));
      const small = talk(index % 2 === 0 ? 14617 : 5155, bytes);
      expect([index, await scrubbed(small)]).toEqual([index, []]);
      expect([index, await scrubbed(talk(14617, pieces).slice(3))]).toEqual([index, []]);
    }
  });

  it("next to what it writes", async () => {
    const own = talk(
      80,
      [
        request("GET", "/welcome", game).replace("Cookie: bookworm", "Accept: */*"),
        "<HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nShorah",
      ],
      50_001,
    );
    expect(
      await scrubbed([...own, ...FOREIGN.flatMap(([, pieces], index) => talk(8080, pieces, 51_000 + index))]),
    ).toEqual([]);
    expect(readFileSync(join(folder, "foreign.pcapng"), "latin1")).toContain("Shorah");
  });

  it.each([
    ["a reply to a ping", `\x00\x38\x03\x03${SECRET.padEnd(56, "x").slice(0, 56)}`],
    ["a reply to a ping of an undeclared version", `\x00\x38\x03\x03BZFS1910${SECRET.slice(0, 48)}`],
    ["an old ping", `\x00\x40\x02\x02${SECRET}`],
    ["a link", `\xfe\xed\x00\x00\x00\x44\x00\x00\x00\x40zz${SECRET}\xff\xff`],
    ["a link with a broken packet", `\xfe\xed\x00\x00\x00\x09\x00\x00${SECRET}`],
    ["a modern datagram", `\x00\x05of\x01${SECRET}`],
    ["a query for names", `\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x08bookworm\x07example\x00`],
    ["DTLS", `\x16\xfe\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x40${SECRET}`],
    ["text", SECRET],
  ])("over UDP: %s", async (_, datagram) => {
    const bytes = Buffer.from(datagram, "latin1");
    const packets = [53, 5154, 5155, 17200].flatMap((port, index) => {
      const [client, server] = [["203.0.113.7", 50_000 + index] as const, ["203.0.113.8", port] as const];
      return [udpPacket(endsOf(client, server), bytes), udpPacket(endsOf(server, client), bytes)];
    });
    expect(await scrubbed([...packets, ...packets, ...packets])).toEqual([]);
  });

  it("in datagrams between those of a game", async () => {
    const packets = await loneDatagrams();
    const [first = new Uint8Array(0)] = packets;
    const odd = Buffer.from(first);
    // The same ends, with text in place of what was said.
    odd.set(Buffer.from(SECRET).subarray(0, odd.length - HEADERS), HEADERS);
    expect(await scrubbed([...packets.slice(0, 40), odd, ...packets.slice(40, 60)])).toEqual([]);
  });
});

describe("scrub of packets that were cut or lost", () => {
  it.each([
    ["bz107e-listserver.pcap", "title"],
    ["bz107e-udp.pcap", "callsign"],
    ["bz0221-glclient.pcap", "callsign"],
    ["nagus-plain.pcap", "accountName"],
  ])("leaves no part of a secret in %s", async (name, field) => {
    const values = await textsOf(name, field);
    expect(values.length).toBeGreaterThan(0);
    const packets = await packetsOf(name);
    for (const snap of [70, 100, 130, 250]) {
      const before = file(
        "cut.pcap",
        pcapFile(packets.map(({ data }) => ({ data: data.subarray(0, snap), originalLength: data.length }))),
      );
      const path = join(folder, "cut.pcapng");
      expect((await run(["scrub", before, "-o", path, "--force"])).code).toBe(0);
      expect([snap, leaks(values.flatMap(textNeedle), await haystacksOf(path))]).toEqual([snap, []]);
    }
    for (const each of [3, 7]) {
      const left = packets.filter((_, index) => index % each !== each - 1).map(({ data }) => data);
      const before = file("lost.pcap", pcapFile(left.map((data) => ({ data }))));
      const path = join(folder, "lost.pcapng");
      expect((await run(["scrub", before, "-o", path, "--force"])).code).toBe(0);
      expect([each, leaks(values.flatMap(textNeedle), await haystacksOf(path))]).toEqual([each, []]);
    }
  });
});
