import { expect, it } from "vitest";
import { isAssembled } from "../../src/dissect/message.js";
import { dissectCaptures, type Message } from "../../src/index.js";
import { Extent } from "../../src/schema/decode/window.js";
import { StructType } from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { isSensitive } from "../../src/schema/language/sensitive.js";
import { gatherSecrets, scrubMessage } from "../../src/scrub/scrub-message.js";
import { Secrets } from "../../src/scrub/secrets.js";
import { forEachLeaf } from "../../src/scrub/walk.js";
import { UnwritableError } from "../../src/scrub/written-leaf.js";
import { decodeWhole } from "../support/check.js";
import { SESSIONS, sample } from "../support/samples.js";

/** Fewer bytes in a row turn up by chance. */
const SHORTEST = 6;
/** Longer messages are cut at a selection of offsets. */
const MOST_CUTS = 90;
/** More kinds of messages than this have a secret in the samples. */
const SECRET_KINDS = 35;

interface Sent {
  readonly name: string;
  readonly type: StructType<unknown>;
  readonly bytes: Uint8Array;
}

/** The messages of earlier samples, by kind and length. */
const known = new Set<string>();

/** One message of each kind and length in a sample that no earlier one has. */
async function messagesOf(name: string): Promise<Sent[]> {
  const sent = new Map<string, Sent>();
  const keys = /-session/.test(name) ? [sample(`${name.replace(/\.pcap(?:ng)?$/, "")}.keys`)] : [];
  const listener = (message: Message) => {
    const struct = message.nodes?.field(0).struct;
    if (message.nodes === undefined || struct === undefined || message.status !== "ok" || isAssembled(message)) return;
    const bytes = Uint8Array.from(message.nodes.bytes(0));
    const key = `${message.name} ${bytes.length}`;
    if (!known.has(key)) sent.set(key, { name: message.name, type: new StructType(struct), bytes });
  };
  await dissectCaptures([sample(name)], { keys }, listener);
  for (const key of sent.keys()) known.add(key);
  return [...sent.values()];
}

/** The places of private bytes in a message, and of those that no declaration explains. */
function privateIn(nodes: FieldTree): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  forEachLeaf(nodes, (leaf, kind) => {
    if (!isSensitive(kind) || nodes.sourceIndexOf(leaf) !== 0 || nodes.field(leaf).isHttp) return;
    found.push({ start: nodes.startOf(leaf), end: nodes.endOf(leaf) });
  });
  return found;
}

/** What is written of the beginning of a message, by somebody who has seen no more of it; nothing if it is left out. */
function written({ type, bytes }: Sent, end: number): Uint8Array {
  const nodes = decodeWhole(type, Uint8Array.from(bytes.subarray(0, end)), undefined, Extent.Cut);
  if (nodes.outcome === "malformed") return new Uint8Array(0);
  const secrets = new Secrets(Buffer.from("a salt for tests"));
  gatherSecrets(nodes, new Set(), secrets);
  try {
    return scrubMessage(nodes, new Set(), secrets).bytes;
  } catch (error) {
    if (error instanceof UnwritableError) return new Uint8Array(0);
    throw error;
  }
}

it("a message that was cut has no part of a secret, wherever it was cut", async () => {
  const found: string[] = [];
  const searched = new Map<string, number>();
  for (const name of SESSIONS) {
    for (const message of await messagesOf(name)) {
      const secret = privateIn(decodeWhole(message.type, Uint8Array.from(message.bytes)));
      const step = Math.max(1, Math.ceil(message.bytes.length / MOST_CUTS));
      for (let end = 1; end <= message.bytes.length; end += step) {
        const after = Buffer.from(written(message, end));
        for (const place of secret) {
          const part = message.bytes.subarray(place.start, Math.min(place.end, end));
          // Zeros and other fillings are no secrets.
          if (part.length < SHORTEST || new Set(part).size < SHORTEST - 1) continue;
          searched.set(message.name, (searched.get(message.name) ?? 0) + 1);
          if (!after.includes(Buffer.from(part))) continue;
          found.push(`${name}: ${message.name} cut at ${end}: ${place.start} to ${place.end}`);
        }
      }
    }
  }
  expect(found).toEqual([]);
  expect(searched.size).toBeGreaterThan(SECRET_KINDS);
  expect([...searched.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(5000);
}, 120_000);
