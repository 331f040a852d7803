import { expect, test } from "vitest";
import { Fnv1a } from "../../src/common/fnv1a.js";
import { payloadIdText } from "../../src/dissect/payload-id.js";
import { dissectCaptures } from "../../src/platform/node/library.js";
import { sample } from "../support/samples.js";

/** FNV-1a of 64 bits, from its definition. */
function fnv1a(bytes: Uint8Array): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

const made = Uint8Array.from({ length: 10_240 }, (_, index) => index & 0xff);

test.each([
  ["nothing", "", "cbf29ce484222325"],
  ["a letter", "a", "af63dc4c8601ec8c"],
  ["a word", "foobar", "85944171f73967e8"],
])("is what the authors of FNV-1a publish: %s", (_name, text, expected) => {
  const hash = new Fnv1a();
  const bytes = new TextEncoder().encode(`-${text}-`);
  hash.hash(bytes, 1, bytes.length - 1);
  expect(Buffer.from(hash.digest).toString("hex")).toBe(expected);
});

test("is what the definition gives, at any length", () => {
  const hash = new Fnv1a();
  for (const length of [1, 2, 255, 256, 257, made.length]) {
    hash.hash(made, 0, length);
    expect(Buffer.from(hash.digest).toString("hex")).toBe(fnv1a(made.subarray(0, length)));
  }
});

/** The id and name of each message of a capture, and what the definition gives for its bytes. */
async function idsOf(name: string): Promise<{ readonly ids: readonly string[]; readonly defined: readonly string[] }> {
  const [ids, defined]: [string[], string[]] = [[], []];
  await dissectCaptures([sample(name)], {}, (message) => {
    ids.push(`${message.name} ${payloadIdText(message) ?? "none"}`);
    const bytes = message.nodes?.bytes(0);
    if (bytes?.length === message.length) defined.push(`${message.name} ${fnv1a(bytes)}`);
  });
  return { ids, defined };
}

test("is the same for a message in two recordings, and that of its bytes after decryption", async () => {
  const { ids, defined } = await idsOf("nagus-session.pcap");
  const again = await idsOf("nagus-session.any.pcap");
  expect(ids.length).toBeGreaterThan(400);
  expect([...again.ids].sort()).toEqual([...ids].sort());
  expect(ids.filter((id) => !defined.includes(id))).toEqual([]);
});
