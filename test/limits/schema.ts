import { deflateSync } from "node:zlib";
import { expect } from "vitest";
import type { Limits } from "../../src/limits.js";
import {
  array,
  equals,
  Family,
  group,
  polymorphic,
  rest,
  type StructType,
  struct,
  u8,
  within,
} from "../../src/schema/index.js";
import { concat } from "../support/packets.js";
import { toyDissector, Word, words } from "../support/toy.js";
import { captured, dissected, type Scenario, talk } from "./scenario.js";

/** The remarks on a message, and what follows it in the same direction. */
async function notesOn(type: StructType<unknown>, bytes: Uint8Array, limits: Partial<Limits>) {
  const tcp = talk();
  const packets = [...tcp.handshake(), tcp.send(0, bytes), tcp.send(0, words("behind"))];
  let isFirst = true;
  const speaker = toyDissector({
    next: () => (isFirst ? { step: "message", type, length: bytes.length } : { step: "message", type: Word }),
    decoded: () => {
      isFirst = false;
    },
  });
  const { lines, notes } = await dissected(captured(packets), limits, { dissectors: [speaker] });
  return { lines, notes };
}

const boxes = new Family("boxes", "tag", u8, { nullTag: 0 });
const box = polymorphic(boxes);
boxes.register(struct("Box", { content: box }, { tag: 1 }), struct("Coin", { value: u8 }, { tag: 2 }));

const packed = deflateSync(Buffer.alloc(100, 7));
const Compressed = struct("Message", {
  how: u8,
  length: u8,
  size: u8,
  data: within("size", group({ list: array(u8, rest) }), {
    when: equals("how", 1),
    literal: 0,
    inflatedLength: "length",
  }),
});

const lines = ["0 c2s Message", "0 c2s behind"];

export const schemaScenarios = {
  depth: {
    value: 3,
    observe: (limits) => {
      const bytes = Uint8Array.of(1, 1, 1, 1, 1, 2, 9);
      return notesOn(struct("Message", { box }), bytes, limits);
    },
    limited: { lines, notes: [expect.stringContaining("is nested deeper than 3 levels")] },
    otherwise: { lines, notes: [] },
  },
  nodes: {
    value: 10,
    observe: (limits) => notesOn(struct("Message", { list: array(u8, rest) }), new Uint8Array(50), limits),
    limited: { lines, notes: [expect.stringContaining("the limit of 10")] },
    otherwise: { lines, notes: [] },
  },
  inflated: {
    value: 99,
    observe: (limits) => notesOn(Compressed, concat(Uint8Array.of(1, 100, packed.length), packed), limits),
    limited: { lines, notes: [expect.stringContaining("the limit is 99")] },
    otherwise: { lines, notes: [] },
  },
  notes: {
    value: 2,
    observe: async (limits) => {
      const list = array(group({ size: u8, region: within("size", group({ x: u8 })) }), rest);
      const bytes = Uint8Array.from({ length: 15 }, (_, index) => (index % 3 === 0 ? 2 : 9));
      return notesOn(struct("Message", { list }), bytes, limits);
    },
    limited: {
      lines,
      notes: [...new Array(2).fill("1 byte left over after the last field"), "3 more notes are left out"],
    },
    otherwise: { lines, notes: new Array(5).fill("1 byte left over after the last field") },
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;
