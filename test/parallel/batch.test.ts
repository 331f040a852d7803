import { describe, expect, it } from "vitest";
import { type Dissector, defaultLimits, type Message } from "../../src/index.js";
import { jsonTreeLine } from "../../src/output/json/json.js";
import { BatchReader } from "../../src/parallel/batch-reader.js";
import { BatchWriter } from "../../src/parallel/batch-writer.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { bytes, resolved, rest, type StructType, struct, text, u8 } from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import type { DecodedTree } from "../../src/schema/language/field-tree.js";
import type { MessageContext } from "../../src/schema/language/message-context.js";
import { u32 } from "../../src/schema/words/little-endian.js";
import { NameBook } from "../../src/session/name-book.js";
import { conversation } from "../support/made-captures.js";
import { toyDissector, Word, words } from "../support/toy.js";

/** What a thread reads in a batch is what another one has put into it. */

const Blob = struct("Blob", { content: bytes(rest) });
const Move = struct("Move", { x: u32 });
const Chat = struct("Chat", { words: text(4) });
/** Its content depends on a name that the traffic has shown. */
const Game = struct("Game", {
  id: u8,
  content: resolved((member, _settings, nameOf) => (nameOf("game", String(member("id"))) === "chess" ? Move : Chat)),
});

const TYPES: readonly StructType<unknown>[] = [Word, Blob, Game];
const toy: Dissector = { ...toyDissector(), types: new Map(TYPES.map((type) => [type.struct.name, type])) };
const names = new NameBook(defaultLimits, () => {});

/** Conversations by their numbers: messages of one share it. */
const conversations = new Map<number, Message["conversation"]>();

function message(
  type: StructType<unknown>,
  content: Uint8Array,
  number = 1,
  stream = 0,
  add: (nodes: DecodedTree) => void = () => {},
): Message {
  const decoder = new Decoder(defaultLimits);
  decoder.names = names;
  decoder.decode(type, { bytes: content, view: viewOf(content), start: 0, end: content.length }, Extent.Exact);
  add(decoder.nodes);
  const origin = { frame: number, seconds: 1_700_000_000, nanoseconds: number };
  const its = conversations.get(stream) ?? conversation(stream);
  conversations.set(stream, its);
  return {
    number,
    origin,
    frames: [number, number + 2],
    conversation: its,
    direction: number % 2 === 0 ? "c2s" : "s2c",
    protocol: "toy.words",
    name: type.struct.name,
    status: "ok",
    nodes: decoder.nodes,
    offset: 10 * number,
    length: content.length,
    notes: [],
  };
}

function lineOf(message: Message): string {
  return jsonTreeLine(message);
}

/** The lines and texts of what a writer has collected, and the errors. */
function read(reader: BatchReader, writer: BatchWriter): string[] {
  const lines: string[] = [];
  reader.read(structuredClone(writer.batch), {
    message: (message) => lines.push(lineOf(message)),
    text: (bytes) => lines.push(Buffer.from(bytes).toString()),
    failed: ({ error, dissector, stream, offset }) => lines.push(`${dissector} ${stream} ${offset}: ${error}`),
  });
  return lines;
}

function newReader(dissectors: readonly Dissector[] = [toy]): BatchReader {
  return new BatchReader(defaultLimits, dissectors, new Map());
}

