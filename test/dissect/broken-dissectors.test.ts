import { describe, expect, it } from "vitest";
import type { ConversationDissector, Dissector } from "../../src/dissector/dissector.js";
import { coded, type DecodedTree, struct, u8 } from "../../src/schema/index.js";
import { type Said, Talks } from "../support/talk.js";
import { toyDissector, Word, words } from "../support/toy.js";

/** Third-party dissectors may be plain JavaScript, and wrong in any way: the run continues without them. */

const SAID: readonly Said[] = [
  ["c", words("hello", "there")],
  ["s", words("hi")],
];

/** Accepts conversations that begin with the word "hello", after the broken dissector has been asked. */
const sound = toyDissector({ name: "sound" });

/** A value as it comes from plain JavaScript. */
function untyped(value: unknown): never {
  return value as never;
}

function run(broken: Dissector, ...others: readonly Dissector[]) {
  const talks = new Talks([broken, ...others]);
  for (let talk = 0; talk < 3; talk++) talks.tcp(["192.0.2.2", 1000 + talk], SAID);
  const messages = talks.end();
  return {
    messages: messages.map(({ protocol, direction, name }) => `${protocol} ${direction} ${name}`),
    notes: messages.flatMap(({ notes }) => notes.map(({ text }) => text)),
    errors: talks.errors.map(
      ({ dissector, error }) => `${dissector}: ${error instanceof Error ? error.message : error}`,
    ),
  };
}

const ALL_OF_SOUND = Array.from({ length: 3 }, () => [
  "sound.words c2s Word",
  "sound.words c2s Word",
  "sound.words s2c Word",
]).flat();

describe("a dissector that fails to recognise or to open conversations is reported once, and not asked again", () => {
  const boom = () => {
    throw new Error("boom");
  };

  it.each([
    ["throws in recognise", { recognise: boom }, "bad: boom"],
    [
      "answers nonsense",
      { recognise: () => untyped("perhaps") },
      'bad: recognise() returned perhaps instead of "yes", "no" or "more"',
    ],
    ["answers nothing", { recognise: () => untyped(undefined) }, "bad: recognise() returned undefined"],
    ["throws in open", { open: boom }, "bad: boom"],
    [
      "is async",
      { recognise: () => untyped(Promise.reject(new Error("late"))) },
      "bad: recognise() returned a promise: it must not be async",
    ],
  ])("it %s", (_what, options, error) => {
    const { messages, errors } = run(toyDissector({ name: "bad", ...options }), sound);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(error);
    expect(messages).toEqual(ALL_OF_SOUND);
  });

  it.each([
    ["nothing", undefined, "open() returned no object with a next() method"],
    ["a promise", Promise.resolve({}), "open() returned a promise: it must not be async"],
    ["an empty object", {}, "open() returned no object with a next() method"],
    ["no protocol", { next: () => ({ step: "wait" }) }, "open() returned a conversation without a protocol"],
    [
      "no encryption state",
      { next: () => ({ step: "wait" }), protocol: "x" },
      "open() returned a conversation without an encryptionState",
    ],
    [
      "a protocol of another dissector",
      { ...toyDissector({ name: "bed" }).open(untyped({})) },
      'open() returned a conversation of "bed.words", which is not named after "bad"',
    ],
    [
      "an invalid name scope",
      { ...toyDissector({ name: "bad" }).open(untyped({})), nameScope: 5 },
      "open() returned a conversation whose nameScope is not a string",
    ],
    ...[{ encryption: "rot13" }, { key: "lost" }, { keySource: 5 }].map((odd): [string, unknown, string] => {
      const conversation = toyDissector({ name: "bad" }).open(untyped({}));
      const encryptionState = { ...conversation.encryptionState, ...odd };
      const error = "the encryptionState of a conversation is not { encryption, key, keySource }";
      return [`an odd ${Object.keys(odd)}`, { ...conversation, encryptionState }, error];
    }),
  ])("it opens %s", (_what, opened, error) => {
    const { messages, errors } = run({ ...toyDissector({ name: "bad" }), open: () => untyped(opened) }, sound);
    expect(errors).toEqual([`bad: ${error}`]);
    expect(messages).toEqual(ALL_OF_SOUND);
  });
});

