import { describe, expect, it, vi } from "vitest";
import { Rc4 } from "../../../../src/dissector/rc4.js";
import { type DissectedRun, dissectPackets } from "../../../support/dissecting.js";
import {
  type Encryption,
  keyFiles,
  MoulTalk,
  type PacketOptions,
  packetsOf,
  ping,
  type ServerName,
  SHORT_Y_LABEL,
  secret,
} from "../../../support/moul-session.js";
import { TcpTalk } from "../../../support/packets.js";

/** How a connection's messages become readable: whether encrypted, with which key, or why not. */

const SERVERS: readonly ServerName[] = ["gatekeeper", "auth", "game", "csr", "file"];
const ENCRYPTED = SERVERS.filter((server) => server !== "file");
const PREFIXES = { gatekeeper: "GateKeeper", auth: "Auth", game: "Game", csr: "Csr", file: "File" };

function talkTo(server: ServerName, encryption: Encryption = "rc4"): MoulTalk {
  return ping(ping(new MoulTalk(server, { encryption }).opens(), 7), 8);
}

function run(talk: MoulTalk, keys: Readonly<Record<string, string>> = {}, options: PacketOptions = {}): DissectedRun {
  return dissectPackets(packetsOf(talk, options), { keys });
}

/** The set-up and two pings with their replies. */
function wholeTalk(server: ServerName): string[] {
  const prefix = PREFIXES[server];
  const setup = ["0 c2s Cli2Srv_Connect", "0 s2c Srv2Cli_Encrypt"];
  const pings = [`0 c2s Cli2${prefix}_PingRequest`, `0 s2c ${prefix}2Cli_PingReply`];
  return [`0 c2s Cli2${prefix}_Connect`, ...(server === "file" ? [] : setup), ...pings, ...pings];
}

/** The set-up, then one unreadable stretch in each direction. */
function unreadTalk(server: ServerName): string[] {
  return [...wholeTalk(server).slice(0, 3), "0 c2s encrypted encrypted", "0 s2c encrypted encrypted"];
}

describe.each(SERVERS)("a connection to the %s server", (server) => {
  it("is recognised on any port, by IPv4 and IPv6", () => {
    const packets = packetsOf(talkTo(server), { client: ["2001:db8::1", 80], server: ["2001:db8::2", 443] });
    const { lines, messages } = dissectPackets(packets, { keys: { "dirtsand.ini": keyFiles.dirtsand() } });
    expect(lines).toEqual(wholeTalk(server));
    expect(messages.at(-1)?.source).toEqual({ address: "2001:db8::2", port: 443 });
    expect(new Set(messages.map(({ protocol }) => protocol))).toEqual(new Set([`moul.${server}`]));
  });

  it.each([1, 3, 7, 50])("is the same in packets of %i bytes", (mtu) => {
    const keys = { "dirtsand.ini": keyFiles.dirtsand() };
    const { lines, messages } = run(talkTo(server), keys, { mtu });
    const byDirection = (direction: string) => (line: string) => line.startsWith(`0 ${direction}`);
    for (const direction of ["c2s", "s2c"]) {
      expect(lines.filter(byDirection(direction))).toEqual(wholeTalk(server).filter(byDirection(direction)));
    }
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index + 1));
  });

  it("is the same if a whole turn arrives in one packet", () => {
    const talk = new MoulTalk(server).opens();
    for (let number = 1; number < 4; number++) {
      talk.says(`Cli2${PREFIXES[server]}_PingRequest`, { pingTime: number, ...EMPTY_PING });
    }
    for (let number = 1; number < 4; number++) {
      talk.says(`${PREFIXES[server]}2Cli_PingReply`, { pingTime: number, ...EMPTY_PING });
    }
    const { messages } = run(talk, { "dirtsand.ini": keyFiles.dirtsand() }, { merged: true });
    expect(messages.every(({ status }) => status === "ok")).toBe(true);
    const pings = messages.filter(({ name }) => name.includes("Ping"));
    expect(pings).toHaveLength(6);
    expect(new Set(pings.slice(0, 3).map(({ frames }) => frames.join())).size).toBe(1);
  });
});

const EMPTY_PING = { transactionId: 1, payloadByteCount: 0, payload: new Uint8Array(0) };

