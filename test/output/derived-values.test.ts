import { describe, expect, it } from "vitest";
import { bits, derivedFlags, struct, u8 } from "../../src/schema/index.js";
import { messageOf } from "../filter/support/messages.js";
import { decode } from "../schema/support/decoding.js";
import { textTree, treeJson } from "../support/shown.js";

const Packet = struct(
  "Packet",
  { first: u8 },
  {
    derived: [
      bits("level", { field: "first", mask: 0x06, names: { Again: 1 } }),
      { name: "all", doc: "", schema: {}, of: () => [1, 2], meaning: () => ["one", 2] },
      { name: "member", doc: "", schema: {}, of: () => ({ a: 1, b: 2 }), meaning: () => ({ a: "one", b: 2 }) },
    ],
  },
);

const Marked = struct(
  "Marked",
  { first: u8 },
  {
    derived: [
      derivedFlags("marks", { doc: "", names: { One: 1, Two: 2 }, of: (nodes, node) => nodes.numberIn(node, "first") }),
      { name: "sides", doc: "", schema: {}, of: () => 5, meaning: () => ["left", 2] },
      { name: "parts", doc: "", schema: {}, of: () => 6, meaning: () => ({ a: 1 }) },
      { name: "none", doc: "", schema: {}, of: () => [] },
    ],
  },
);

describe("values derived from fields", () => {
  it("are shown as flags only if they are, in the text tree", () => {
    const lines = (hex: string) => textTree(messageOf(Marked, hex)).match(/\[.*\]/g);
    expect(lines("03")).toEqual(["[marks: 3 (One | Two)]", "[sides: left, 2]", "[parts]", "[a: 1]", "[none: none]"]);
    expect(lines("00")).toContain("[marks: 0]");
  });

  it("have the name after the number in the text tree", () => {
    const lines = (hex: string) => textTree(messageOf(Packet, hex)).match(/\[.*\]/g);
    expect(lines("02")).toEqual(["[level: 1 (Again)]", "[all: one, 2]", "[member]", "[a: one]", "[b: 2]"]);
    expect(lines("04")).toContain("[level: 2]");
  });

  it("have the name as their label in the JSON tree", () => {
    const labels = (hex: string) => {
      const { tree } = JSON.parse(`{${treeJson(decode(Packet, hex).nodes)}}`);
      return tree.slice(1).map(({ value, label }: { value: unknown; label?: string }) => [value, label]);
    };
    expect(labels("02")).toEqual([
      [1, "Again"],
      [[1, 2], "one | 2"],
      [{ a: 1, b: 2 }, "a: one"],
    ]);
    expect(labels("04")[0]).toEqual([2, undefined]);
  });
});