describe("a dissector that fails in a conversation ends that direction only", () => {
  const empty = struct("Empty", {});

  it.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      "boom",
    ],
    [
      "throws something that is not an error",
      () => {
        throw "text";
      },
      "text",
    ],
    ["gives nothing", () => undefined, "next() returned undefined instead of a step"],
    ["gives a step of an unknown kind", () => ({ step: "jump" }), "next() returned a step of an unknown kind: jump"],
    ["gives a message without a type", () => ({ step: "message" }), "the type of a message is not made by struct()"],
    [
      "gives a type that is not a struct",
      () => ({ step: "message", type: u8 }),
      "the type of a message is not made by struct()",
    ],
    [
      "gives no reason",
      () => ({ step: "malformed", name: "Odd", head: Word }),
      "next() returned undefined as the reason of a step",
    ],
    [
      "gives no name",
      () => ({ step: "unknown", head: Word, reason: "odd" }),
      "next() returned undefined as the name of a step",
    ],
    ["gives no reason why", () => ({ step: "encrypted" }), "next() returned undefined as the reason of a step"],
    ["gives no bytes to wait for", () => ({ step: "more", bytes: "all" }), "next() asked for all bytes"],
    [
      "gives a message of negative length",
      () => ({ step: "message", type: Word, length: -1 }),
      "a message of -1 bytes",
    ],
    ["gives a message of half a byte", () => ({ step: "message", type: Word, length: 0.5 }), "a message of 0.5 bytes"],
    [
      "gives messages without bytes for ever",
      () => ({ step: "message", type: empty }),
      "Empty takes 0 bytes: a message takes at least one",
    ],
    ["gives a message of no bytes", () => ({ step: "message", type: Word, length: 0 }), "a message of 0 bytes"],
  ])("it %s", (_what, next, error) => {
    const { messages, notes, errors } = run(toyDissector({ name: "bad", next: () => untyped(next()) }));
    expect(errors).toHaveLength(6);
    for (const found of errors) expect(found).toContain(`bad: `);
    expect(errors[0]).toContain(error);
    expect(messages).toEqual(
      Array.from({ length: 3 }, () => ["bad.words c2s skipped", "bad.words s2c skipped"]).flat(),
    );
    expect(notes[0]).toBe('12 bytes were skipped: no longer dissected after an error in the dissector "bad"');
  });

  it("it waits for bytes that never arrive", () => {
    const { errors, notes } = run(
      toyDissector({ name: "bad", next: () => ({ step: "more", bytes: Number.MAX_SAFE_INTEGER }) }),
    );
    expect(errors).toEqual([]);
    expect(notes[0]).toContain("12 bytes were skipped");
  });

  it("both directions wait for each other", () => {
    const { errors, notes } = run(toyDissector({ name: "bad", next: () => ({ step: "wait" }) }));
    expect(errors).toEqual([]);
    expect(notes).toHaveLength(6);
  });

  it("it asks for a search wherever a search has found something", () => {
    const { errors } = run(
      toyDissector({ name: "bad", next: () => ({ step: "search" }), candidate: () => ({ type: Word, bits: 60 }) }),
    );
    expect(errors).toHaveLength(6);
    expect(errors[0]).toBe("bad: next() asks for a search where a search has found a message");
  });

  it.each([
    ["a number", 5, 'returned 5 instead of { type, length, bits }, "more" or undefined'],
    ["null", null, "returned null instead of"],
    ["a promise", Promise.resolve(undefined), "returned a promise: it must not be async"],
    ["no type", { bits: 60 }, "the type of a message is not made by struct() or derive()"],
    ["no bits", { type: Word }, "returned undefined as the bits of a message"],
    ["a negative length", { type: Word, bits: 60, length: -1 }, "returned a message of -1 bytes"],
  ])("it finds %s", (_what, candidate, error) => {
    const { errors } = run(
      toyDissector({ name: "bad", next: () => ({ step: "search" }), candidate: () => untyped(candidate) }),
    );
    expect(errors).toHaveLength(6);
    expect(errors[0]).toContain(error);
  });

  it("it reports a message of no bytes wherever it finds one", () => {
    const nothing = struct("Nothing", {});
    let asked = 0;
    const dissector = toyDissector({
      name: "bad",
      next: () => {
        if (++asked > 100) throw new Error("asked without end");
        return { step: "unknown", name: "Nothing", head: nothing, reason: "odd" };
      },
      candidate: () => ({ type: struct("One", { one: u8 }), bits: 60 }),
    });
    const { errors, notes } = run(dissector);
    expect(errors).toEqual([]);
    expect(notes).toContain("12 bytes were skipped: no message can be found after Nothing, whose end is not known");
  });

  it.each(["decoded", "assembled", "candidate"] as const)("it throws in %s", (member) => {
    const boom = () => {
      throw new Error("boom");
    };
    const inner = toyDissector({ name: "bad" });
    const dissector: Dissector = {
      ...inner,
      open: (handle): ConversationDissector => ({ ...inner.open(handle), [member]: boom }),
    };
    const { errors } = run(dissector);
    expect(errors.every((error) => error === "bad: boom")).toBe(true);
    expect(errors).toHaveLength(member === "candidate" ? 0 : 6);
  });

  it.each(["next", "decoded", "assembled"] as const)("%s() is async, and fails after it has returned", (member) => {
    const inner = toyDissector({ name: "bad" });
    const late = async () => {
      throw new Error("boom");
    };
    const { errors } = run({ ...inner, open: (handle) => untyped({ ...inner.open(handle), [member]: late }) });
    expect(errors).toEqual(Array(6).fill(`bad: ${member}() returned a promise: it must not be async`));
  });

  it.each<[string, (nodes: DecodedTree) => void, string]>([
    ["annotates a field that is absent", (nodes) => nodes.annotate(-1, "x"), "annotated node -1, which does not exist"],
    [
      "annotates a node after the last one",
      (nodes) => nodes.annotate(3, "x"),
      "annotated node 3, which does not exist",
    ],
    ["notes a missing node", (nodes) => nodes.note("ok", "error", 3, "x"), "an invalid note (node, severity or text)"],
    ["notes an unknown severity", (nodes) => nodes.note("ok", untyped("fatal"), 0, "x"), "an invalid note"],
    ["notes a number", (nodes) => nodes.note("ok", "error", 0, untyped(5)), "an invalid note"],
    ["notes an unknown outcome", (nodes) => nodes.note(untyped("bad"), "error", 0, "x"), "a note with the outcome bad"],
    [
      "gives an invalid time",
      (nodes) => {
        const answer = { number: 1, name: "Word", milliseconds: Number.NaN, isFirst: true, isPing: false };
        nodes.context = { answers: answer };
      },
      "set an invalid context",
    ],
    [
      "asks with a number",
      (nodes) => {
        nodes.context = { asks: untyped(1) };
      },
      "set an invalid context",
    ],
    [
      "calls the ids of players by a number",
      (nodes) => {
        nodes.context = { player: { kind: "player", id: "7", idTitle: untyped(5) } };
      },
      "set an invalid context",
    ],
    [
      "asks without a name",
      (nodes) => {
        nodes.context = { asks: "" };
      },
      "set an invalid context",
    ],
  ])("it %s", (_what, decoded, error) => {
    const inner = toyDissector({ name: "bad" });
    const { errors } = run({
      ...inner,
      open: (handle) => ({ ...inner.open(handle), decoded: (_direction, _type, nodes) => decoded(nodes) }),
    });
    expect(errors).toHaveLength(6);
    expect(errors[0]).toContain(error);
  });

  it.each([
    ["nonsense", { type: 5 }, "something other than { type, bytes, parts }"],
    ["an array", [{ type: Word, bytes: new Uint8Array(1), parts: [] }], "something other than { type, bytes, parts }"],
    ["no bytes", { type: Word, bytes: [1, 65], parts: [] }, "something other than { type, bytes, parts }"],
    ["no parts", { type: Word, bytes: new Uint8Array(1) }, "something other than { type, bytes, parts }"],
    ["odd parts", { type: Word, bytes: new Uint8Array(1), parts: [1] }, "something other than { type, bytes, parts }"],
    ["no type", { bytes: new Uint8Array(1), parts: [] }, "not made by struct() or derive()"],
  ])("it assembles %s", (_what, assembled, error) => {
    const inner = toyDissector({ name: "bad" });
    const dissector: Dissector = {
      ...inner,
      open: (handle): ConversationDissector => ({ ...inner.open(handle), assembled: () => untyped(assembled) }),
    };
    const { errors } = run(dissector);
    expect(errors).toHaveLength(6);
    expect(errors[0]).toContain(error);
  });

  it("a leaf claims an impossible place", () => {
    const inner = toyDissector({ name: "bad" });
    const leaf = { measure: () => Number.NaN, read: () => "", write: () => new Uint8Array(0) };
    const type = struct("Lost", { word: coded("lost", leaf) });
    const { errors } = run({
      ...inner,
      open: (handle) => ({ ...inner.open(handle), next: () => ({ step: "message", type }) }),
    });
    expect(errors[0]).toContain("word: the codec measured NaN bytes");
  });
});