describe.each(ENCRYPTED)("the key of the %s server", (server) => {
  const talk = talkTo(server);

  it("follows from the server's private value", () => {
    expect(run(talk, { "dirtsand.ini": keyFiles.dirtsand() }).lines).toEqual(wholeTalk(server));
  });

  it("is taken from a key log", () => {
    expect(run(talk, { "keys.log": talk.keyLog.rc4 }).lines).toEqual(wholeTalk(server));
  });

  it("is missing: only the reason is printed, once per direction, with the length", () => {
    const { lines, messages } = run(talk);
    expect(lines).toEqual(unreadTalk(server));
    const [c2s, s2c] = messages.slice(-2);
    const length = talk.sent.slice(3).filter(({ direction }) => direction === "c2s");
    expect(c2s?.length).toBe(length.reduce((sum, { bytes }) => sum + bytes.length, 0));
    expect(c2s?.notes.map(({ text }) => text)).toEqual([
      `encrypted, and no key of the ${server} server was given; give its configuration or a key log with --keys`,
    ]);
    expect(s2c?.notes).toHaveLength(1);
  });

  it("does not fit: the file it comes from is named", () => {
    const wrong = keyFiles.dirtsand({ [server]: "another server" });
    const { lines, messages } = run(talk, { "dirtsand.ini": wrong });
    expect(lines).toEqual(unreadTalk(server));
    expect(messages.at(-1)?.notes[0]?.text).toMatch(
      new RegExp(`^encrypted, and the key of the ${server} server that was given does not fit .*dirtsand\\.ini`),
    );
  });

  it("is found among several", () => {
    const keys = {
      "old.ini": keyFiles.dirtsand({ [server]: "old" }),
      "older.ini": keyFiles.dirtsand({ [server]: "older" }),
      "now.ini": keyFiles.dirtsand(),
      "other.log": new MoulTalk(server, { b: secret("other") }).keyLog.rc4,
    };
    expect(run(talk, keys).lines).toEqual(wholeTalk(server));
  });
});

it("the key is missing: a direction that lacks bytes from its first message on is encrypted, too", () => {
  const talk = new MoulTalk("auth").opens();
  const payload = new Uint8Array(1000);
  // So much that nothing more is needed to see that no key fits.
  for (let count = 0; count < 70; count++) {
    const fields = { pingTime: 1, transactionId: 1, payloadByteCount: payload.length, payload };
    talk.says("Cli2Auth_PingRequest", fields);
  }
  const lost = packetsOf(talk, { noFin: true }).length + 1;
  const packets = packetsOf(ping(ping(talk, 7), 8));
  const { lines } = dissectPackets(packets.map((packet, index) => (index === lost ? undefined : packet)));
  expect(lines.filter((line) => line.includes("s2c"))).toEqual([
    "0 s2c Srv2Cli_Encrypt",
    "0 s2c gap truncated",
    "0 s2c encrypted encrypted",
  ]);
});

describe("after a gap in both directions, within the first messages", () => {
  const talk = new MoulTalk("auth").opens();
  const opening = talk.sent.length;
  const payload = Uint8Array.from({ length: 700 }, (_, index) => (index * 151) % 251);
  for (let number = 1; number < 40; number++) {
    const fields = { pingTime: number, transactionId: number, payloadByteCount: payload.length, payload };
    talk.says("Cli2Auth_PingRequest", fields).says("Auth2Cli_PingReply", fields);
  }

  /** The messages that are read, of which the first ones of each direction lack their beginning. */
  function read(keys: Readonly<Record<string, string>>, mtu: number): readonly string[] {
    const tcp = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 9_000_000]);
    const packets: Uint8Array[] = tcp.handshake();
    for (const [index, { direction, bytes }] of talk.sent.entries()) {
      for (let at = 0; at < bytes.length; at += mtu) {
        const packet = tcp.send(direction === "c2s" ? 0 : 1, bytes.slice(at, at + mtu));
        if (index < opening || index >= opening + 2 || at >= 100) packets.push(packet);
      }
    }
    return dissectPackets(packets, { keys }).lines;
  }

  it.each([1000, 100, 13, 1])("the key is found in packets of %i bytes", (mtu) => {
    const lines = read({ "dirtsand.ini": keyFiles.dirtsand() }, mtu);
    expect(lines.filter((line) => line.endsWith("Cli2Auth_PingRequest")).length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.endsWith("Auth2Cli_PingReply")).length).toBeGreaterThan(10);
  });

  it("another key is not", () => {
    const lines = read({ "dirtsand.ini": keyFiles.dirtsand({ auth: "another server" }) }, 100);
    expect(lines.filter((line) => line.includes("Ping"))).toEqual([]);
    expect(lines.filter((line) => line.includes("encrypted"))).toHaveLength(2);
  });

  it("takes no more time than there are bytes, however small the packets are", () => {
    const keys = { "dirtsand.ini": keyFiles.dirtsand({ auth: "another server" }) };
    const applied = vi.spyOn(Rc4.prototype, "apply");
    try {
      read(keys, 1);
      const bytes = applied.mock.calls.reduce((sum, [{ length }]) => sum + length, 0);
      const sent = talk.sent.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(bytes).toBeLessThan(8 * sent);
    } finally {
      applied.mockRestore();
    }
  });
});

