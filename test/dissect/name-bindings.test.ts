import { describe, expect, it } from "vitest";
import type { ConversationDissector, Dissector } from "../../src/dissector/dissector.js";
import { encode } from "../../src/schema/encode/encode.js";
import {
  derive,
  group,
  type Infer,
  type NameBinding,
  reference,
  type StructType,
  struct,
  text,
  u8,
  within,
} from "../../src/schema/index.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { dissectConversation } from "../support/streams.js";

const thing = reference(u8, "first", "second");

/** A protocol with one message; the test decides what it introduces. */
function protocol(introduces: NameBinding | readonly NameBinding[]) {
  const base = struct("base", { kind: u8, id: thing, name: text(4) }, { introduces });
  return derive("message", base, { other: thing }, { introduces: { kind: "second", id: "other", name: "name" } });
}

type Message = Infer<ReturnType<typeof protocol>>;

/** The labels of the fields `id` and `other` of each message. */
function labels(introduces: NameBinding | readonly NameBinding[], said: readonly Message[]) {
  return labelsOf(protocol(introduces), said, ["id", "other"]);
}

/** The labels of fields of each message. */
function labelsOf<V>(type: StructType<V>, said: readonly NoInfer<V>[], fields: readonly string[]) {
  const speaker: ConversationDissector = {
    protocol: "test",
    encryptionState: { encryption: "none", key: "not-needed", keySource: "" },
    next: () => ({ step: "message", type }),
  };
  const dissector: Dissector = {
    name: "test",
    protocols: ["test"],
    types: new Map(),
    recognise: () => "yes",
    open: () => speaker,
  };
  const bytes = said.map((message) => ({ direction: "c2s" as const, bytes: encode(type, message) }));
  return dissectConversation(dissector, bytes).map(({ nodes }) => {
    return nodes && fields.map((name) => labelOf(nodes, nodes.child(0, name)));
  });
}

const first: NameBinding = { kind: "first", id: "id", name: "name" };
const message = (kind: number, id: number, name: string, other: number): Message => ({ kind, id, name, other });

describe("what a struct introduces", () => {
  it("includes what its base introduces", () => {
    expect(labels(first, [message(0, 1, "one", 2), message(0, 2, "two", 1)])).toEqual([
      ["one", "one"],
      ["two", "one"],
    ]);
    expect(labels([], [message(0, 1, "one", 2), message(0, 2, "two", 1)])).toEqual([
      [undefined, "one"],
      ["one", "two"],
    ]);
  });

  it("may depend on a field", () => {
    const when = { field: "kind", is: 1 };
    expect(labels({ ...first, when }, [message(0, 1, "one", 9), message(1, 1, "uno", 9)])).toEqual([
      [undefined, "one"],
      ["uno", "uno"],
    ]);
  });

  it("may be in structs inside it, and in what a length counts", () => {
    const head = group({ about: struct("About", { kind: u8, id: u8 }) });
    const body = within("length", group({ other: thing, name: text(4) }));
    const introduces: NameBinding = {
      kind: "first",
      id: "head.about.id",
      name: "body.name",
      when: { field: "head.about.kind", is: 1 },
    };
    const type = struct("message", { head, id: thing, length: u8, body }, { introduces });
    const said = (kind: number, id: number, name?: string) => {
      return {
        head: { about: { kind, id } },
        id,
        length: name === undefined ? 0 : 5,
        ...(name && { body: { other: 7, name } }),
      };
    };
    const messages = [said(0, 1, "none"), said(1, 1, "one"), said(1, 2), said(1, 2, "two"), said(1, 1)];
    expect(labelsOf(type, messages, ["id"]).flat()).toEqual([undefined, "one", undefined, "two", "one"]);
  });

  it("does not apply to a number that refers to nothing", () => {
    expect(labels({ ...first, except: 0 }, [message(0, 0, "zero", 9), message(0, 1, "one", 9)])).toEqual([
      [undefined, "zero"],
      ["one", "one"],
    ]);
  });

  it.each([
    ["provisional", { provisional: true }],
    ["makeshift, as this was once called", { makeshift: true }],
  ])("gives way to a better name if it is only %s", (_, option) => {
    const introduces: NameBinding[] = [
      { ...first, when: { field: "kind", is: 1 } },
      { ...first, ...option },
    ];
    const said = [message(0, 1, "poor", 9), message(1, 1, "good", 9), message(0, 1, "poor", 9)];
    expect(labels(introduces, said).map((both) => both?.[0])).toEqual(["poor", "good", "good"]);
  });

  it("may be computed, and may be missing", () => {
    const name: NameBinding["name"] = (nodes, node) =>
      nodes.numberIn(node, "kind") === 1 ? `number ${nodes.numberIn(node, "id")}` : undefined;
    expect(labels({ ...first, name }, [message(0, 1, "one", 9), message(1, 1, "one", 9)])).toEqual([
      [undefined, "one"],
      ["number 1", "one"],
    ]);
  });
});
