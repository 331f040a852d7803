import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NetVaultNode } from "../../dissectors/moul/messages/vault/NetVaultNode.js";
import { encode } from "../../src/schema/encode/encode.js";
import { rawPcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** What nobody's server sends, from a capture to what commands print and write. */

const folder = temporaryFolder();

/** Names that mean something to terminals, paths, markup, diagrams and objects. */
const NAMES = [
  "../../../escaped",
  "..\\..\\escaped",
  "C:\\Windows\\win.ini",
  "/etc/passwd",
  "con",
  "\u001b[31mred\u0007",
  "a\nb%%{init: {}}%%\n  Note over x: y",
  "<script>alert(1)</script>",
  "__proto__",
  "\u202egnp.exe",
  `${"long".repeat(100)}.txt`,
];

function written(name: string, talk: MoulTalk): string {
  const path = join(folder, name);
  writeFileSync(path, rawPcapFile(packetsOf(talk)));
  return path;
}

const authTalk = () => new MoulTalk("auth", { encryption: "none" }).opens();

/** A download whose messages say what they like. */
function download(talk: MoulTalk, transactionId: number, filePath: string, content: Uint8Array, total: number): void {
  talk.says("Cli2Auth_FileDownloadRequest", { transactionId, filePath });
  const chunk = { totalFileSize: total, chunkOffset: 0, chunkSize: content.length, chunkData: content };
  talk.says("Auth2Cli_FileDownloadChunk", { transactionId, result: 0, ...chunk });
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Control characters and those that change directions, line ends aside. */
function invisibleIn(text: string): string[] {
  return text.replaceAll("\n", "").match(/[\p{Cc}\p{Cf}]/gu) ?? [];
}

describe("downloads with hostile names", () => {
  it("are below the folder, each of them, and printed harmlessly", async () => {
    const talk = authTalk();
    for (const [index, name] of [...NAMES, ...NAMES].entries()) {
      download(talk, index + 1, name, Uint8Array.of(index), 1);
    }
    const capture = written("names.pcap", talk);
    const out = join(folder, "out");
    const { code, stdout } = await run(["objects", capture, "-o", out]);
    expect(code).toBe(0);
    expect(invisibleIn(stdout)).toEqual([]);
    const files = filesIn(folder).filter((file) => !file.endsWith(".pcap"));
    expect(files.every((file) => file.startsWith(`${out}${sep}files${sep}`))).toBe(true);
    // Two of each name, none over another.
    expect(files.map((file) => readFileSync(file)[0]).sort((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 2 * NAMES.length }, (_, index) => index),
    );
    const again = await run(["objects", capture, "-o", out, "--json"]);
    expect(jsonLines(again.stdout)).toHaveLength(2 * NAMES.length);
    expect(filesIn(out)).toHaveLength(4 * NAMES.length);
  });
});

describe("downloads whose sizes lie", () => {
  const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
  const half = (number: number) => ({
    highHalf: Math.floor(number / 0x10000),
    lowHalf: number & 0xffff,
    terminator: 0,
  });

  /** A download of the file server with the list that it is in. */
  function listed(name: string, packed: Uint8Array, plain: { readonly size: number; readonly hash: string }): string {
    const talk = new MoulTalk("file").opens();
    const entry = {
      ...{ fileName: name, downloadName: `${name}.gz`, fileHash: plain.hash, downloadHash: md5(packed) },
      ...{ fileSize: half(plain.size), downloadSize: half(packed.length), flags: half(0) },
    };
    talk.says("Cli2File_ManifestRequest", { transactionId: 1, group: "All", buildId: 0 });
    const units = [entry.fileName, entry.downloadName, entry.fileHash, entry.downloadHash];
    const count = units.reduce((sum, text) => sum + text.length + 1, 0) + 9 + 1;
    talk.says("File2Cli_ManifestReply", {
      ...{ transactionId: 1, result: 0, readerId: 0, fileCount: 1, manifestElementCount: count },
      ...{ manifest: [entry], terminator: 0 },
    });
    talk.says("Cli2File_FileDownloadRequest", { transactionId: 2, fileName: `${name}.gz`, buildId: 0 });
    const data = { totalFileSize: packed.length, byteCount: packed.length, fileData: packed };
    talk.says("File2Cli_FileDownloadReply", { transactionId: 2, result: 0, readerId: 0, ...data });
    return written(`${name}.pcap`, talk);
  }

  const content = Buffer.from("Shorah, ".repeat(1000));

  it.each([
    ["honest", { size: content.length, hash: md5(content) }, "whole, as listed, unpacked", content.length],
    ["other", { size: content.length, hash: md5(Buffer.of(1)) }, "unpacked; not what the list says", content.length],
    ["small", { size: 10, hash: md5(content) }, "whole, as listed; it cannot be unpacked", gzipSync(content).length],
    ["huge", { size: 0xffffffff, hash: md5(content) }, "whole, as listed, unpacked", content.length],
  ] as const)("are unpacked as far as the list allows: %s", async (name, plain, state, length) => {
    const capture = listed(name, gzipSync(content), plain);
    const out = join(folder, `${name}-out`);
    const { code, stdout } = await run(["objects", capture, "-o", out, "--json"]);
    expect(code).toBe(0);
    const [object] = jsonLines(stdout);
    expect(object).toMatchObject({ kind: "file", bytes: length });
    expect(object?.state).toContain(state);
    const [file = ""] = filesIn(out);
    expect(readFileSync(file).length).toBe(length);
    if (name === "honest") expect(md5(readFileSync(file))).toBe(plain.hash);
  });

  it("take no more memory than the limit, whatever they are unpacked to", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const capture = listed("bomb", bomb, { size: 0xffffffff, hash: md5(Buffer.of(1)) });
    const { stdout } = await run(["objects", capture, "--list", "--json", "--limit", "transferBytes=1000000"]);
    expect(jsonLines(stdout)).toMatchObject([{ state: "whole, as listed; it cannot be unpacked", bytes: bomb.length }]);
  });

  it("are told to be incomplete", async () => {
    const talk = authTalk();
    download(talk, 1, "more", Uint8Array.of(1, 2), 0xffffffff);
    download(talk, 2, "less", Uint8Array.of(1, 2, 3), 1);
    const { stdout } = await run(["objects", written("lies.pcap", talk), "--list", "--json"]);
    const states = jsonLines(stdout).map(({ name, state }) => `${String(name)}: ${String(state)}`);
    expect(states.sort()).toEqual(["less: incomplete: 3 of 1 byte", "more: incomplete: 2 of 4294967295 bytes"]);
  });
});

describe("a vault of hostile names and circles", () => {
  const talk = authTalk();
  const node = (nodeId: number, text: string) => {
    // Which fields there are: nodeId, nodeType, string64_1, text_1.
    const fieldFlags = [0n, 7n, 20n, 28n].reduce((flags, bit) => flags | (1n << bit), 0n);
    return { fieldFlags, nodeId, nodeType: 26, string64_1: text, text_1: text };
  };
  talk.says("Cli2Auth_AcctSetPlayerRequest", { transactionId: 1, playerVaultNodeId: 1 });
  const known = { avatarShape: "male", explorer: 1 };
  talk.says("Auth2Cli_AcctPlayerInfo", { transactionId: 1, playerVaultNodeId: 1, playerName: NAMES[6], ...known });
  for (const [index, name] of NAMES.entries()) {
    const id = index + 1;
    talk.says("Cli2Auth_VaultNodeFetch", { transactionId: id, nodeId: id });
    const nodeData = node(id, name);
    talk.says("Auth2Cli_VaultNodeFetched", {
      transactionId: id,
      result: 0,
      nodeDataLength: encode(NetVaultNode, nodeData).length,
      nodeData,
    });
  }
  const edges = NAMES.map((_, index) => [index + 1, ((index + 1) % NAMES.length) + 1] as const);
  talk.says("Cli2Auth_VaultFetchNodeRefs", { transactionId: 99, nodeId: 1 });
  const refs = [...edges, [1, 1] as const, [3, 1] as const].map(([parentNodeId, childNodeId]) => {
    return { parentNodeId, childNodeId, ownerNodeId: 1, seen: 0 };
  });
  talk.says("Auth2Cli_VaultNodeRefsFetched", { transactionId: 99, result: 0, refCount: refs.length, refs });
  const capture = written("vault.pcap", talk);

  it.each([
    ["vault"],
    ["vault", "--player", "1"],
    ["vault", "--node", "7"],
    ["vault", "--diff", "1", "30"],
    ["vault", "--json"],
    ["players"],
    ["players", "--format", "diagram"],
    ["players", "--format", "mermaid"],
    ["players", "--json"],
    ["diagnose"],
  ])("is shown, with an end: %s %s %s", async (command, ...options) => {
    const { code, stdout } = await run([command ?? "", capture, ...options, "-q"]);
    expect([0, 4].includes(code)).toBe(true);
    expect(stdout).not.toBe("");
    expect(invisibleIn(stdout)).toEqual([]);
    expect(stdout.split("\n").length).toBeLessThan(200);
    if (options.includes("mermaid")) expect(stdout).not.toMatch(/^\s*(%%|Note over x)/m);
  });

  it("has each node once, with what belongs to it", async () => {
    const { stdout } = await run(["vault", capture, "--json", "-q"]);
    const lines = jsonLines(stdout);
    expect(lines.map(({ nodeId }) => nodeId).sort()).toEqual(NAMES.map((_, index) => index + 1).sort());
    expect(lines.find(({ nodeId }) => nodeId === 1)?.children).toEqual([2, 1]);
    const { stdout: tree } = await run(["vault", capture, "-q"]);
    for (let id = 1; id <= NAMES.length; id++) expect(tree).toMatch(new RegExp(`^ *${id} `, "m"));
  });

  it("can be expected", async () => {
    const path = join(folder, "vault.jsonl");
    await run(["vault", capture, "--json", "-o", path, "-q"]);
    expect((await run(["check", capture, "--expect", path])).stdout).toContain(`${NAMES.length} nodes as expected`);
  });
});