describe("a batch of messages", () => {
  it("is read as it was written, with texts in between", () => {
    const writer = new BatchWriter();
    writer.begin(undefined);
    const first = message(Word, words("hello"), 1);
    const second = message(Word, words("world"), 2, 7);
    expect([
      writer.message(first, "toy"),
      writer.text(Buffer.from("printed ö\n")),
      writer.message(second, "toy"),
    ]).toEqual([true, true, true]);
    expect(read(newReader(), writer)).toEqual([lineOf(first), "printed ö\n", lineOf(second)]);
  });

  it("has what a dissector has annotated", () => {
    const writer = new BatchWriter();
    writer.begin(undefined);
    const answer = message(Word, words("yes"), 1, 0, (nodes) => nodes.annotate(0, "#1, 2 ms"));
    writer.message(answer, "toy");
    expect(lineOf(answer)).toContain("2 ms");
    expect(read(newReader(), writer)).toEqual([lineOf(answer)]);
  });

  it("has the context of each message, even if a dissector uses one object for all", () => {
    const writer = new BatchWriter();
    const reader = newReader();
    const referent = { kind: "player", id: "7", idTitle: "KI number" };
    const answer = { number: 1, name: "Ask", milliseconds: 2, isFirst: true, isPing: false };
    const states: readonly MessageContext[] = [
      { player: referent },
      { player: referent },
      { player: { ...referent, id: "8" } },
      { player: referent },
      { player: referent, place: { kind: "age", id: "9" } },
      { asks: true },
      { asks: "Ask" },
      { answers: answer },
      { answers: { ...answer, number: 3 } },
      { forgets: { number: 4, name: "Ask" } },
      { error: "refused" },
      {},
    ];
    const one: MessageContext = {};
    for (let batch = 0; batch < 2; batch++) {
      writer.begin(undefined);
      for (const state of states) {
        for (const key of Object.keys(one)) Reflect.deleteProperty(one, key);
        Object.assign(one, state, { secret: () => state });
        const set = (nodes: DecodedTree) => {
          nodes.context = one;
        };
        writer.message(message(Word, words("hello"), 1, 0, set), "toy");
      }
      const seen: unknown[] = [];
      reader.read(structuredClone(writer.batch), {
        message: ({ nodes }) => seen.push(nodes?.context),
        text: () => {},
        failed: ({ error }) => seen.push(error),
      });
      expect(seen).toEqual(states);
    }
  });

  it("decodes each message with the names that were known before it", () => {
    const writer = new BatchWriter();
    writer.begin(undefined);
    const content = Buffer.from("\x05abcd");
    const unnamed = message(Game, content, 1);
    writer.message(unnamed, "toy");
    const expected = [lineOf(unnamed)];
    for (const [name, number] of [
      ["chess", 2],
      [undefined, 3],
    ] as const) {
      const change = { kind: "game", id: "5", name };
      names.apply(change);
      writer.change({ dissector: "toy", change });
      const next = message(Game, content, number);
      writer.message(next, "toy");
      expected.push(lineOf(next));
    }
    expect(expected.map((line) => line.includes("Move"))).toEqual([false, true, false]);
    expect(read(newReader(), writer)).toEqual(expected);
  });

  it("remembers only so many conversations from batch to batch", () => {
    const writer = new BatchWriter();
    const reader = newReader();
    let memory: SharedArrayBuffer | undefined;
    for (let batch = 0; batch < 12; batch++) {
      const expected: string[] = [];
      writer.begin(memory);
      while (!writer.isFull) {
        const number = batch * 256 + expected.length + 1;
        // Each of them comes again in the same batch, in the next one, and after it was forgotten.
        const stream = (number % 100) + 100 * (batch % 11) * Number(number % 3 > 0) + 1100 * (number % 2);
        const next = message(Word, words(String(number)), number, stream);
        writer.message(next, "toy");
        expected.push(lineOf(next));
      }
      memory = writer.batch.memory;
      expect(read(reader, writer)).toEqual(expected);
    }
  });

  it("holds a long message if there is nothing else in it, but not one of any length", () => {
    const writer = new BatchWriter();
    const long = message(Blob, new Uint8Array(1_000_000).fill(7));
    const short = message(Word, words("short"));
    const reader = newReader();
    writer.begin(undefined);
    expect([writer.message(short, "toy"), writer.message(long, "toy")]).toEqual([true, false]);
    expect(read(reader, writer)).toEqual([lineOf(short)]);
    writer.begin(undefined);
    expect([writer.message(long, "toy"), writer.message(long, "toy")]).toEqual([true, false]);
    expect(read(reader, writer)).toEqual([lineOf(long)]);
    writer.begin(undefined);
    expect(writer.message(message(Blob, new Uint8Array(3_000_000)), "toy")).toBe(false);
  });

  it("does not show a message that the other thread decodes to something else", () => {
    const writer = new BatchWriter();
    writer.begin(undefined);
    const after = message(Word, words("after"), 4);
    writer.message(message(Word, words("before"), 3), "toy");
    writer.message(after, "toy");
    const other = { ...toy, types: new Map([["Word", Blob]]) };
    const why = "TypeError: Word is not declared alike in all threads";
    expect(read(newReader([other]), writer)).toEqual([`toy 0 30: ${why}`, `toy 0 40: ${why}`]);
    expect(read(newReader([]), writer)).toEqual([`toy 0 30: ${why}`, `toy 0 40: ${why}`]);
  });
});
