import { describe, expect, test } from "vitest";
import { type Comparison, compare } from "./compare.js";
import { Explained } from "./explained.js";
import { type ForeignFrame, gapText, type OwnConversation } from "./views.js";

const CLIENT = "10.0.0.1:40000";
const SERVER = "10.0.0.2:80";
const ENDS = [CLIENT, SERVER] as const;

function own(text: string, first = 1, path = ""): OwnConversation {
  return { stream: 0, ends: ENDS, path, first, last: 9, sent: { [CLIENT]: text }, reason: "fin", differing: 0 };
}

function frame(number: number, changes: Partial<ForeignFrame> = {}): ForeignFrame {
  return { number, protocols: "eth:ethertype:ip:tcp", length: 1, flags: 0x10, isCut: false, vlans: "", ...changes };
}

/** Compares this program's conversations with one of tshark's, in which frames 1, 2, ... bring these parts. */
function compared(
  ours: readonly OwnConversation[],
  parts: readonly string[],
  frames: readonly ForeignFrame[] = [],
): Comparison {
  const sent = { [CLIENT]: parts.map((bytes, index) => ({ frame: index + 1, bytes })) };
  const all = parts.map((_, index) => frames[index] ?? frame(index + 1));
  const foreign = { stream: 7, ends: ENDS, first: 1, frames: all, sent };
  const view = { problems: [], internalErrors: [], packets: 9, tcp: ours, recognised: [], others: {} };
  return compare(view, { packets: 9, tcp: [foreign] });
}

describe("comparing with tshark", () => {
  test("the same bytes and gaps are equal, in whatever parts they came", () => {
    expect(compared([own(`ab${gapText(3)}c`)], ["a", "b", gapText(3), "c"])).toEqual({
      directions: 1,
      equal: 1,
      differences: [],
    });
  });

  test.each([
    ["text on an RST", own("a"), ["a", "bye"], [frame(1), frame(2, { flags: 0x14 })]],
    ["data after a reset", own("a"), ["a", "", "b"], [frame(1), frame(2, { flags: 0x14 }), frame(3)]],
    ["acknowledged, not captured", own(`a${gapText(9)}`), ["a"], []],
    ["data after a gap that nobody acknowledged", own(`a${gapText(9)}b`), ["a"], []],
    ["gap filled later", own("abcd"), ["a", gapText(2), "d"], []],
    ["cut packets", own(`a${gapText(9)}b`), ["ab"], [frame(1, { isCut: true })]],
    ["keep-alive at the beginning", own("abc"), [gapText(1), "abc"], []],
  ])("%s has a reason", (kind, ours, parts, frames) => {
    const { equal, differences } = compared([ours], parts, frames);
    expect([equal, differences.map((difference) => difference.kind)]).toEqual([0, [kind]]);
    expect(differences[0]?.reason).toBeTypeOf("string");
  });

  test.each([
    ["long gap", [own(`a${gapText(1_000_000)}`)], ["a"]],
    ["other", [own("abX")], ["abc"]],
    ["different paths: VLAN 1 | VLAN 2", [own("ab", 1, "VLAN 1"), own("", 2, "VLAN 2")], ["ab"]],
    ["not found: eth:ethertype:ip", [], ["ab"]],
  ])("%s has none", (kind, ours, parts) => {
    expect(compared(ours, parts).differences).toEqual([
      expect.objectContaining({ stream: "7", sender: CLIENT, kind, reason: undefined }),
    ]);
  });

  test("a line explains streams of a capture by the end of its path", () => {
    const explained = new Explained("# comment\na/b.pcap\t3,own 4\tdamaged\n");
    expect(explained.reason("tests/a/b.pcap", "own 4")).toBe("damaged");
    expect(explained.reason("tests/xa/b.pcap", "3")).toBeUndefined();
    expect(explained.reason("a/b.pcap", "4")).toBeUndefined();
  });
});
