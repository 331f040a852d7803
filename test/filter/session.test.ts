import { beforeAll, describe, expect, it } from "vitest";
import { compileFilter, Vocabulary } from "../../src/filter/index.js";
import { type DissectedMessage, dissect, dissectors } from "../../src/index.js";
import { jsonLine } from "../../src/output/json/json.js";
import { sample } from "../support/samples.js";
import { messagesOf } from "./support/messages.js";

/** Filters on recorded sessions, compared with the same questions asked of each message's JSON. */

interface MessageJson {
  readonly message: string;
  readonly protocol: string;
  readonly status: string;
  readonly summary: string;
  readonly direction: string;
  readonly time: string;
  readonly fields: unknown;
}

/** Every value of a member, at any depth. */
function deep(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const own = key === name ? (Array.isArray(member) ? member : [member]) : [];
    return [...own, ...deep(member, name)];
  });
}

/** Every object of some class, at any depth. */
function ofClass(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "class" in value && value.class === name ? [value] : [];
  return [...own, ...Object.values(value).flatMap((member) => ofClass(member, name))];
}

const has = (name: string, test: (value: unknown) => boolean) => (json: MessageJson) =>
  deep(json.fields, name).some(test);

const QUESTIONS: readonly (readonly [string, (json: MessageJson) => boolean])[] = [
  ["plNetMsgVoice", ({ fields }) => ofClass(fields, "plNetMsgVoice").length > 0],
  ["class == plNetMsgGameMessage", ({ fields }) => ofClass(fields, "plNetMsgGameMessage").length > 0],
  ["moul.auth", ({ protocol }) => protocol === "moul.auth"],
  ["moul", () => true],
  ["answers and direction == s2c", ({ summary, direction }) => direction === "s2c" && /(?:^| )\(#\d+/.test(summary)],
  ["answers in {190 .. 310}", ({ summary }) => /(?:^| )\(#(?:19\d|2\d\d|30\d|310)\b/.test(summary)],
  ["result", has("result", () => true)],
  ["result == kNetSuccess", has("result", (value) => value === "kNetSuccess")],
  [
    "result != kNetSuccess",
    (json) => has("result", () => true)(json) && deep(json.fields, "result").every((value) => value !== "kNetSuccess"),
  ],
  ["not result == kNetSuccess", (json) => !has("result", (value) => value === "kNetSuccess")(json)],
  ['objectName matches "^c"', has("objectName", (value) => /^c/i.test(String(value)))],
  ['objectName contains "Clk"', has("objectName", (value) => String(value).includes("Clk"))],
  ["objectId > 1000", has("objectId", (value) => Number(value) > 1000)],
  ["flags contains kHasPlayerID", has("flags", (value) => value === "kHasPlayerID")],
  ["flags & kNeedsReliableSend", has("flags", (value) => value === "kNeedsReliableSend")],
  ["receivers == 10124 or receivers == 134", has("receivers", (value) => value === 10124 || value === 134)],
  ["nonNull == false", has("nonNull", (value) => value === false)],
  [
    "voiceDataLength in {100 .. 150, 171}",
    has("voiceDataLength", (value) => (Number(value) >= 100 && Number(value) <= 150) || value === 171),
  ],
  ["timeSent >= 2026-11-20T04:55:07.98", has("timeSent", (value) => String(value) >= "2026-11-20T04:55:07.98")],
  ["createTime > 2026-11-20", has("createTime", (value) => String(value) > "2026-11-20T00:00:00Z")],
  ["voiceData[0:2] == 66:b3", has("voiceData", (value) => String(value).startsWith("66b3"))],
  [
    "uuid_1 == 7e0facea-dae1-4aec-a4ca-e76c05fdcfcf",
    has("uuid_1", (value) => value === "7e0facea-dae1-4aec-a4ca-e76c05fdcfcf"),
  ],
  ["location.age == -6", has("location", (value) => deep([value], "age").includes(-6))],
  ["hitPoint.y < 0", has("hitPoint", (value) => deep([value], "y").some((y) => Number(y) < 0))],
  [
    "events.hitter.uoid.objectName == 'Male'",
    has("events", (event) => deep(deep(event, "hitter"), "objectName").includes("Male")),
  ],
  ["named.folderType == kGlobalInboxFolder", has("folderType", (value) => value === "kGlobalInboxFolder")],
  ["status == unknown and direction == c2s", ({ status, direction }) => status === "unknown" && direction === "c2s"],
  ["message ~ '_Ping'", ({ message }) => /_ping/i.test(message)],
  ["time < 2026-11-20T04:55:07", ({ time }) => time < "2026-11-20T04:55:07"],
];

describe.each(["dirtsand-session", "nagus-session"])("%s", (name) => {
  let messages: DissectedMessage[] = [];
  let jsons: MessageJson[] = [];
  const vocabulary = new Vocabulary(dissectors);

  beforeAll(async () => {
    messages = await messagesOf(name);
    jsons = messages.map((message): MessageJson => JSON.parse(jsonLine(message, 1)));
  });

  it.each(QUESTIONS)("%s", (expression, answer) => {
    const passes = compileFilter(expression, vocabulary);
    expect(messages.filter(passes).map(({ number }) => number)).toEqual(
      messages.filter((_, index) => answer(jsons[index] ?? expect.fail())).map(({ number }) => number),
    );
  });
});

describe("a library user", () => {
  const keys = [sample("dirtsand-session.keys")];

  it("gets the messages that pass, with their numbers", async () => {
    const found: number[] = [];
    const options = { keys, filter: "result == kNetErrAuthenticationFailed" };
    for await (const { number } of dissect(sample("dirtsand-session.pcap"), options)) found.push(number);
    expect(found).toEqual([72, 183]);
  });

  it("may ask for a player by name and by number", async () => {
    const numbers = async (filter: string) => {
      const found: number[] = [];
      for await (const { number } of dissect(sample("dirtsand-session.pcap"), { keys, filter })) found.push(number);
      return found;
    };
    const named = await numbers(`conversation.player == "Alice of D'ni"`);
    expect(named).toEqual(await numbers("conversation.player == 10124"));
    expect(named).toContain(228);
    expect(named).not.toContain(1);
  });

  it("may decide without a filter", async () => {
    const found: number[] = [];
    const options = { keys, filter: ({ number }: { readonly number: number }) => number % 200 === 0 };
    for await (const { number } of dissect(sample("dirtsand-session.pcap"), options)) found.push(number);
    expect(found).toEqual([200, 400]);
  });

  it("learns what is wrong with a filter", async () => {
    const messages = dissect(sample("dirtsand-session.pcap"), { filter: "resul == 1" });
    await expect(messages.next()).rejects.toThrow(/^there is no field, class or message resul; did you mean result/);
  });

  it.each([
    [
      'message == "AcctLoginReply"',
      /^no type of message is called AcctLoginReply; did you mean Auth2Cli_AcctLoginReply\?/,
    ],
    ['message in {"PingReply"}', /^no type of message is called PingReply; did you mean .*Auth2Cli_PingReply/],
    ["answers.message == Cli2Auth_PingReqest", /^no type of message is called .*; did you mean Cli2Auth_PingRequest/],
    ["answers.message == 'Cli2Auth_PingReqest'", /^no type of message is called .*; did you mean Cli2Auth_PingRequest/],
    ["answeredBy.message == NoSuchReply", /^no type of message is called NoSuchReply; names of unknown messages need/],
    ["moul.result != kNetSuccess", /^moul is a protocol, .*: write result$/m],
    ["moul.auth.answers.milliseconds > 4", /^moul.auth is a protocol, .*: write answers.milliseconds$/m],
  ])("learns which name is meant in %s, as terminals or Wireshark show it", (expression, reason) => {
    expect(() => compileFilter(expression, Vocabulary.of(dissectors))).toThrow(reason);
  });
});
