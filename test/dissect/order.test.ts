import { describe, expect, it } from "vitest";
import type { Limits } from "../../src/limits.js";
import { summaryText } from "../../src/output/summary-text.js";
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
      "5 gap",
      "5 c",
      "8 C",
      "9 d",
    ]);
  });

  it("until too much waits in all connections together", () => {
    const talks = [40_001, 40_002].map((port) => {
      const talk = new TcpTalk(["192.0.2.1", port], ["192.0.2.2", 1000], [100, 200]);
      const beginning = [...talk.handshake(), talk.send(0, words("a"))];
      // The server has not acknowledged what is missing, so it may still come.
      const acknowledgment = talk.next(0);
      talk.send(0, words("b"));
      const late = talk.send(0, words("c"));
      const packets = ["A", "B", "C"].map((word) => {
        const packet = talk.raw(1, { acknowledgment, payload: words(word) });
        talk.send(1, words(word));
        return packet;
      });
      return [...beginning, late, ...packets];
    });
    const beforeGaps = (limits: Partial<Limits>) => {
      const { messages } = dissectPackets(talks.flat(), { dissectors: [toyDissector()], limits });
      const firstGap = messages.findIndex(({ name }) => name === "gap");
      return messages.slice(0, firstGap).map(({ frames }) => frames[0]);
    };
    expect(beforeGaps({})).toEqual([4, 12]);
    expect(beforeGaps({ queuedBytes: 350 })).toEqual([4, 12, 14]);
    expect(beforeGaps({ queuedBytes: 150 })).toEqual([4, 6, 12, 14, 15, 16]);
  });
});