describe.each(ENCRYPTED)(
  "a %s server that encrypts nothing and answers no key exchange, as MOSS can be built",
  (server) => {
    it.each([65_000, 3, 1])("sends its messages in the clear, in packets of %i bytes", (mtu) => {
      const talk = ping(ping(new MoulTalk(server, { encryption: "exchange only" }).connect().sendsY(), 7), 8);
      const { lines } = run(talk, {}, { mtu });
      expect(lines).toEqual(wholeTalk(server).filter((line) => !line.endsWith("Srv2Cli_Encrypt")));
    });
  },
);

describe("a server that sends messages in the clear before its half of the key exchange, as NAGUS does", () => {
  const changed = { nodeId: 578, revisionId: "00000000-0000-0000-0000-000000000001" };

  /** NAGUS sends a client what it has missed as soon as the client has presented its token. */
  function reconnected(encryption: Encryption, order: readonly ("connect" | "early" | "y")[]): MoulTalk {
    const talk = new MoulTalk("auth", { encryption });
    for (const part of order) {
      if (part === "connect") talk.connect();
      else if (part === "y") talk.sendsY();
      else talk.says("Auth2Cli_VaultNodeChanged", changed).says("Auth2Cli_VaultNodeChanged", changed);
    }
    return ping(ping(talk.sendsSeed(), 7), 8);
  }

  const early = ["0 s2c Auth2Cli_VaultNodeChanged", "0 s2c Auth2Cli_VaultNodeChanged"];
  const orders = [["connect", "y", "early"] as const, ["connect", "early", "y"] as const];
  const ways = orders.flatMap((order) => [65_000, 3, 1].map((mtu) => [order, mtu] as const));

  it.each(ways)("is decrypted after them: %j in packets of %i bytes", (order, mtu) => {
    for (const encryption of ["rc4", "none"] as const) {
      const { lines, messages } = run(reconnected(encryption, order), { "nagus.ini": keyFiles.dirtsand() }, { mtu });
      const fromServer = [...early, ...wholeTalk("auth").filter((line) => line.startsWith("0 s2c"))];
      expect(lines.filter((line) => line.startsWith("0 s2c"))).toEqual(fromServer);
      expect(lines.filter((line) => line.startsWith("0 c2s"))).toEqual(
        wholeTalk("auth").filter((line) => line.startsWith("0 c2s")),
      );
      const noted = messages.filter(({ notes }) => notes.length > 0);
      expect(noted.map(({ name, notes }) => [name, notes[0]?.text])).toEqual(
        Array(2).fill(["Auth2Cli_VaultNodeChanged", expect.stringMatching(/^in the clear, before/)]),
      );
    }
  });
});

it("the key is found if a server sends messages in the clear before the client's half of the key exchange is complete", () => {
  const changed = { nodeId: 578, revisionId: "00000000-0000-0000-0000-000000000001" };
  const talk = new MoulTalk("auth").connect().sendsY();
  const half = talk.sent.pop()?.bytes ?? new Uint8Array(0);
  talk.wire("c2s", half.subarray(0, 20)).says("Auth2Cli_VaultNodeChanged", changed);
  talk.says("Auth2Cli_VaultNodeChanged", changed).wire("c2s", half.subarray(20)).sendsSeed();
  const { lines } = run(ping(talk, 7), { "nagus.ini": keyFiles.dirtsand() });
  expect(lines.slice(-3)).toEqual(["0 s2c Srv2Cli_Encrypt", "0 c2s Cli2Auth_PingRequest", "0 s2c Auth2Cli_PingReply"]);
});

