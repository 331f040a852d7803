import { expect, it } from "vitest";
import { valueLine } from "../../src/output/json/json.js";
import { plainSummary, summaryText } from "../../src/output/text/summary-text.js";
import { array, struct, text, tuple, u8 } from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { f32 } from "../../src/schema/words/little-endian.js";
import { decodeWhole } from "../support/check.js";

function summaryOf(nodes: FieldTree): string {
  return summaryText({ name: "Update", nodes, notes: [], status: "ok", offset: 0, length: nodes.endOf(0) });
}

const flag = struct("Flag", { number: u8.inSummary(), owner: u8.inSummary(), state: u8.inSummary() });

it("the last of the facts that fit a summary has the same name as if others followed, which is said", () => {
  const update = struct("Update", { count: u8, flags: array(flag, "count") });
  const nodes = decodeWhole(update, Uint8Array.of(3, 0, 1, 2, 10, 11, 12, 20, 21, 22));
  expect(summaryOf(nodes)).toBe("number=0, owner=1, state=2, number=10, owner=11, state=12, number=20, …");
  const two = decodeWhole(update, Uint8Array.of(2, 0, 1, 2, 10, 11, 12));
  expect(summaryOf(two)).toBe("number=0, owner=1, state=2, number=10, owner=11, state=12");
});

it("a struct with a fact of its own tells that, and nothing in it tells anything else", () => {
  const fact = (nodes: FieldTree, node: number) => `height=${nodes.numberIn(node, "high")}`;
  const size = struct("Size", { flag, high: u8 }, { label: () => "tall", fact });
  const update = struct("Update", { sizes: tuple([size, size]), id: u8.inSummary() });
  const nodes = decodeWhole(update, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
  expect(summaryOf(nodes)).toBe("height=4, height=8, id=9");
});

it("a fact may come in parts: a number in it has 7 digits, and both are shortened alike", () => {
  const parts = (more: string) => (nodes: FieldTree, node: number) => ["at=(", nodes.number(node + 1), ", ", more, ")"];
  const short = struct("Short", { x: f32 }, { fact: parts("east") });
  const long = struct("Long", { x: f32 }, { fact: parts("ö".repeat(60)) });
  const update = struct("Update", { short, long });
  const bytes = new Uint8Array(8);
  for (const at of [0, 4]) new DataView(bytes.buffer).setFloat32(at, 3.14159274, true);
  expect(summaryOf(decodeWhole(update, bytes))).toBe(
    `Short > Long: at=(3.141593, east), at=(3.141593, ${"ö".repeat(46)}…`,
  );
});

it("of a long text, the beginning is shown, whatever it consists of", () => {
  const note = struct("Note", { size: u8, text: text("size").inSummary() });
  const shown = (said: string) => {
    const bytes = new TextEncoder().encode(said);
    return summaryOf(decodeWhole(note, Uint8Array.of(bytes.length, ...bytes)));
  };
  const plain = "plain text ".repeat(5);
  expect(shown(plain)).toBe(`text="${plain}"`);
  expect(shown(`${plain}12345`)).toBe(`text="${plain}12345"`);
  expect(shown(`${plain}123456`)).toBe(`text="${plain}12345…"`);
  expect(shown(`${plain}1234ö6`)).toBe(`text="${plain}1234ö…"`);
  expect(shown(`${plain}123456ö`)).toBe(`text="${plain}12345…"`);
  expect(shown(`${plain}1234\n6`)).toBe(`text="${plain}1234\\n…"`);
});

it("-0 differs from 0, as in JSON", () => {
  const update = struct("Update", { x: f32.inSummary(), y: f32.inSummary() });
  expect(summaryOf(decodeWhole(update, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80)))).toBe("x=0, y=-0");
});

it("text is as it is where text is data, and harmless where it is shown", () => {
  const note = struct("Note", { size: u8, text: text("size").inSummary() });
  const said = 'a\n"b"\\\u001b[2J\u202e';
  const bytes = new TextEncoder().encode(said);
  const nodes = decodeWhole(note, Uint8Array.of(bytes.length, ...bytes));
  const message = { name: "Note", nodes, notes: [], status: "ok", offset: 0, length: nodes.endOf(0) } as const;
  expect(new TextDecoder().decode(plainSummary(message))).toBe(`text="${said}"`);
  expect(JSON.parse(valueLine(message))).toMatchObject({ summary: `text="${said}"` });
  expect(summaryText(message)).toBe('text="a\\n"b"\\\\u001b[2J\\u202e"');
});
