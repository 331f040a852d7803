import { describe, expect, it } from "vitest";
import type { Limits } from "../../src/limits.js";
import { summaryText } from "../../src/output/text/summary-text.js";
import { dissectPackets } from "../support/dissecting.js";
import { TcpTalk } from "../support/packets.js";
import { type ToyOptions, toyDissector, Word, words } from "../support/toy.js";

/**
 * The words shown, each with its frame; frames 1 to 3 open the connection.
 *
 * @param script a word per packet: "a" to "z" from the client, "A" to "Z" from the server; those in brackets are missing
 */
function shown(script: readonly string[], limits: Partial<Limits> = {}, options: ToyOptions = {}): string[] {
  const talk = new TcpTalk(["192.0.2.1", 40_000], ["192.0.2.2", 1000], [100, 200]);
  const handshake = talk.handshake();
  const packets = script.map((item) => {
    const word = item.replaceAll(/[()]/g, "");
    const packet = talk.send(word === word.toLowerCase() ? 0 : 1, words(word));
    return item === word ? packet : undefined;
  });
  const { messages } = dissectPackets([...handshake, ...packets], {
    dissectors: [toyDissector({ candidate: () => ({ type: Word, bits: 48 }), ...options })],
    limits: { doubtPackets: 4, doubtSeconds: 1000, turnSeconds: 1000, ...limits },
  });
  return messages.map((message) => {
    const text = message.name === "Word" ? summaryText(message).replace(/^text="(.*)"$/, "$1") : message.name;
    return `${message.frames[0]} ${text}`;
  });
}

describe("messages of a connection come in the order of their packets", () => {
  it("although one side's are held up by a loss", () => {
    expect(shown(["a", "A", "(b)", "B", "c", "C", "d", "D", "e", "E", "F", "f"])).toEqual([
      "4 a",
      "5 A",
      "6 B",
      "7 gap",
      "7 c",
      "8 C",
      "9 d",
      "10 D",
      "11 e",
      "12 E",
      "13 F",
      "14 f",
    ]);
  });

  it("although both sides' are held up", () => {
    expect(shown(["a", "A", "(b)", "(B)", "c", "C", "d", "D", "e", "E", "f", "F", "g"])).toEqual([
      "4 a",
      "5 A",
      "6 gap",
      "6 c",
      "7 gap",
      "7 C",
      "8 d",
      "9 D",
      "10 e",
      "11 E",
      "12 f",
      "13 F",
      "14 g",
    ]);
  });

  it("although the protocol was recognised late", () => {
    const recognise: ToyOptions["recognise"] = ({ c2s }) => (c2s.length > 4 ? "yes" : "more");
    const all = ["A", "a", "B", "C", "b", "D", "c", "E"];
    expect(shown(all, {}, { recognise })).toEqual(all.map((word, index) => `${index + 4} ${word}`));
  });

  it("although the protocol was recognised late, and the beginning of one side is missing", () => {
    expect(shown(["A", "(a)", "b", "B", "C", "D", "c"])).toEqual(["4 A", "5 gap", "5 b", "6 B", "7 C", "8 D", "9 c"]);
  });

  it("although one side searches for its next message", () => {
    const script = ["a", "A", "(b)", "c", "B", "d", "C", "e"];
    // A single message is not enough to be certain.
    const candidate = () => ({ type: Word, bits: 20 });
    expect(shown(script, {}, { candidate })).toEqual(["4 a", "5 A", "6 gap", "6 c", "7 B", "8 d", "9 C", "10 e"]);
    // Each packet comes a second after the last one.
    expect(shown(script, { turnSeconds: 3, doubtPackets: 1 }, { candidate })).toEqual([
      "4 a",
      "5 A",
      "6 gap",
      "7 B",
      "9 C",
      "6 c",
      "8 d",
      "10 e",
    ]);
  });

  it("until they have waited too long for what may still come", () => {
    const script = ["a", "(b)", "c", "A", "B", "C", "d"];
    expect(shown(script, { turnSeconds: 3, doubtPackets: 1000 })).toEqual([
      "4 a",
      "6 A",
      "7 B",
      "8 C",
      "5 gap",
      "5 c",
      "9 d",
    ]);
  });

  it("until they have waited too long, even if only the other side goes on", () => {
    // A single message is not enough to be certain.
    const candidate = () => ({ type: Word, bits: 20 });
    const said = shown(["a", "(b)", "c", "A", "d", "e", "f"], { turnSeconds: 3, doubtPackets: 1 }, { candidate });
    expect(said).toEqual(["4 a", "5 gap", "6 A", "5 c", "7 d", "8 e", "9 f"]);
  });

  it("until too much waits", () => {
    const limits = { undecidedBytes: 100 };
    expect(shown(["a", "(b)", "c", "A", "B", "C", "d"], limits)).toEqual([
      "4 a",
      "6 A",
      "7 B",
      "8 C",
      "5 gap",
      "5 c",
      "9 d",
    ]);
  });
});

/**
 * The words shown of several connections, each with its frame and connection; the first frames open them, three each.
 *
 * @param script a word per packet, after the number of its connection: "1a", "2A"; those in brackets are missing, and
 * "2." ends a connection
 */
