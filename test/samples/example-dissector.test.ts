import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  coded,
  encode,
  Family,
  group,
  polymorphic,
  rest,
  type StructType,
  struct,
  text,
  u8,
  within,
} from "../../src/schema/index.js";
import { decodeWhole } from "../support/check.js";
import { run } from "../support/command-line.js";
import { exampleCapture } from "../support/example-capture.js";
import { sample } from "../support/samples.js";

const WALK_THROUGH = readFileSync(sample("example-dissector/README.md"), "utf8");
const CAPTURE = sample("example-dissector/parley.pcap");

it("the example capture is what its script writes (UPDATE_SAMPLES=1 writes it)", () => {
  if (process.env["UPDATE_SAMPLES"]) writeFileSync(CAPTURE, exampleCapture());
  expect(Buffer.compare(readFileSync(CAPTURE), exampleCapture())).toBe(0);
});

it("every message of the example can be filtered for by name", async () => {
  const args = [CAPTURE, "--dissector", sample("example-dissector/parley.js"), "-e", "message"];
  const names = new Set((await run(args)).stdout.trimEnd().split("\n"));
  expect([...names]).toContain("Unknown");
  for (const name of names) expect(await run([...args, "-Y", name, "-c", "1"])).toMatchObject({ stdout: `${name}\n` });
});

it("the walk-through's variable-length number works, even as a length", () => {
  const [, code = ""] = /```js\n(const varint = .*?)```/s.exec(WALK_THROUGH) ?? [];
  const words = { coded, struct, within, group, text, rest };
  const declare = new Function(...Object.keys(words), `${code}; return Chat;`);
  const chat: StructType<unknown> = declare(...Object.values(words));
  for (const length of [1, 127, 128, 300, 20000]) {
    const value = { length, body: { words: "a".repeat(length) } };
    expect(plainValue(decodeWhole(chat, encode(chat, value)), 0)).toEqual(value);
  }
  for (const length of [-1, 0.5, 2 ** 28]) {
    expect(() => encode(chat, { length, body: { words: "" } })).toThrow("no form for it");
  }
  const { outcome, notes } = decodeWhole(chat, Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0, 0x61));
  expect(outcome).toBe("malformed");
  expect(notes).toMatchObject([{ node: 1, text: "length is longer than four bytes" }]);
});

it("the walk-through's variable-length number works as a tag, too", () => {
  const [, code = ""] = /```js\n(const varint = .*?)```/s.exec(WALK_THROUGH) ?? [];
  const words = { coded, struct, within, group, text, rest };
  const varint = new Function(...Object.keys(words), `${code}; return varint;`)(...Object.values(words));
  const family = new Family("properties", "id", varint);
  family.register(struct("Alias", { alias: u8 }, { tag: 300 }));
  const nodes = decodeWhole(polymorphic(family), Uint8Array.of(0xac, 0x02, 5));
  expect(plainValue(nodes, 0)).toEqual({ class: "Alias", id: 300, alias: 5 });
});
