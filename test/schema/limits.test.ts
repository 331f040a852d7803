import { describe, expect, it } from "vitest";
import { messageNotes } from "../../src/dissect/message-notes.js";
import { defaultLimits } from "../../src/limits.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { array, Family, group, polymorphic, rest, struct, u8, within } from "../../src/schema/index.js";
import { u32 } from "../../src/schema/words/little-endian.js";
import { decode, windowOn } from "./support/decoding.js";

const boxes = new Family("boxes", "tag", u8, { nullTag: 0 });
const box = polymorphic(boxes);
boxes.register(struct("Box", { content: box, mark: u8 }, { tag: 1 }), struct("Coin", { value: u8 }, { tag: 2 }));

const limits = { ...defaultLimits, depth: 5, nodes: 20, inflated: 100 };

describe("the limit of depth", () => {
  const nested = (depth: number): string => `${"01".repeat(depth - 1)}02 07 ${"09".repeat(depth - 1)}`;

  it("accepts everything that is not deeper", () => {
    expect(decode(box, nested(5), Extent.Exact, limits).outcome).toBe("ok");
    expect(decode(box, nested(defaultLimits.depth)).outcome).toBe("ok");
  });

  it("keeps what is deeper as bytes", () => {
    const { outcome, value, notes } = decode(box, nested(6), Extent.Exact, limits);
    expect(outcome).toBe("malformed");
    expect(JSON.stringify(value)).toContain('"tag":2,"undissected":"070909090909"');
    expect(notes).toEqual([`${"content.".repeat(5)}tag: content is nested deeper than 5 levels`]);
    expect(decode(box, nested(65)).outcome).toBe("malformed");
  });

  it("applies to structs in structs as well, and affects only a region", () => {
    const deep = struct("A", {
      b: group({ c: group({ d: u8 }) }),
      size: u8,
      e: within("size", group({ f: group({ g: u8 }) })),
      h: u8,
    });
    const { outcome, value, notes } = decode(deep, "01 01 02 03", Extent.Exact, { ...limits, depth: 3 });
    expect([outcome, notes]).toEqual(["ok", []]);
    expect(value).toMatchObject({ e: { f: { g: 2 } } });
    const cut = decode(struct("S", { size: u8, x: within("size", deep), y: u8 }), "04 01010203 09", Extent.Exact, {
      ...limits,
      depth: 3,
    });
    expect(cut.value).toEqual({ size: 4, x: { b: { c: { undissected: "01010203" } } }, y: 9 });
    expect(cut.notes).toEqual(["x.b.c: c is nested deeper than 3 levels"]);
  });

  it("starts over for every value and after every struct", () => {
    const decoder = new Decoder(limits);
    for (let time = 0; time < 10; time++) {
      const bytes = Buffer.from(nested(time % 2 === 0 ? 7 : 5).replace(/ /g, ""), "hex");
      decoder.decode(box, windowOn(bytes), Extent.Exact);
      expect(decoder.nodes.outcome).toBe(time % 2 === 0 ? "malformed" : "ok");
    }
    expect(decode(array(box, 8), nested(4).repeat(8), Extent.Exact, { ...limits, nodes: 200 }).outcome).toBe("ok");
  });

  it("keeps the stack safe", () => {
    const { outcome } = decode(box, `${"01".repeat(100_000)}`);
    expect(outcome).toBe("malformed");
  });
});

describe("the limit of notes", () => {
  const region = group({ size: u8, content: within("size", group({ x: u8 })) });

  it("keeps the first ones, with their paths, and says how many more there would be", () => {
    const { outcome, nodes } = decode(array(region, rest), "020909".repeat(5000));
    const notes = messageNotes(nodes);
    expect(outcome).toBe("malformed");
    expect(notes).toHaveLength(defaultLimits.notes + 1);
    const text = "1 byte left over after the last field";
    expect(notes.slice(0, -1)).toEqual(
      Array.from({ length: 1000 }, (_, index) => {
        return { severity: "warning", path: `[${index}].content.undissected`, text };
      }),
    );
    expect(notes.at(-1)).toEqual({ severity: "note", path: "", text: "4000 more notes are left out" });
    expect(nodes.paths(nodes.notes.map(({ node }) => node))).toEqual(nodes.notes.map(({ node }) => nodes.path(node)));
  });

  it("counts a single extra one, and none for the next message", () => {
    const decoder = new Decoder({ ...limits, nodes: 200, notes: 2 });
    const texts = (elements: number) => {
      decoder.decode(array(region, rest), windowOn(Buffer.from("020909".repeat(elements), "hex")), Extent.Exact);
      return decoder.nodes.notes.map(({ text }) => text);
    };
    expect(texts(3).at(-1)).toBe("1 more note is left out");
    expect(texts(2)).toHaveLength(2);
    expect(texts(4).at(-1)).toBe("2 more notes are left out");
  });
});

describe("the limit of nodes", () => {
  const list = struct("S", { count: u32, list: array(u8, "count"), behind: u8 });

  it("rejects an array that claims more elements", () => {
    const bytes = `15000000 ${"01".repeat(22)}`;
    expect(decode(list, bytes, Extent.Exact, limits)).toMatchObject({
      outcome: "malformed",
      value: { count: 21, list: ["01".repeat(22)] },
      notes: ["list: list: 21 elements are more than the limit of 20"],
    });
  });

  it("ends an array that has more elements", () => {
    const { outcome, nodes, notes } = decode(array(group({ x: u8 }), rest), "01".repeat(30), Extent.Exact, limits);
    expect(outcome).toBe("malformed");
    expect(nodes.count).toBeLessThan(limits.nodes + 4);
    expect(notes).toEqual([expect.stringContaining("the message has more nodes than the limit of 20")]);
  });

  it("applies to arrays of empty elements", () => {
    const nothing = struct("S", { count: u32, list: array(group({}), "count") });
    const nested = struct("S", { list: array(array(array(group({}), 500), 500), 500) });
    const decoder = new Decoder();
    expect(decode(nothing, "ffffff7f").notes).toEqual([
      "list: list: 2147483647 elements are more than the limit of 1000000",
    ]);
    decoder.decode(nested, windowOn(Buffer.alloc(0)), Extent.Exact);
    expect(decoder.nodes.outcome).toBe("malformed");
    expect(decoder.nodes.count).toBeLessThan(1_010_000);
  });
});