describe.each(["gatekeeper", "auth", "game"] as const)("the key of a client of the %s server", (server) => {
  it("follows from its server.ini and its private value", () => {
    const talk = talkTo(server);
    const keys = { "server.ini": keyFiles.serverIni(), "client.log": talk.keyLog.b };
    expect(run(talk, keys).lines).toEqual(wholeTalk(server));
  });

  it("does not follow from either of them alone", () => {
    const talk = talkTo(server);
    expect(run(talk, { "server.ini": keyFiles.serverIni() }).lines).toEqual(unreadTalk(server));
    expect(run(talk, { "client.log": talk.keyLog.b }).lines).toEqual(unreadTalk(server));
  });

  it("is requested if there are only public values", () => {
    const { messages } = run(talkTo(server), { "server.ini": keyFiles.serverIni() });
    expect(messages.at(-1)?.notes[0]?.text).toBe(
      `encrypted, and no private value of the ${server} server was given, only public values of ${server}, server.ini; give its configuration or a key log with --keys`,
    );
  });

  it("is requested if there is only the client's private value, unless that is another connection's", () => {
    const talk = talkTo(server);
    const noteWith = (log: string) => run(talk, { "client.log": log }).messages.at(-1)?.notes[0]?.text;
    expect(noteWith(talk.keyLog.b)).toBe(
      `encrypted, and no public values of the ${server} server were given, only client private value, client.log; give the client's server.ini with --keys, too`,
    );
    expect(noteWith("MOUL_DH_B 12 34\n")).toBe(
      `encrypted, and no key of the ${server} server was given; give its configuration or a key log with --keys`,
    );
  });
});

it("the reason is the same for all connections of a key log, so that it is given once", () => {
  const talk = talkTo("auth");
  const wrong = talk.keyLog.rc4.replace(/\S+\n$/, "00112233445566\n");
  for (const line of [talk.keyLog.b, wrong]) {
    const [first, second] = [line, `\n${line}`].map(
      (log) => run(talk, { "client.log": log }).messages.at(-1)?.notes[0]?.text,
    );
    expect(first).toContain("client.log");
    expect(second).toBe(first);
  }
});

describe("a public value that is one byte shorter", () => {
  const talk = ping(new MoulTalk("auth", { b: secret(SHORT_Y_LABEL) }).opens());

  it("is sent without the zero byte", () => {
    expect(talk.wireY).toHaveLength(63);
    expect(run(talk).message("Cli2Srv_Connect").length).toBe(65);
  });

  it.each([
    ["the server's private value", { "dirtsand.ini": keyFiles.dirtsand() }],
    ["a session key", { "keys.log": talk.keyLog.rc4 }],
    ["the client's private value", { "server.ini": keyFiles.serverIni(), "client.log": talk.keyLog.b }],
  ])("leads to the key by %s", (_, keys) => {
    expect(run(talk, keys).lines.slice(3)).toEqual(["0 c2s Cli2Auth_PingRequest", "0 s2c Auth2Cli_PingReply"]);
  });
});

const GIVEN: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["no keys", {}],
  ["the right keys", { "dirtsand.ini": keyFiles.dirtsand() }],
  ["wrong keys", { "dirtsand.ini": keyFiles.dirtsand({ gatekeeper: "x", auth: "x", game: "x", csr: "x" }) }],
];

describe.each(GIVEN)("with %s given", (_, keys) => {
  it.each(ENCRYPTED)("a connection to the %s server without encryption is read", (server) => {
    expect(run(talkTo(server, "none"), keys).lines).toEqual(wholeTalk(server));
  });

  it.each(ENCRYPTED)("a connection to the %s server that exchanges keys without using them is read", (server) => {
    expect(run(talkTo(server, "exchange only"), keys).lines).toEqual(wholeTalk(server));
  });

  it("a connection to the file server is read", () => {
    expect(run(talkTo("file"), keys).lines).toEqual(wholeTalk("file"));
  });
});