function shownOfSeveral(script: readonly string[], limits: Partial<Limits> = {}, dissector = searching): string[] {
  const last = Math.max(...script.map((item) => Number(item.replaceAll(/\D/g, ""))));
  const talks = Array.from(
    { length: last },
    (_, index) => new TcpTalk(["192.0.2.1", 40_001 + index], ["192.0.2.2", 1000], [100, 200]),
  );
  const handshakes = talks.flatMap((talk) => talk.handshake());
  const packets = script.flatMap((item) => {
    const [number = "", word = ""] = item.replaceAll(/[()]/g, "");
    const talk = talks[Number(number) - 1] ?? unexpected(item);
    if (word === ".") return [talk.fin(0), talk.fin(1)];
    const packet = talk.send(word === word.toLowerCase() ? 0 : 1, words(word));
    return item.startsWith("(") ? [undefined] : [packet];
  });
  const { messages } = dissectPackets([...handshakes, ...packets], {
    dissectors: [dissector],
    limits: { doubtPackets: 4, doubtSeconds: 1000, turnSeconds: 1000, ...limits },
  });
  return messages.map((message) => {
    const text = message.name === "Word" ? summaryText(message).replace(/^text="(.*)"$/, "$1") : message.name;
    return `${message.frames[0]} ${message.conversation.stream + 1}${text}`;
  });
}

/** A single message is not enough to be certain. */
const searching = toyDissector({ candidate: () => ({ type: Word, bits: 20 }) });

function unexpected(item: string): never {
  throw new Error(`there is no connection for ${item}`);
}

describe("messages of all connections come in the order of their packets", () => {
  const lossy = ["1a", "2a", "(1b)", "1c", "2b", "2A", "1d", "2B", "1A", "1B", "2c", "1e", "1f", "2d"];

  it("although one of them has lost a packet, and searches for its next message", () => {
    expect(shownOfSeveral(lossy)).toEqual([
      "7 1a",
      "8 2a",
      "9 1gap",
      "9 1c",
      "10 2b",
      "11 2A",
      "12 1d",
      "13 2B",
      "14 1A",
      "15 1B",
      "16 2c",
      "17 1e",
      "18 1f",
      "19 2d",
    ]);
  });

  it("although another ends before it is known what the lossy one says", () => {
    expect(shownOfSeveral(["1a", "2a", "(1b)", "1c", "2b", "2A", "2.", "1A", "1d", "1e", "1f"])).toEqual([
      "7 1a",
      "8 2a",
      "9 1gap",
      "9 1c",
      "10 2b",
      "11 2A",
      "14 1A",
      "15 1d",
      "16 1e",
      "17 1f",
    ]);
  });

  it("although the recording ends before it is known", () => {
    expect(shownOfSeveral(["1a", "2a", "(1b)", "1c", "2b", "2A"])).toEqual([
      "7 1a",
      "8 2a",
      "9 1gap",
      "9 1c",
      "10 2b",
      "11 2A",
    ]);
  });

  it("until they have waited too long, whoever goes on", () => {
    // Each packet comes a second after the last one.
    expect(shownOfSeveral(["1a", "2a", "(1b)", "1c", "2b", "2c", "2A", "2d"], { turnSeconds: 3 })).toEqual([
      "7 1a",
      "8 2a",
      "10 2b",
      "11 2c",
      "12 2A",
      "13 2d",
      "9 1gap",
      "9 1c",
    ]);
  });

  it("until too much waits in all of them together", () => {
    const script = ["1a", "2a", "(1b)", "1c", "2b", "1A", "2c", "2d"];
    const firstOf = (limits: Partial<Limits>) => shownOfSeveral(script, { doubtPackets: 1000, ...limits }).slice(2, 5);
    expect(firstOf({ queuedBytes: 1000 })).toEqual(["9 1gap", "9 1c", "10 2b"]);
    // A packet of one word counts as 66 bytes.
    expect(firstOf({ queuedBytes: 150 })).toEqual(["10 2b", "11 1A", "12 2c"]);
    // The answer to what is missing waits for that before it gets here.
    expect(firstOf({ queuedBytes: 150, undecidedBytes: 50 })).toEqual(["10 2b", "12 2c", "13 2d"]);
  });

  it("unless they announce other connections, which have to be known when they begin", () => {
    const lobby = toyDissector({
      candidate: () => ({ type: Word, bits: 20 }),
      recognise: ({ client, shared }) => (client.port === 40_003 && !shared.has("announced") ? "no" : "yes"),
      decoded: (_direction, { client, shared }) => void (client.port === 40_002 && shared.set("announced", true)),
    });
    const script = ["1a", "(1b)", "1c", "2a", "3a"];
    expect(shownOfSeveral(script, {}, lobby)).toEqual(["10 1a", "11 1gap", "11 1c", "12 2a"]);
    const announcing = { ...lobby, announces: true };
    expect(shownOfSeveral(script, {}, announcing)).toEqual(["10 1a", "12 2a", "13 3a", "11 1gap", "11 1c"]);
  });
});
