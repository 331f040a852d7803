import { describe, expect, it } from "vitest";
import { NormalForms } from "../../src/check/index.js";
import type { Json } from "../../src/common/json.js";
import {
  array,
  bool,
  bytes,
  choice,
  Family,
  flags,
  group,
  polymorphic,
  resolved,
  type StructType,
  struct,
  tuple,
  u8,
  within,
} from "../../src/schema/index.js";
import { line, MESSAGES } from "./support.js";

/** Returns a function that gives what is compared of a message with these fields. */
function formsOf(type: StructType<unknown>) {
  const forms = new NormalForms([type.struct]);
  return (fields: Readonly<Record<string, Json>>) => forms.of(line(type.struct.name, fields));
}

describe("a length that follows from what it counts", () => {
  const forms = new NormalForms(MESSAGES);
  const propagated = (buffer: Readonly<Record<string, Json>>) =>
    forms.of(line("Game2Cli_PropagateBuffer", { messageType: 2, buffer }))?.form;

  it("may count inflated bytes, or one of several forms", () => {
    const stream = (uncompressedLength: number) =>
      propagated({ class: "plNetMsgLoadClone", stream: { uncompressedLength } });
    expect(stream(300)).toBe(stream(200));
    const list = (compressedLength: number) =>
      propagated({ class: "plLinkingMgrMsg", arguments: { flags: ["kCompressed"], compressedLength } });
    expect(list(300)).toBe(list(200));
  });

  it("may count bytes within others", () => {
    const form = formsOf(struct("Toy", { size: u8, count: u8, data: within("size", bytes("count")) }));
    expect(form({ size: 3, count: 2, data: "aabb" })?.form).toBe(form({ size: 4, count: 1, data: "aabb" })?.form);
    expect(form({ size: 3, count: 2, data: "aabb" })?.form).not.toBe(form({ size: 3, count: 2, data: "aa" })?.form);
  });
});

it("a choice is known by its form if JSON omits its selector: a tuple from a number", () => {
  const kinds = flags(u8, { kPair: 1 });
  const pair = tuple([u8.standsFor("thing"), u8]);
  const form = formsOf(struct("Toy", { kinds, value: choice({ field: "kinds", mask: 1 }, { 1: pair }, u8) }));
  expect(form({ kinds: ["kPair"], value: [17, 3] })?.labels).toEqual(["17"]);
  expect(form({ kinds: [], value: 17 })?.labels).toEqual([]);
});

it("a choice may depend on a truth", () => {
  const value = choice("isThing", { 1: u8.standsFor("thing") }, u8);
  const form = formsOf(struct("Toy", { isThing: bool, value }));
  expect(form({ isThing: true, value: 17 })?.labels).toEqual(["17"]);
  expect(form({ isThing: false, value: 17 })?.labels).toEqual([]);
});

it("members of a family without names of classes are known by their tags", () => {
  const family = new Family("Part", "kind", u8, { closed: true });
  family.register(group({ id: u8.standsFor("thing") }, { tag: 1 }), group({ id: u8 }, { tag: 2 }));
  const form = formsOf(struct("Toy", { part: polymorphic(family) }));
  expect(form({ part: { kind: 1, id: 17 } })?.labels).toEqual(["17"]);
  expect(form({ part: { kind: 2, id: 17 } })?.labels).toEqual([]);
  expect(form({ part: { kind: 3, id: 17 } })?.labels).toEqual([]);
  expect(form({ part: { id: 17 } })?.labels).toEqual([]);
});

it("what varies as a whole is compared only for being there", () => {
  const form = formsOf(struct("Toy", { times: array(u8, 2).varies() }));
  expect(form({ times: [1, 2] })?.form).toBe(form({ times: [3, 0] })?.form);
  expect(form({ times: [1, 2] })?.form).not.toBe(form({ times: [0, 0] })?.form);
});

it("what a resolver may find is known by its fields", () => {
  const timed = struct("Timed", { time: u8.varies(), thing: u8.standsFor("thing") });
  const thing = struct("Thing", { id: u8.standsFor("thing") });
  const form = formsOf(
    struct("Toy", {
      kind: u8,
      value: resolved(() => timed, { candidates: [struct("Named", { name: u8 }), timed], parts: [thing] }),
    }),
  );
  const forms = [1, 2].map((time) => form({ kind: 1, value: { time, thing: 17 } }));
  expect(forms[0]?.form).toBe(forms[1]?.form);
  expect(forms[0]?.labels).toEqual(["17"]);
  expect(form({ kind: 2, value: { name: 17 } })?.labels).toEqual([]);
  expect(form({ kind: 3, value: { thing: 17, other: 1 } })?.labels).toEqual([]);
  expect(form({ kind: 4, value: { other: [{ id: 17 }] } })?.labels).toEqual(["17"]);
  expect(form({ kind: 5, value: { other: [{ time: 1, thing: 17 }] } })?.labels).toEqual([]);
});