describe("a key", () => {
  const keys = { "dirtsand.ini": keyFiles.dirtsand() };

  it("is found if only the server sends messages", () => {
    const talk = new MoulTalk("auth").opens();
    talk.says("Auth2Cli_ServerAddr", { serverIpAddress: 0x7f000001, token: "00000000-0000-0000-0000-000000000000" });
    expect(run(talk, keys).lines.slice(3)).toEqual(["0 s2c Auth2Cli_ServerAddr"]);
  });

  it("is found even if the server begins with an unknown message", () => {
    const talk = new MoulTalk("auth").opens();
    talk.plain("s2c", Buffer.from("ff7f0102030405", "hex"));
    ping(ping(talk));
    expect(run(talk, keys).direction("c2s")).toEqual([
      "Cli2Auth_Connect",
      "Cli2Srv_Connect",
      "Cli2Auth_PingRequest",
      "Cli2Auth_PingRequest",
    ]);
    expect(run(talk, keys).direction("s2c")).toEqual([
      "Srv2Cli_Encrypt",
      "Auth2Cli_32767 unknown",
      "Auth2Cli_PingReply",
      "Auth2Cli_PingReply",
    ]);
  });

  it("is not accepted on the evidence of a single byte", () => {
    const talk = new MoulTalk("auth").opens().plain("c2s", Uint8Array.of(0));
    const { lines, messages } = run(talk, keys);
    expect(lines.slice(3)).toEqual(["0 c2s skipped truncated"]);
    expect(messages.at(-1)?.notes[0]?.text).toContain("1 byte was skipped");
  });

  it("is not accepted on the evidence of one chance message", () => {
    // The first bytes look like a ping in the clear; what follows them, and what the server sends, is noise.
    const talk = new MoulTalk("auth", { encryption: "exchange only" }).opens();
    const noise = Buffer.from("f1e2d3c4b5a69788796a5b4c3d2e1f00", "hex");
    talk.plain("c2s", Buffer.concat([talk.message("Cli2Auth_PingRequest", { pingTime: 1, ...EMPTY_PING }), noise]));
    talk.plain("s2c", noise);
    for (const given of [{}, keys]) expect(run(talk, given).lines).toEqual(unreadTalk("auth"));
  });

  it("is used for the beginning of a message that the capture holds only in part", () => {
    const talk = new MoulTalk("auth").opens();
    talk.plain("c2s", talk.message("Cli2Auth_VaultFetchNodeRefs", { transactionId: 1, nodeId: 5 }).slice(0, 7));
    expect(run(talk, keys).lines.slice(3)).toEqual(["0 c2s Cli2Auth_VaultFetchNodeRefs truncated"]);
  });

  it("turns no noise into messages, whatever it is", () => {
    const talk = talkTo("auth");
    for (let number = 0; number < 200; number++) {
      const seed = Buffer.from(`seed${String(number).padStart(3, "0")}`);
      const other = new MoulTalk("auth", { seed }).connect().sendsY();
      const lie = `MOUL_RC4 ${talk.y.toString(16)} ${Buffer.from(other.sessionKey).toString("hex")}\n`;
      expect(run(talk, { "keys.log": lie }).lines).toEqual(unreadTalk("auth"));
    }
  });
});

describe("late data", () => {
  const keys = { "dirtsand.ini": keyFiles.dirtsand() };

  it("is reported in the order of arrival", () => {
    // The client's first message and a half do not prove the key; the server's answer does.
    const talk = new MoulTalk("auth").opens();
    const first = talk.message("Cli2Auth_PingRequest", { pingTime: 1, ...EMPTY_PING });
    const both = new Uint8Array([...first, ...first]);
    talk.plain("c2s", both.slice(0, first.length + 5));
    talk.says("Auth2Cli_PingReply", { pingTime: 1, ...EMPTY_PING });
    talk.plain("c2s", both.slice(first.length + 5));
    const { lines, messages } = run(talk, keys);
    expect(lines.slice(3)).toEqual([
      "0 c2s Cli2Auth_PingRequest",
      "0 s2c Auth2Cli_PingReply",
      "0 c2s Cli2Auth_PingRequest",
    ]);
    const frames = messages.map(({ origin }) => origin.frame);
    expect(frames).toEqual([...frames].sort((a, b) => a - b));
  });
});
