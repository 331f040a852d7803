import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { bool, enumeration, flags, i8, packed, reference, remarked, struct, u8, uuid } from "../../src/schema/index.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { bool32, i32, u32, u64 } from "../../src/schema/words/little-endian.js";
import { decode, jsonOf, wholeValue, windowOn, wire } from "./support/decoding.js";

const Color = { kRed: 1, kBlue: 2, kAlsoBlue: 2, kNone: -1 };
const Bits = { kA: 1 << 0, kB: 1 << 1, kHigh: 1 << 31 };

/** The label and the JSON value of a number. */
function meaning(type: Parameters<typeof struct>[1][string], digits: string): [string | undefined, unknown] {
  const whole = struct("S", { it: type });
  const json = jsonOf(whole, digits);
  return [
    labelOf(decode(whole, digits).nodes, 1),
    typeof json === "object" && json !== null && "it" in json ? json.it : undefined,
  ];
}

describe("the meaning of a number", () => {
  it.each([
    ["01", ["kRed", "kRed"]],
    ["02", ["kBlue", "kBlue"]],
    ["ff", ["kNone", "kNone"]],
    ["05", [undefined, 5]],
  ])("may be a name (%s)", (digits, expected) => {
    expect(meaning(enumeration(i8, Color), digits)).toEqual(expected);
  });

  it.each([
    ["00000000", [undefined, []]],
    ["01000000", ["kA", ["kA"]]],
    ["03000080", ["kA | kB | kHigh", ["kA", "kB", "kHigh"]]],
    ["0d000000", ["kA | 0xc", ["kA", "0xc"]]],
  ])("may be a set of names (%s)", (digits, expected) => {
    expect(meaning(flags(u32, Bits), digits)).toEqual(expected);
  });

  it("may be a set of names for the bits of its width", () => {
    expect(meaning(flags(i32, Bits), "01000080")).toEqual(["kA | kHigh", ["kA", "kHigh"]]);
    expect(meaning(flags(i8, { kSeven: 1 << 7 }), "81")).toEqual(["kSeven | 0x1", ["kSeven", "0x1"]]);
  });

  it("may be a set of names for 64 bits", () => {
    const wide = flags(u64, { kLow: 1, kMiddle: 1 << 31, kHigh: 2 ** 40, kTop: 2 ** 63 });
    expect(meaning(wide, "0100008000010080")).toEqual([
      "kLow | kMiddle | kHigh | kTop",
      ["kLow", "kMiddle", "kHigh", "kTop"],
    ]);
    expect(meaning(wide, "0000000002000000")).toEqual(["0x200000000", ["0x200000000"]]);
    expect(meaning(flags(u64, { kHigh: 1n << 40n, kTop: 1n << 63n }), "0000000000010080")[0]).toBe("kHigh | kTop");
  });

  it("may be a text", () => {
    expect(
      meaning(
        packed(u8, (value) => `#${value}`),
        "05",
      ),
    ).toEqual(["#5", "#5"]);
  });

  it("may be a remark", () => {
    const odd = remarked(u8, (value) => (value % 2 === 1 ? "odd" : undefined));
    expect(meaning(odd, "05")).toEqual(["odd", 5]);
    expect(meaning(odd, "04")).toEqual([undefined, 4]);
  });

  it("includes that a boolean other than 1 is true", () => {
    expect(meaning(bool, "00")).toEqual([undefined, false]);
    expect(meaning(bool, "01")).toEqual([undefined, true]);
    expect(meaning(bool, "05")).toEqual(["true", true]);
    expect(meaning(bool32, "00010000")).toEqual(["true", true]);
  });

  it("is the name of what it refers to, if the traffic has given one", () => {
    const type = struct("S", { player: reference(u32, "player"), age: reference(uuid, "age") });
    const window = windowOn(wire(`05000000 ${"00".repeat(16)}`));
    const decoder = new Decoder();
    const { nodes } = decoder;
    decoder.decode(type, window, Extent.Exact);
    expect([labelOf(nodes, 1), labelOf(nodes, 2)]).toEqual([undefined, undefined]);
    const id = "00000000-0000-0000-0000-000000000000";
    decoder.names = {
      get: (kind, of) =>
        kind === "player" && of === "5" ? "Yeesha" : kind === "age" && of === id ? "Relto" : undefined,
    };
    decoder.decode(type, window, Extent.Exact);
    expect([labelOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["Yeesha", "Relto"]);
  });

  it("precedes what a dissector adds", () => {
    const { nodes } = decode(struct("S", { named: enumeration(i8, Color), plain: u8 }), "01 02");
    nodes.annotate(1, "as before");
    nodes.annotate(2, "as before");
    expect([labelOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["kRed; as before", "as before"]);
  });

  it("is not part of the value", () => {
    const type = struct("S", { color: enumeration(i8, Color), bits: flags(u32, Bits) });
    expect(wholeValue(type, "02 03000080")).toEqual({ color: 2, bits: 0x80000003 });
    expect(hex(encode(type, { color: 2, bits: 3 }))).toBe("0203000000");
  });
});
