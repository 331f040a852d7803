import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextOutput } from "../../../src/cli/text-output.js";
import { type PieceOrigin, PrintedOrder } from "../../../src/cli/threads/printed-order.js";

/** What helpers report and what this thread does may happen in any order: the output stays in order. */

/** What happens to one block. */
interface Planned {
  readonly isOurs: boolean;
  /** The texts of its messages, some of which may have none. */
  readonly texts: readonly string[];
}

const planned = fc.array(
  fc.record({ isOurs: fc.boolean(), texts: fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 }) }),
  { maxLength: 12 },
);

interface Started {
  readonly order: PrintedOrder;
  /** Where what helpers print comes from. */
  readonly helper: PieceOrigin;
  readonly text: () => string;
  /** The bytes that a helper has printed and that have been written. */
  readonly written: () => number;
}

function started(): Started {
  const stream = new PassThrough({ highWaterMark: 1e9 });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  let written = 0;
  const output = TextOutput.on(stream);
  const order = new PrintedOrder(output);
  const helper: PieceOrigin = {
    written: (bytes) => {
      written += bytes;
    },
    giveBack: () => {},
  };
  const text = () => {
    output.flush();
    return Buffer.concat(chunks).toString("utf8");
  };
  return { order, helper, text, written: () => written };
}

/** What this thread does, and what helpers do, each in its own order. */
function deeds({ order, helper }: Started, blocks: readonly Planned[]): readonly [(() => void)[], (() => void)[]] {
  const ours: (() => void)[] = [];
  const theirs: (() => void)[] = [];
  let message = 0;
  for (const [number, { isOurs, texts }] of blocks.entries()) {
    for (const text of texts) {
      const its = ++message;
      ours.push(() => {
        order.reach(its, number, isOurs);
        if (isOurs) order.write(text);
      });
      if (!isOurs) theirs.push(() => order.came(number, new TextEncoder().encode(text), helper));
    }
    const last = message;
    if (!isOurs) theirs.push(() => order.ended(number, last));
  }
  ours.push(() => order.end());
  return [ours, theirs];
}

function play([ours, theirs]: readonly [(() => void)[], (() => void)[]], turns: readonly boolean[]): void {
  for (const isOurs of turns) (isOurs ? ours : theirs).shift()?.();
  for (const deed of [...ours, ...theirs]) deed();
}

describe("what several threads print", () => {
  it("is written in the order of the messages, whichever thread is faster", async () => {
    const property = fc.asyncProperty(planned, fc.array(fc.boolean()), async (blocks, turns) => {
      const all = started();
      const { order, text, written } = all;
      play(deeds(all, blocks), turns);
      await new Promise((resolve) => setImmediate(resolve));
      const bytes = (wanted: boolean) =>
        Buffer.byteLength(blocks.flatMap(({ isOurs, texts }) => (isOurs === wanted ? texts : [])).join(""));
      expect(text()).toBe(Buffer.from(blocks.flatMap(({ texts }) => texts).join("")).toString("utf8"));
      expect([order.isWritten, order.isAlike, order.waiting]).toEqual([true, true, 0]);
      expect(written()).toBe(bytes(false));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it("waits for what is printed first", () => {
    const { order } = started();
    order.reach(1, 0, false);
    order.reach(257, 1, true);
    order.write("second");
    order.end();
    expect([order.isWritten, order.waiting]).toEqual([false, 6]);
    order.ended(0, 1);
    expect([order.isWritten, order.isAlike, order.waiting]).toEqual([true, true, 0]);
  });

  it("is not taken for everything if others have found fewer messages", () => {
    const { order } = started();
    order.reach(1, 0, false);
    order.reach(2, 0, false);
    order.end();
    order.ended(0, 1);
    expect([order.isWritten, order.isAlike]).toEqual([true, false]);
  });
});
