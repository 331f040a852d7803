import { describe, expect, it } from "vitest";
import { fieldFacts } from "../../src/schema/describe/field-list.js";
import { encode } from "../../src/schema/encode/encode.js";
import { equals, flags, optionalBy, prefixed, struct, text, u8 } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u64 } from "../../src/schema/words/little-endian.js";
import { wholeValue } from "./support/decoding.js";

const Has = { Nick: 1 << 0, Team: 1 << 1, Last: 1 << 31 };
const optional = optionalBy("has", Has);

const type = struct("S", {
  has: flags(u64, Has),
  nick: optional(prefixed(u8, text), "Nick"),
  team: optional(u8, "Team"),
  either: optional(u8, "Nick", "Team"),
  last: optional(u8, "Last").when(equals("team", 5)),
});

describe("an optional field", () => {
  it.each([
    ["0000000000000000", {}],
    ["0100000000000000 0141 07", { nick: "A", either: 7 }],
    ["0200000000000000 05 07", { team: 5, either: 7 }],
    ["0300000000000000 00 05 07", { nick: "", team: 5, either: 7 }],
    ["0200008000000000 05 07 09", { team: 5, either: 7, last: 9 }],
    ["0200008000000000 06 07", { team: 6, either: 7 }],
  ])("is present if one of its flags is set: %s", (bytes, value) => {
    const has = Buffer.from(bytes.slice(0, 16), "hex").readBigUInt64LE();
    expect(wholeValue(type, bytes)).toEqual({ has, ...value });
    expect(hex(encode(type, { has, ...value }))).toBe(bytes.replaceAll(" ", ""));
  });

  it("is listed with its flags", () => {
    const rules = Object.fromEntries([...fieldFacts(type.struct)].map(({ path, when }) => [path, when]));
    expect(rules).toEqual({
      has: undefined,
      nick: "has & Nick",
      team: "has & Team",
      either: "has & (Nick | Team)",
      last: "has & Last && team == 5",
    });
  });

  it("may depend on the flags of a struct before it", () => {
    const optional = optionalBy("head.has", { Nick: 1 });
    const type = struct("S", { head: struct("H", { has: u8 }), nick: optional(prefixed(u8, text), "Nick") });
    expect(wholeValue(type, "01 0141")).toEqual({ head: { has: 1 }, nick: "A" });
    expect(wholeValue(type, "02")).toEqual({ head: { has: 2 } });
  });
});
