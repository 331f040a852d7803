import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fieldJson } from "../../src/output/json/field-json.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  derive,
  equals,
  group,
  reference,
  rest,
  struct,
  type Type,
  u8,
  within,
} from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { u16 } from "../../src/schema/words/little-endian.js";
import { decode, windowOn, wire } from "./support/decoding.js";

const type = struct("S", {
  a: u8,
  inner: group({ list: array(group({ x: u8, y: u8 }), 2), z: u16 }),
  list: array(array(u8, 2), 1),
});
const bytes = "01 02030405 0600 0708";

describe("the tree of a value", () => {
  it("has its nodes in the order of the wire, parents first", () => {
    const { nodes } = decode(type, bytes);
    const paths = nodes.paths(Array.from({ length: nodes.count }, (_, node) => node));
    expect(paths).toEqual([
      "",
      "a",
      "inner",
      "inner.list",
      "inner.list[0]",
      "inner.list[0].x",
      "inner.list[0].y",
      "inner.list[1]",
      "inner.list[1].x",
      "inner.list[1].y",
      "inner.z",
      "list",
      "list[0]",
      "list[0][0]",
      "list[0][1]",
    ]);
    expect(paths.map((_, node) => nodes.startOf(node))).toEqual([0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 5, 7, 7, 7, 8]);
    expect(paths.map((_, node) => nodes.endOf(node))).toEqual([9, 1, 7, 5, 3, 2, 3, 5, 4, 5, 7, 9, 9, 8, 9]);
    expect(paths.map((_, node) => nodes.nextOf(node))).toEqual([15, 2, 11, 10, 7, 6, 7, 10, 9, 10, 11, 15, 15, 14, 15]);
  });

  it("finds nodes by name, but only directly below a node", () => {
    const { nodes } = decode(type, bytes);
    expect(nodes.child(0, "list")).toBe(11);
    expect(nodes.child(2, "z")).toBe(10);
    expect(nodes.child(0, "z")).toBe(-1);
    expect([nodes.numberIn(2, "z"), nodes.numberIn(2, "a")]).toEqual([6, undefined]);
    expect([nodes.textIn(2, "z"), nodes.textIn(2, "a")]).toEqual(["6", undefined]);
    expect([nodes.hasChildren(0), nodes.hasChildren(1)]).toEqual([true, false]);
  });

  it("has no nodes after its last one", () => {
    const { nodes } = decode(type, bytes);
    expect(() => nodes.field(nodes.count)).toThrow("there is no node 15");
    expect(() => nodes.field(-1)).toThrow("there is no node -1");
  });

  it("gives views on the bytes, not copies", () => {
    const { nodes } = decode(type, bytes);
    expect(nodes.bytes(2).buffer).toBe(nodes.bytes(0).buffer);
    expect(nodes.bytes(2)).toEqual(wire("020304050600"));
  });

  it("may have any number of nodes", () => {
    const many = decode(array(group({ x: u8 }), rest), Buffer.from(Array.from({ length: 5000 }, (_, n) => n & 0xff)));
    expect(many.nodes.count).toBe(10_001);
    expect(many.nodes.number(2 * 4999 + 2)).toBe(4999 & 0xff);
    expect(many.nodes.paths([2 * 4999 + 2])).toEqual(["[4999].x"]);
  });
});

