import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  bytes,
  resolved,
  rest,
  struct,
  type Type,
  text,
  tuple,
  u8,
  undeclared,
  within,
} from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16 } from "../../src/schema/words/little-endian.js";
import { decode, expectSound, wholeValue, windowOn, wire } from "./support/decoding.js";

describe("undeclared bytes", () => {
  const type = struct("S", { a: u8, rest: undeclared("Nobody knows it.") });

  it("are a leaf that says so", () => {
    const { outcome, value, notes, nodes } = decode(type, "01 aabb");
    expect(outcome).toBe("unknown");
    expect(value).toEqual({ a: 1, rest: "aabb" });
    expect(notes).toEqual(["rest: Nobody knows it."]);
    expect(nodes.notes[0]?.severity).toBe("note");
  });

  it("are absent if there are none", () => {
    expect(wholeValue(type, "01")).toEqual({ a: 1 });
  });

  it("may have the name of what could not be dissected", () => {
    const whole = struct("S", { a: u8, undissected: bytes(rest) });
    expect(wholeValue(whole, "01 aabb")).toEqual({ a: 1, undissected: "aabb" });
    expect(decode(struct("S", { a: u16, undissected: bytes(rest) }), "01").value).toEqual({ undissected: "01" });
  });

  it("are limited to their region", () => {
    const boxed = struct("S", { size: u8, data: within("size", type), behind: u8 });
    expect(decode(boxed, "03 01 aabb 09")).toMatchObject({ value: { data: { rest: "aabb" }, behind: 9 } });
  });
});

describe("a type found while decoding", () => {
  const layouts = new Map<string, Type<unknown>>([
    ["pair", struct("Pair", { x: u8, y: u8 })],
    ["word", u16],
    ["list", array(u16, 2)],
    ["mixed", tuple([u8, u16])],
  ]);
  const record = resolved((member, settings) => {
    const name = member("name");
    const known = settings instanceof Map ? settings.get(name) : undefined;
    return known ?? `nobody supplied ${String(name)}`;
  });
  const type = struct("S", { name: text(4), record, behind: u8 });

  /** Decodes bytes, with the layouts supplied by default. */
  function decoded(type: Type<unknown>, bytes: string, settings: unknown = layouts) {
    const decoder = new Decoder();
    decoder.settings = settings;
    decoder.decode(type, windowOn(wire(bytes)), Extent.Exact);
    const { nodes } = decoder;
    const isPartial = nodes.outcome !== "ok";
    expect(hex(encode(type, plainValue(nodes, 0), { isPartial, settings }))).toBe(hex(nodes.bytes(0)));
    return { nodes, outcome: nodes.outcome, value: plainValue(nodes, 0), notes: nodes.notes.map(({ text }) => text) };
  }

  const named = (name: string): string => Buffer.from(name).toString("hex");

  it.each([
    ["pair", "0102", { x: 1, y: 2 }],
    ["word", "0102", 0x0201],
    ["list", "0100 0200", [1, 2]],
  ])("is named by an earlier field (%s)", (name, digits, record) => {
    expect(decoded(type, `${named(name.slice(0, 4))} ${digits} 09`)).toMatchObject({
      outcome: "ok",
      value: { record, behind: 9 },
    });
  });

  it("may be named by an earlier field in an unusual form", () => {
    const short = struct("S", { name: text(6), record, behind: u8 });
    const { outcome, value } = decoded(short, `${named("word")} 0041 0102 09`);
    expect(outcome).toBe("ok");
    expect(value).toMatchObject({ name: new Exact("word", wire(`${named("word")} 0041`)), record: 0x0201 });
  });

  it("is unknown if nothing is supplied, and ends decoding", () => {
    expect(decoded(type, `${named("none")} 0102 09`)).toMatchObject({
      outcome: "unknown",
      value: { record: wire("010209") },
      notes: ["nobody supplied none"],
    });
    expect(decoded(type, `${named("pair")} 0102 09`, null).outcome).toBe("unknown");
    const { nodes } = decode(type, `${named("none")}`);
    expect(nodes.outcome).toBe("unknown");
  });

  it("affects only its own region", () => {
    const boxed = struct("S", { name: text(4), size: u8, record: within("size", record), behind: u8 });
    expect(decoded(boxed, `${named("none")} 02 0102 09`)).toMatchObject({ outcome: "unknown", value: { behind: 9 } });
    expect(decoded(boxed, `${named("pair")} 02 0102 09`)).toMatchObject({
      outcome: "ok",
      value: { record: { x: 1, y: 2 }, behind: 9 },
    });
    expect(decoded(boxed, `${named("pair")} 03 0102aa 09`).outcome).toBe("malformed");
    expect(decoded(boxed, `${named("word")} 01 01 09`).outcome).toBe("malformed");
  });

  it("may depend on a name that the traffic has shown, also where a length is computed from it", () => {
    const shown = resolved((member, _, nameOf) => layouts.get(nameOf("kind", String(member("id"))) ?? "") ?? "unknown");
    const boxed = struct("S", { id: u8, size: u8, record: within("size", shown) });
    const nameOf = (kind: string, id: string) => (kind === "kind" && id === "7" ? "pair" : undefined);
    expect(hex(encode<unknown>(boxed, { id: 7, record: { x: 1, y: 2 } }, { nameOf }))).toBe("07020102");
  });

  it("depends on the struct that it is in", () => {
    const inner = struct("Inner", { name: text(4), record });
    const outer = struct("Outer", { name: text(4), inner, record });
    expect(decoded(outer, `${named("pair")} ${named("word")} 0102 0304`)).toMatchObject({
      value: { inner: { record: 0x0201 }, record: { x: 3, y: 4 } },
    });
  });

  it("may be in an array", () => {
    const list = struct("S", { name: text(4), list: array(record, 2), behind: u8 });
    expect(decoded(list, `${named("word")} 0100 0200 09`)).toMatchObject({ value: { list: [1, 2], behind: 9 } });
    expect(decoded(list, `${named("none")} 0100 0200 09`)).toMatchObject({ outcome: "unknown" });
  });

  it("results in a sound tree without settings", () => {
    const decoder = new Decoder();
    decoder.decode(type, windowOn(wire(`${named("pair")} 0102 09`)), Extent.Exact);
    expectSound(type, decoder.nodes);
  });
});
