import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { TcpTalk } from "../support/packets.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

const status = "GET /status HTTP/1.1\r\nHost: shard\r\nUser-Agent: UruClient/1.0\r\n\r\n";
const mail = "GET /mail HTTP/1.1\r\nHost: router\r\nCookie: bookworm\r\n\r\n";
const shorah = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nShorah";
const letter =
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: bookworm\r\nContent-Length: 8\r\n\r\nMYLETTER";
const list = "LIST\r\n\r\n";

/** What `decrypt` writes of a connection, and says of it. A piece begins with ">" or "<". */
async function decrypted(port: number, pieces: readonly string[]): Promise<{ written: string; stderr: string }> {
  const tcp = new TcpTalk(["203.0.113.7", 50_000], ["203.0.113.8", port], [1, 1]);
  const opening = tcp.handshake();
  const said = pieces.map((piece) => tcp.send(piece.startsWith(">") ? 0 : 1, Buffer.from(piece.slice(1), "latin1")));
  const capture = file("talk.pcap", rawPcapFile([...opening, ...said, tcp.fin(0), tcp.fin(1), tcp.ack(0)]));
  const path = join(folder, "plain.pcapng");
  rmSync(path, { force: true });
  const { stderr } = await run(["decrypt", capture, "-o", path]);
  return { written: existsSync(path) ? readFileSync(path, "latin1") : "", stderr };
}

const bytesOf = (pieces: readonly string[]) =>
  pieces.flatMap((piece) => [...piece.slice(1)].map((byte) => `${piece[0]}${byte}`));

it.each([
  ["separate packets", [`>${status}`, `<${shorah}`, `>${mail}`, `<${letter}`]],
  ["the same packets", [`>${status}${mail}`, `<${shorah}${letter}`]],
])("leaves out what follows for somebody else in %s, and says so", async (_, pieces) => {
  const { written, stderr } = await decrypted(80, pieces);
  expect(written).toContain(status);
  expect(written).toContain(shorah);
  expect(written).not.toMatch(/bookworm|MYLETTER|mail/);
  const left = mail.length + letter.length;
  expect(stderr).toContain(`${left} bytes of stream 0 are left out: not of the protocol that was recognised`);
});

it("leaves it out of packets with one byte each", async () => {
  const { stderr } = await decrypted(80, bytesOf([`>${status}`, `<${shorah}`, `>${mail}`, `<${letter}`]));
  const left = mail.length + letter.length;
  expect(stderr).toContain(`${left} bytes of stream 0 are left out`);
  const { stdout: shown } = await run(["follow", join(folder, "plain.pcapng"), "--stream", "0"]);
  expect(shown).toContain("Shorah");
  expect(shown).not.toMatch(/bookworm|MYLETTER|mail/);
  expect(shown).not.toMatch(/skipped/);
});

it("leaves out the reply of a server that is no list server", async () => {
  const reply = "Dear bookworm\r\nMYLETTER\r\n";
  const { written, stderr } = await decrypted(5156, [`>${list}`, `<${reply}`]);
  expect(written).toContain(list);
  expect(written).not.toMatch(/bookworm|MYLETTER/);
  expect(stderr).toContain(`${reply.length} bytes of stream 0 are left out`);
});

it("leaves out the reply of a server that is scanned for BZFlag", async () => {
  const reply = "HTTP/1.1 400 bookworm\r\n\r\nMYLETTER";
  const { written, stderr } = await decrypted(5154, [">BZFLAG\r\n\r\n", `<${reply}`]);
  expect(written).toContain("BZFLAG\r\n\r\n");
  expect(written).not.toMatch(/bookworm|MYLETTER/);
  expect(stderr).toContain(`${reply.length} bytes of stream 0 are left out`);
});

it("says nothing of a connection that stays what it was", async () => {
  const { written, stderr } = await decrypted(80, [`>${status}`, `<${shorah}`]);
  expect(written).toContain(shorah);
  expect(stderr).not.toContain("left out");
});
