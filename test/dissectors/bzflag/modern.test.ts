import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { codeOf } from "../../../dissectors/bzflag/messages.js";
import { MsgCacheURL, MsgFetchResources, MsgMessage } from "../../../dissectors/bzflag/modern/game.js";
import { summaryText } from "../../../src/output/text/summary-text.js";
import { encode } from "../../../src/schema/encode/encode.js";
import { scrubMessage } from "../../../src/scrub/scrub-message.js";
import { Secrets } from "../../../src/scrub/secrets.js";
import { decodeWhole, expectRoundTrip } from "../../support/check.js";
import { fieldsOf, linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, concat, hello, msg, SERVER, str, u8, u16 } from "./bytes.js";
import { MODERN_PING_REPLY } from "./modern-messages.js";

it("a ping reply of 2.4 differs from one of 1.7 by its version", () => {
  expect(MODERN_PING_REPLY).toHaveLength(60);
  const [message] = new Talks([bzflag]).udp(["192.0.2.9", 4000], [SERVER, 5154], [["c", MODERN_PING_REPLY]]).end();
  expect(message).toMatchObject({ name: "PingCodeReply", status: "ok" });
  expect(fieldsOf(message)).toMatchObject({ version: "BZFS0221", source: "192.0.2.7", maxPlayers: 20 });
});

it("a newer client may ask an old server for the UDP link and the hash of the world", () => {
  const run = new Talks([bzflag])
    .tcp([SERVER, 5155], [["s", hello("BZFS107d", 6000)]])
    .tcp([SERVER, 6000], [["c", concat(msg("wh"), msg("oj", u16(6048)), msg("of", u16(17200)))]]);
  expect(linesOf(run.end()).slice(1)).toEqual([
    "bzflag.107d c2s MsgWantWHash ok",
    "bzflag.107d c2s MsgClientVersion ok",
    "bzflag.107d c2s MsgUDPLinkRequest ok",
  ]);
});

it("a server of 2.4 may count players other than those it lists, which is not an error", () => {
  const said: readonly Said[] = [
    ["c", ascii("BZFLAG\r\n\r\n")],
    ["s", concat(ascii("BZFS0221"), u8(2))],
    ["s", concat(msg("pb", u8(2, 0, 1, 4, 0)), msg("pb", u8(3, 0, 1, 4, 0)), msg("pb", u8(0, 7, 0)), msg("pb", u8(1)))],
    ["s", msg("pb", u8(2, 0, 1, 4))],
  ];
  const run = new Talks([bzflag]).tcp([SERVER, 5154], said);
  const messages = run.end().slice(2);
  const players = [0, 4].map((player, index) => ({ player, bits: 1 - index }));
  expect(messages.map(fieldsOf)).toMatchObject([
    { count: 2, players },
    { count: 3, players },
    { count: 0, players: [{ player: 7 }] },
    { count: 1, players: [] },
    { count: 2, players: [players[0], { player: 4 }] },
  ]);
  expect(messages.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "malformed"]);
  expect(messages.slice(0, 4).map(({ notes }) => notes.map(({ path, text }) => `${path}: ${text}`))).toEqual([
    [],
    ["count: the server lists 2"],
    ["count: the server lists 1"],
    ["count: the server lists 0"],
  ]);
});

it("a refusal is an error, named after its reason", () => {
  const refusedFor = (reason: number): readonly Said[] => [
    ["c", ascii("BZFLAG\r\n\r\n")],
    ["s", concat(ascii("BZFS0221"), u8(2), msg("rj", u16(reason), str(128, "no")))],
  ];
  const errorOf = (reason: number) =>
    new Talks([bzflag]).tcp([SERVER, 5154], refusedFor(reason)).end().at(-1)?.nodes?.context?.error;
  expect([5, 99].map(errorOf)).toEqual(["RejectServerFull", "reason 99"]);
});

it.each([
  ["REFUSED:spam", "banned"],
  ["banned for spam by op", "banned"],
  ["BZFS0221\xff", "refused"],
  ["BZFS0221\x02", undefined],
])("a server that lets nobody in instead of greeting reports an error: %j", (said, error) => {
  const talk: readonly Said[] = [
    ["c", ascii("BZFLAG\r\n\r\n")],
    ["s", Buffer.from(said, "latin1")],
  ];
  const messages = new Talks([bzflag]).tcp([SERVER, 5154], talk).end();
  expect(messages.at(-1)?.nodes?.context?.error).toBe(error);
});

it("what a client says is in the summary, whatever its length", () => {
  const said = concat(msg("mg", u8(254), str(128, "hello")), msg("mg", u8(253), ascii("/?\0")));
  const talk: readonly Said[] = [
    ["c", concat(ascii("BZFLAG\r\n\r\n"), said)],
    ["s", concat(ascii("BZFS0221"), u8(2))],
  ];
  const messages = new Talks([bzflag]).tcp([SERVER, 5154], talk).end();
  expect(messages.filter(({ name }) => name === "MsgMessage").map(summaryText)).toEqual([
    'to=254 (all players), text="hello"',
    'to=253 (server), text="/?"',
  ]);
});

it("a text ends with its first zero, whatever follows it", () => {
  const long = "x".repeat(127);
  const said: readonly Said[] = [
    ["c", ascii("BZFLAG\r\n\r\n")],
    ["s", concat(ascii("BZFS0221"), u8(2))],
    ["s", concat(msg("mg", u8(2, 254, 0), ascii(`${long}\0\0`)), msg("cu", ascii("http://a/w\0\0")))],
    ["s", concat(msg("mg", u8(2, 254, 0), ascii("\0")), msg("mg", u8(2, 254, 0), ascii("no end")))],
  ];
  const messages = new Talks([bzflag]).tcp([SERVER, 5154], said).end().slice(2);
  expect(messages.map(({ status }) => status)).toEqual(new Array(4).fill("ok"));
  expect(messages.map(fieldsOf)).toMatchObject([
    { text: long },
    { url: "http://a/w" },
    { text: "" },
    { text: "no end" },
  ]);
});

describe("the last text of a message", () => {
  const said = (text: Uint8Array) => msg("mg", u8(2, 254, 0), text);

  it.each([ascii("go\0"), ascii("go"), ascii("go\0\0"), ascii("go\0on"), u8(), u8(0), u8(0xff), u8(0xff, 0)])(
    "is written back as it was read (%#)",
    (text) => expectRoundTrip(MsgMessage, decodeWhole(MsgMessage, said(text))),
  );

  it("cannot be written with a zero in it", () => {
    const value = { len: 8, code: codeOf("mg"), from: 2, to: 254, type: 0, text: "a\0b", padding: u8() };
    expect(() => encode(MsgMessage, value)).toThrow("would end at the zero in it");
  });
});

it("the addresses of downloads are removed from what can be shared", () => {
  const url = "http://maps.example.org/w?key=abc";
  const resource = concat(u16(1, 0, url.length), ascii(url));
  const secrets = new Secrets(ascii("a salt for tests"));
  for (const [type, bytes] of [
    [MsgCacheURL, msg("cu", ascii(`${url}\0`))],
    [MsgFetchResources, msg("fr", resource)],
  ] as const) {
    const scrubbed = scrubMessage(decodeWhole(type, bytes), new Set(), secrets).bytes;
    expect(scrubbed).toHaveLength(bytes.length);
    expect(Buffer.from(scrubbed).toString()).not.toContain("example");
    expectRoundTrip(type, decodeWhole(type, scrubbed));
  }
});