describe("a decoder", () => {
  const packed = deflateSync(wire("0500"));
  const compressed = struct("S", {
    how: u8,
    length: u8,
    size: u8,
    data: within("size", group({ z: u16 }), { when: equals("how", 1), literal: 0, inflatedLength: "length" }),
  });
  const compressedBytes = Buffer.concat([Uint8Array.of(1, 2, packed.length), packed]);

  it("can be reused without a trace of the previous value", () => {
    const decoder = new Decoder();
    const inputs: readonly [Type<unknown>, Uint8Array][] = [
      [type, wire(bytes)],
      [compressed, compressedBytes],
      [type, wire("01 02")],
      [type, wire("")],
    ];
    const seen = new Map<string, string>();
    for (const round of [0, 1, 2, 3]) {
      for (const [index, [type, input]] of inputs.entries()) {
        for (const extent of [Extent.Exact, Extent.Cut]) {
          decoder.decode(type, windowOn(input), extent);
          const { nodes } = decoder;
          const result = JSON.stringify([fieldJson(nodes, 0), nodes.notes, nodes.outcome, nodes.sources.length]);
          const key = `${index} ${extent}`;
          if (round > 0) expect(result).toBe(seen.get(key));
          seen.set(key, result);
        }
      }
    }
  });

  it("forgets what was introduced, and what was added", () => {
    const named = struct("N", { id: u8, text: u8 }, { introduces: { kind: "player", id: "id", name: "text" } });
    const decoder = new Decoder();
    for (let time = 0; time < 2; time++) {
      decoder.decode(array(derive("D", named, {}), 2), windowOn(wire("01020304")), Extent.Exact);
      expect(decoder.nodes.nameBindings).toEqual([1, 4]);
      expect(decoder.nodes.annotations.size).toBe(0);
      decoder.nodes.annotate(1, "a friend");
    }
  });

  it("words what was added when somebody looks, and forgets it with the message", () => {
    const decoder = new Decoder();
    const made: string[] = [];
    const later = (text: string) => () => {
      made.push(text);
      return text;
    };
    decoder.decode(group({ one: u8, other: u8 }), windowOn(wire("0102")), Extent.Exact);
    decoder.nodes.annotate(1, "a");
    decoder.nodes.annotate(1, later("b"));
    decoder.nodes.annotate(2, later("c"));
    expect(made).toEqual([]);
    expect([decoder.nodes.annotation(0), decoder.nodes.annotation(1)]).toEqual([undefined, "b"]);
    expect(made).toEqual(["b"]);
    decoder.nodes.annotate(2, "d");
    expect(decoder.nodes.annotation(2)).toBe("d");
    expect([...decoder.nodes.annotations]).toEqual([
      [1, "b"],
      [2, "d"],
    ]);
    decoder.nodes.annotate(1, later("e"));
    decoder.decode(group({ one: u8 }), windowOn(wire("01")), Extent.Exact);
    expect([decoder.nodes.annotation(1), decoder.nodes.annotations.size]).toEqual([undefined, 0]);
  });

  it("leaves a snapshot valid when it continues", () => {
    const decoder = new Decoder();
    for (const [kind, input] of [
      [type, wire("01 02030405 0600 07")],
      [compressed, compressedBytes],
    ] as const) {
      const untyped: Type<unknown> = kind;
      const window = windowOn(input);
      decoder.decode(untyped, window, Extent.Exact);
      const before = [fieldJson(decoder.nodes, 0), plainValue(decoder.nodes, 0), [...decoder.nodes.notes]];
      const snapshot = decoder.nodes.snapshot();
      window.bytes.fill(0xee);
      decoder.decode(group({ other: u16 }), windowOn(wire("0100")), Extent.Exact);
      expect([fieldJson(snapshot, 0), plainValue(snapshot, 0), snapshot.notes]).toEqual(before);
      expect(snapshot.outcome).toBe(untyped === compressed ? "ok" : "malformed");
    }
  });

  it("gives a snapshot with the same content as the tree itself", () => {
    const named = struct("N", { id: u8, text: u8 }, { introduces: { kind: "player", id: "id", name: "text" } });
    const decoder = new Decoder();
    decoder.decode(array(named, 2), windowOn(wire("01020304")), Extent.Exact);
    decoder.nodes.annotate(1, "a friend");
    const { nameBindings, annotations, outline } = decoder.nodes.snapshot();
    const { nodes } = decoder;
    expect(nameBindings).toEqual([1, 4]);
    expect([nameBindings, annotations, outline]).toEqual([nodes.nameBindings, nodes.annotations, nodes.outline]);
  });

  it("gives a snapshot that shows references by the names known when it was taken", () => {
    const decoder = new Decoder();
    const names = new Map([["player 7", "Shorah"]]);
    decoder.names = { get: (kind, id) => names.get(`${kind} ${id}`) };
    decoder.decode(
      group({ player: reference(u8, "player"), other: reference(u8, "player") }),
      windowOn(wire("0708")),
      Extent.Exact,
    );
    const snapshot = decoder.nodes.snapshot();
    names.set("player 7", "somebody else");
    names.set("player 8", "late");
    expect([1, 2].map((node) => labelOf(snapshot, node))).toEqual(["Shorah", undefined]);
  });

  it("gives a snapshot that knows the names of who plays, and where", () => {
    const decoder = new Decoder();
    const names = new Map([
      ["player 7", "Shorah"],
      ["age 7", "Eder Kemo"],
      ["player 8", "somebody else"],
    ]);
    decoder.names = { get: (kind, id) => names.get(`${kind} ${id}`) };
    decoder.decode(group({ other: u8 }), windowOn(wire("08")), Extent.Exact);
    decoder.nodes.context = { player: { kind: "player", id: "7" }, place: { kind: "age", id: "7" } };
    const snapshot = decoder.nodes.snapshot();
    names.clear();
    expect(snapshot.names?.get("player", "7")).toBe("Shorah");
    expect(snapshot.names?.get("age", "7")).toBe("Eder Kemo");
    expect(snapshot.names?.get("player", "8")).toBeUndefined();
  });

  it("knows the context by its old name, too", () => {
    const { nodes } = decode(type, bytes);
    nodes.circumstances = { asks: true };
    expect(nodes.context).toEqual({ asks: true });
    nodes.context = { error: "busy" };
    expect(nodes.circumstances).toEqual({ error: "busy" });
  });

  it("decodes in the middle of a larger buffer, from offset 0 of its window", () => {
    const large = Buffer.concat([Buffer.alloc(100, 7), wire(bytes), Buffer.alloc(100, 7)]);
    const decoder = new Decoder();
    decoder.decode(type, { bytes: large, view: viewOf(large), start: 100, end: 109 }, Extent.Exact);
    expect(decoder.nodes.outcome).toBe("ok");
    expect([decoder.nodes.startOf(0), decoder.nodes.endOf(0)]).toEqual([0, 9]);
    expect(fieldJson(decoder.nodes, 0)).toBe(fieldJson(decode(type, bytes).nodes, 0));
    const buffer = large.subarray(50);
    decoder.decode(type, { bytes: buffer, view: viewOf(buffer), start: 50, end: 59 }, Extent.Exact);
    expect(fieldJson(decoder.nodes, 0)).toBe(fieldJson(decode(type, bytes).nodes, 0));
  });
});
