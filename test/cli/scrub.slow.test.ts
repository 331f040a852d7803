import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DissectedMessage, type DissectOptions, dissect } from "../../src/index.js";
import { pcapFile, rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { bytesNeedle, haystacksOf, leaks, type Needle, textNeedle, uuidNeedle } from "../support/leaks.js";
import { loneDatagrams } from "../support/lone-datagrams.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { oncePerName } from "../support/once.js";
import { TcpTalk } from "../support/packets.js";
import { isPosix } from "../support/platform.js";
import { packetsOf as packetsOfSample } from "../support/sample-packets.js";
import { OTHER_FORMS, SESSIONS, sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const file = filesIn(folder);

/**
 * What a person would call private, by the names of these things in JSON; deliberately not taken from the declarations.
 */
const PRIVATE_TEXT =
  /^(?:accountName|authToken|friendInviteCode|operatingSystem|playerName|senderName|messageText|callsign|email|motto|token|userDefinedName|ageUserDefinedName|ageDescription|description|ageInstName|noteTitle|noteText|imageTitle|entryValue|stackDumpText|tracebackText|userString|iString64_1|server|ip|(?:file|auth)?[sS]erverAddress)$/;
const PRIVATE_BYTES = /^(?:challengeHash|passwordHash|seed|y|imageData)$/;
const PRIVATE_UUID =
  /^(?:accountId|accountUuid|creatorAcct|createAgeUuid|instanceUuid|ageInstanceGuid|ageInstUuid|ageUuid|token|inviteUuid)$/;
const PRIVATE_NUMBER =
  /^(?:playerId|playerVaultNodeId|senderKiNumber|originatingPlayer|nodeId|ownerNodeId|creatorId|ageNodeId)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Names that are private in one message only. */
const SAID_IN: ReadonlyMap<string, string> = new Map([
  ["MsgMessage", "text"],
  ["MsgEnter", "clientVersion"],
  ["ListServerAdd", "title"],
]);

/** Calls back with every value in JSON and its name. */
function values(json: unknown, name: string, visit: (name: string, value: unknown) => void): void {
  if (Array.isArray(json)) for (const element of json) values(element, name, visit);
  else if (typeof json === "object" && json !== null) {
    for (const [key, value] of Object.entries(json)) values(value, key, visit);
  } else visit(name, json);
}

function fieldsOf(message: DissectedMessage): unknown {
  const json: unknown = message.toJSON();
  return typeof json === "object" && json !== null && "fields" in json ? json.fields : undefined;
}

function needlesOf(messages: readonly DissectedMessage[]): Needle[] {
  const needles: Needle[] = [];
  for (const message of messages) {
    values(fieldsOf(message), "", (name, value) => {
      if (typeof value !== "string") return;
      if (UUID.test(value)) needles.push(...(PRIVATE_UUID.test(name) ? uuidNeedle(value) : []));
      else if (PRIVATE_BYTES.test(name)) needles.push(...bytesNeedle(value));
      else if (PRIVATE_TEXT.test(name) || SAID_IN.get(message.name) === name) {
        needles.push(...textNeedle(value.replace(/:\d+$/, "")));
      }
    });
  }
  return needles;
}

function numbersOf(messages: readonly DissectedMessage[]): Set<number> {
  const numbers = new Set<number>();
  for (const message of messages) {
    values(fieldsOf(message), "", (name, value) => {
      if (typeof value === "number" && value > 0 && PRIVATE_NUMBER.test(name)) numbers.add(value);
    });
  }
  return numbers;
}

/** What was said, who said it, and the connections' secrets, as recorded in the truth file of the session. */
function truthNeedles(name: string): Needle[] {
  const file = name.replace(/(?:\.any)?\.pcap(?:ng)?$/, ".truth.jsonl");
  const lines = readFileSync(new URL(`../truth/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  const needles: Needle[] = [];
  for (const line of lines) {
    const truth: unknown = JSON.parse(line);
    const inMoul = line.startsWith('{"rec"');
    values(truth, "", (key, value) => {
      if (typeof value !== "string") return;
      if (/^(?:rc4_key|shared_be|b_be|y_be|seed_wire)$/.test(key)) needles.push(...bytesNeedle(value));
      if (inMoul ? /^(?:user|istring64_1)$/.test(key) : /^(?:callsign|email|motto|token)$/.test(key)) {
        needles.push(...textNeedle(value));
      }
      if (inMoul && key === "text" && line.includes('"chat"')) needles.push(...textNeedle(value));
    });
  }
  return needles;
}

async function messagesOf(path: string, options: DissectOptions = {}): Promise<DissectedMessage[]> {
  const messages: DissectedMessage[] = [];
  for await (const message of dissect(path, options)) messages.push(message);
  return messages;
}

function keysOf(name: string): DissectOptions {
  if (!/^(?:dirtsand|nagus)-session/.test(name)) return {};
  return { keys: [sample(`${name.replace(/\.pcap(?:ng)?$/, "")}.keys`)] };
}

/** Messages of each conversation and direction, with all their fields: conversations are identified by their ports. */
function structure(messages: readonly DissectedMessage[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { conversation, direction, name, status, nodes } of messages) {
    const { client, server, transport } = conversation;
    const key = `${transport} ${client.port} ${server.port} ${direction}`;
    const fields: string[] = [];
    for (let node = 0; node < (nodes?.count ?? 0); node++) fields.push(nodes?.path(node) ?? "");
    found[key] ??= [];
    found[key].push(`${name} ${status}: ${fields.join(" ")}`);
  }
  return found;
}

let scrubs = 0;

async function scrub(name: string, ...options: readonly string[]): Promise<{ path: string; stderr: string }> {
  const path = join(folder, `scrubbed-${++scrubs}.pcapng`);
  const { code, stderr } = await run(["scrub", sample(name), ...options, "-o", path]);
  expect(`${code} ${code === 0 ? "" : stderr}`).toBe("0 ");
  return { path, stderr };
}

/** A sample, scrubbed, and what is in it before and after that. */
const scrubbed = oncePerName(async (name) => {
  const { path } = await scrub(name);
  return { path, before: await messagesOf(sample(name), keysOf(name)), after: await messagesOf(path) };
});

describe.each(SESSIONS)("%s, scrubbed", (name) => {
  it("has the same messages with the same fields, and needs no keys", async () => {
    const { before, after } = await scrubbed(name);
    expect(before.length).toBeGreaterThan(20);
    expect(
      after.filter(({ status }) => status === "malformed" || status === "encrypted").map(({ name }) => name),
    ).toEqual([]);
    expect(structure(after)).toEqual(structure(before));
  });

  it("has them in the same order, at the same times", async () => {
    const { before, after } = await scrubbed(name);
    const timed = (messages: readonly DissectedMessage[]) =>
      messages.map(({ origin, name, conversation }, index) => {
        const isNext = conversation.transport === "udp" && messages[index - 1]?.origin.frame === origin.frame;
        return `${origin.seconds}.${origin.nanoseconds} ${name}${isNext ? ", in the same datagram" : ""}`;
      });
    expect(timed(after)).toEqual(timed(before));
  });

  it("has nothing private in its bytes, its streams and its inflated data", async () => {
    const { path, before, after } = await scrubbed(name);
    const needles = [...needlesOf(before), ...truthNeedles(name)];
    expect(needles.length).toBeGreaterThan(2);
    expect(leaks(needles, await haystacksOf(sample(name))).length).toBeGreaterThan(0);
    expect(leaks(needles, await haystacksOf(path))).toEqual([]);
    const numbers = numbersOf(before);
    expect([...numbersOf(after)].filter((number) => numbers.has(number))).toEqual([]);
  });
});

describe("scrub", () => {
  const SESSION = "dirtsand-session.pcap";
  const names = (messages: readonly DissectedMessage[]) => {
    const found = new Set<string>();
    for (const message of messages) {
      values(fieldsOf(message), "", (name, value) => {
        if (/^(?:playerName|senderName|iString64_1)$/.test(name) && value !== "") found.add(String(value));
      });
    }
    return found;
  };

  const said = oncePerName(async (name) => {
    const { path } = await scrub(name, "--seed", "s");
    return (await messagesOf(path)).map((message) => [message.name, message.direction, fieldsOf(message)]);
  });

  it.each(OTHER_FORMS)("writes the same messages of the same session in another form of capture: %s", async (name) => {
    expect(await said(name)).toEqual(await said("nagus-session.pcap"));
  });

  it("keeps what it is asked to keep", async () => {
    const { path } = await scrub(SESSION, "--keep", "player-name,chat");
    const { before } = await scrubbed(SESSION);
    const after = await messagesOf(path);
    expect(names(after)).toEqual(names(before));
    const said = (messages: readonly DissectedMessage[]) =>
      messages.flatMap((message) => {
        const texts: unknown[] = [];
        values(fieldsOf(message), "", (name, value) => void (name === "messageText" && texts.push(value)));
        return texts;
      });
    expect(said(before).length).toBeGreaterThan(3);
    expect(said(after)).toEqual(said(before));
    const accounts = needlesOf(before).filter(({ value }) => value.includes("@"));
    expect(leaks(accounts, await haystacksOf(path))).toEqual([]);
  });

  it("replaces the same name with the same one, wherever it occurs", async () => {
    const { before, after } = await scrubbed(SESSION);
    const pairs = new Map<string, Set<string>>();
    for (const [index, message] of before.entries()) {
      const others: unknown[] = [];
      values(
        fieldsOf(after[index] ?? message),
        "",
        (name, value) => void (name === "playerName" && others.push(value)),
      );
      values(fieldsOf(message), "", (name, value) => {
        if (name !== "playerName") return;
        const known = pairs.get(String(value)) ?? new Set();
        pairs.set(String(value), known.add(String(others.shift())));
      });
    }
    expect(pairs.size).toBeGreaterThan(1);
    for (const [name, others] of pairs) expect({ name, others: others.size }).toEqual({ name, others: 1 });
    expect(new Set([...pairs.values()].map(([one]) => one)).size).toBe(pairs.size);
  });

  it.each([100, 200, 1448])(
    "reveals nothing of what follows an unknown message, in packets of %i bytes",
    async (mtu) => {
      const text = "And so I close, realizing that perhaps the ending has not yet been written. ".repeat(30);
      const path = join(folder, `unknown-${mtu}.pcap`);
      for (let from = 0; from < 20; from++) {
        const talk = new MoulTalk("auth", { encryption: "none" }).opens();
        talk.says("Cli2Auth_PingRequest", { pingTime: 1, transactionId: 1, payloadByteCount: 0 });
        talk.plain("c2s", Buffer.concat([Buffer.from("ff7f", "hex"), Buffer.from(text.slice(from), "utf16le")]));
        const packets = packetsOf(talk, { mtu });
        writeFileSync(path, rawPcapFile(packets));
        const out = join(folder, `unknown-${mtu}.pcapng`);
        expect((await run(["scrub", path, "-o", out, "--force"])).code).toBe(0);
        const rest = readFileSync(out).toString("utf16le") + readFileSync(out).subarray(1).toString("utf16le");
        expect(/[a-z]{4}/.exec(rest.replaceAll(/moul-dissect|[^ -~]/g, " "))).toBeNull();
      }
    },
  );

  it("replaces the addresses of packets even inside texts that are kept", async () => {
    const tracebackText = "no answer from 192.0.2.1, see http://192.0.2.1:8080/ and 192.0.2.111";
    const talk = new MoulTalk("auth", { encryption: "none" })
      .opens()
      .says("Cli2Auth_LogPythonTraceback", { tracebackText });
    const before = file("traceback.pcap", rawPcapFile(packetsOf(talk)));
    expect((await messagesOf(before))[0]?.conversation.client.address).toBe("192.0.2.1");
    const path = join(folder, "traceback.pcapng");
    expect((await run(["scrub", before, "--keep", "machine", "-o", path])).code).toBe(0);
    const after = await messagesOf(path);
    const { address } = after[0]?.conversation.client ?? { address: "" };
    expect(address).toMatch(/^192\.0\.2\.[3-9]$/);
    values(fieldsOf(after.at(-1) ?? fail()), "", (name, value) => {
      if (name !== "tracebackText") return;
      expect(value).toBe(`no answer from ${address}, see http://${address}:8080/ and 192.0.2.111`);
    });
    expect(after.at(-1)?.name).toBe("Cli2Auth_LogPythonTraceback");
    // Unless addresses are kept as well.
    const kept = join(folder, "kept.pcapng");
    expect((await run(["scrub", before, "--keep", "machine,ip-address", "-o", kept])).code).toBe(0);
    const all = await messagesOf(kept);
    expect(all[0]?.conversation.client.address).toBe("192.0.2.1");
    values(fieldsOf(all.at(-1) ?? fail()), "", (name, value) => {
      if (name === "tracebackText") expect(value).toBe(tracebackText);
    });
  });

  it("replaces what requests to a status server reveal, and keeps the requests", async () => {
    const head = [
      "POST /status?player=Yeesha HTTP/1.1",
      "Host: shard.example.org",
      "User-Agent: UruClient/1 (Windows 11, PC of Yeesha)",
      "X-Forwarded-For: 198.51.100.77",
      "CF-Visitor: Yeesha",
      "Content-Length: 15",
    ];
    const reply = "HTTP/1.1 200 OK\r\nServer: httpd/2 (on atrus-pc)\r\nContent-Length: 6\r\n\r\nShorah";
    const tcp = new TcpTalk(["203.0.113.7", 50_000], ["203.0.113.8", 8080], [1, 1]);
    const request = `${head.join("\r\n")}\r\n\r\nsecret=bookworm`;
    const packets = [...tcp.handshake(), tcp.send(0, request), tcp.send(1, reply), tcp.fin(0), tcp.fin(1), tcp.ack(0)];
    const before = file("status.pcap", rawPcapFile(packets));
    const path = join(folder, "status.pcapng");
    expect((await run(["scrub", before, "-o", path])).code).toBe(0);
    const messages = await messagesOf(path);
    expect(structure(messages)).toEqual(structure(await messagesOf(before)));
    expect(messages.map(({ name }) => name)).toEqual(["StatusRequest", "StatusContent", "StatusReply", "StatusText"]);
    const words = ["Yeesha", "shard", "example", "Windows", "198.51.100.77", "atrus", "bookworm", "203.0.113.7"];
    const needles = words.flatMap(textNeedle);
    expect(leaks(needles, await haystacksOf(before)).length).toBeGreaterThan(words.length - 2);
    expect(leaks(needles, await haystacksOf(path))).toEqual([]);
    expect(readFileSync(path).includes("Shorah")).toBe(true);
  });

  it("writes the same with the same seed, and something different each time without", async () => {
    const written = async (...options: readonly string[]) =>
      readFileSync((await scrub("nagus-session.pcap", ...options)).path);
    const same = await written("--seed", "a");
    expect(await written("--seed", "a")).toEqual(same);
    expect(await written("--seed", "b")).not.toEqual(same);
    expect(await written()).not.toEqual(await written());
  });

  it("leaves out what it cannot decrypt, and says so", async () => {
    const path = join(folder, "without-keys.pcapng");
    const nowhere = file("nothing.keys", "# no keys\nMOUL_RC4 1 00000000000000\n");
    const { code, stderr } = await run(["scrub", sample(SESSION), "--keys", nowhere, "-o", path]);
    expect(code).toBe(0);
    expect(stderr).toContain("8 conversations left out: not decrypted");
    const after = await messagesOf(path);
    expect([...new Set(after.map(({ protocol }) => protocol))]).toEqual(["moul.file"]);
  });

  it("also writes datagrams from before the protocol was known", async () => {
    const lone = join(folder, "lone.pcap");
    const path = join(folder, "lone.pcapng");
    writeFileSync(lone, rawPcapFile(await loneDatagrams()));
    expect((await run(["scrub", lone, "-o", path])).code).toBe(0);
    expect(structure(await messagesOf(path))).toEqual(structure(await messagesOf(lone)));
    expect((await messagesOf(path)).length).toBeGreaterThan(400);
    const { stderr } = await run(["scrub", lone, "-o", path, "--force", "--limit", "openingBytes=150"]);
    expect(stderr).toMatch(/: \d+ datagrams are left out: no more could be kept before the protocol was recognised\n/);
    expect(stderr.split("the limit openingBytes=150 was reached")).toHaveLength(2);
  });

  it("keeps the original length of a datagram that was captured only in part", async () => {
    const cut = join(folder, "cut-datagrams.pcap");
    const path = join(folder, "cut-datagrams.pcapng");
    const packets = await packetsOfSample("bz107e-udp.pcap");
    const isUdp = (data: Uint8Array) => data[23] === 17;
    const records = packets.map(({ data }, index) => ({
      // Whole datagrams show which protocol is spoken.
      data: isUdp(data) && index % 4 === 0 ? data.subarray(0, 70) : data,
      originalLength: data.length,
    }));
    writeFileSync(cut, pcapFile(records));
    const { code, stderr } = await run(["scrub", cut, "-o", path]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/: \d+ bytes of messages that are incomplete or cannot be rewritten: /);
    expect(stderr).not.toContain("undeclared");
    const [before, after] = [await messagesOf(cut), await messagesOf(path)];
    const isCut = ({ conversation, status }: DissectedMessage) =>
      conversation.transport === "udp" && status === "truncated";
    expect(before.filter(isCut).length).toBeGreaterThan(20);
    expect(structure(after)).toEqual(structure(before));
  });

  it("keeps the numbers of conversations, and does not count what was lost as left out", async () => {
    const ports = [50_001, 50_002, 50_003];
    const talks = ports.map((port) => new TcpTalk(["203.0.113.7", port], ["203.0.113.8", 8080], [1, 1]));
    const opening = talks.flatMap((talk) => talk.handshake());
    const requests = talks.map((talk) =>
      [1, 2, 3].map(() => talk.send(0, "GET /status HTTP/1.0\r\nUser-Agent: UruClient/1.0\r\n\r\n")),
    );
    const [first = [], second = [], third = []] = requests;
    const packets = [...opening, ...third, ...first, ...second.toSpliced(1, 1)];
    const before = file("three.pcap", rawPcapFile(packets));
    const path = join(folder, "three.pcapng");
    // The request after the lost one: nobody knows where it begins.
    expect((await run(["scrub", before, "-o", path])).stderr).toContain(
      ": 51 bytes of messages that are incomplete or cannot be rewritten: ",
    );
    const numbered = (messages: readonly DissectedMessage[]) =>
      messages.map(({ conversation, name }) => `${conversation.stream} ${conversation.client.port} ${name}`);
    const after = numbered(await messagesOf(path));
    expect([...after, "1 50002 skipped"]).toEqual(numbered(await messagesOf(before)));
    expect(after).toContain("1 50002 gap");
  });

  it("says what is left out because it is unknown", async () => {
    const path = join(folder, "unknown.pcapng");
    const { stderr } = await run(["scrub", sample("example-dissector/parley.pcap"), "-o", path]);
    expect(stderr).toMatch(
      /: \d+ conversations? \(streams? [\d, ]+: \d+ bytes\) (?:is|are) left out: .* not recognised\n/,
    );
    const { stderr: others } = await scrub("bz107c-relay.pcap");
    expect(others).toContain(": 3 packets outside any conversation are left out: ");
  });

  it.each(["parley", "parley.other"])(
    "leaves out a protocol (%s) whose dissector does not say what is sensitive",
    async (spoken) => {
      const parley = sample("example-dissector/parley.js");
      const text = readFileSync(parley, "utf8")
        .replaceAll(/\.sensitive\("[\w-]+"\)/g, "")
        .replace('protocol = "parley"', `protocol = "${spoken}"`);
      // Beside the original, so that it finds the package; each with its own name, as modules are loaded once.
      const unmarked = sample(`example-dissector/.unmarked-${spoken}-${process.pid}.js`);
      const path = join(folder, `${spoken}.pcapng`);
      writeFileSync(unmarked, text);
      try {
        const args = ["scrub", sample("example-dissector/parley.pcap"), "-o", path, "--force", "--dissector"];
        expect((await run([...args, unmarked])).stderr).toContain("does not say which of its fields are sensitive");
        expect(existsSync(path)).toBe(false);
        expect((await run([...args, parley])).stderr).not.toContain("does not say");
        expect((await readFile(path)).includes("PRLY")).toBe(true);
      } finally {
        rmSync(unmarked);
      }
    },
  );

  it.each([
    [["-", "-o", "x.pcapng"], "twice, which standard input does not allow"],
    [[sample(SESSION)], "name a file for the scrubbed capture with -o"],
    [[sample(SESSION), "-o", "-"], "-o: it is not written to standard output"],
    [[sample(SESSION), "-o", "x.pcapng", "--keep", "names"], '"names" is not one of account-name'],
  ])("refuses %j", async (args, reason) => {
    const { code, stderr } = await run(["scrub", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it.runIf(isPosix)("takes keys and definitions from pipes, but no captures", async () => {
    const [keys, definitions] = [join(folder, "keys.pipe"), join(folder, "definitions.pipe")];
    spawnSync("mkfifo", [keys, definitions]);
    const descriptors = file("thing.sdl", "STATEDESC Thing { VERSION 1 VAR INT number[1] }");
    const scrubbed = async (...args: string[]) => {
      const path = join(folder, "piped.pcapng");
      const { code, stderr } = await run(["scrub", alone, ...args, "-o", path, "--force", "--seed", "x"]);
      expect(code).toBe(0);
      return { stderr, bytes: await readFile(path) };
    };
    const alone = join(folder, "alone.pcap");
    cpSync(sample("nagus-session.pcap"), alone);
    const own = file("alone.ini", readFileSync(sample("nagus-session.keys")));
    const plain = await scrubbed("--keys", own, "--sdl", descriptors);
    spawn("sh", ["-c", 'cat "$0" > "$1"; cat "$2" > "$3"', own, keys, descriptors, definitions]);
    expect(await scrubbed("--keys", keys, "--sdl", definitions)).toEqual(plain);
    const { code, stderr } = await run(["scrub", keys, "-o", join(folder, "none.pcapng")]);
    expect(stderr).toContain(`reads a capture twice, which ${keys} does not allow`);
    expect(code).toBe(1);
  });

  it("writes the readable part of a damaged capture, and no file if there is none", async () => {
    const cut = file("cut.pcap", readFileSync(sample("bz107e-ctf.pcap")).subarray(0, 10_001));
    const path = join(folder, "cut.pcapng");
    const { code, stderr } = await run(["scrub", cut, "-o", path]);
    expect(code).toBe(2);
    expect(stderr).toContain("cut.pcap: ");
    expect((await messagesOf(path)).length).toBeGreaterThan(10);
    const other = join(folder, "other.pcapng");
    expect((await run(["scrub", join(folder, "no.pcap"), "-o", other])).code).toBe(2);
    expect(existsSync(other)).toBe(false);
  });

  it("writes nothing if Ctrl-C ends it before everything private is known", async () => {
    const path = join(folder, "interrupted.pcapng");
    const before = process.listenerCount("SIGINT");
    const running = run(["scrub", ...Array.from({ length: 40 }, () => sample(SESSION)), "-o", path]);
    while (process.listenerCount("SIGINT") === before) await new Promise((resolve) => setImmediate(resolve));
    process.emit("SIGINT");
    const { code, stderr } = await running;
    expect(stderr).toContain(": interrupted before anything was written\n");
    expect(code).toBe(2);
    expect(existsSync(path)).toBe(false);
  });
});

function fail(): never {
  throw new Error("there are no messages");
}
