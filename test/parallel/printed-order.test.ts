import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextOutput } from "../../src/cli/writing/text-output.js";
import { PrintedOrder } from "../../src/parallel/printed-order.js";
import { anyText } from "../support/any-text.js";

/** What workers report and what this thread does may happen in any order: the output stays in order. */

/** What happens to one batch. */
interface Planned {
  readonly isOurs: boolean;
  /** The texts of its messages, some of which may have none. */
  readonly texts: readonly string[];
}

const planned = fc.array(
  fc.record({ isOurs: fc.boolean(), texts: fc.array(anyText(), { minLength: 1, maxLength: 4 }) }),
  { maxLength: 12 },
);

interface Started {
  readonly order: PrintedOrder;
  readonly text: () => string;
  /** Takes back buffers of workers that have been written. */
  readonly giveBack: (buffer: ArrayBufferLike) => void;
}

function started(): Started {
  const stream = new PassThrough({ highWaterMark: 1e9 });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const output = TextOutput.on(stream);
  const order = new PrintedOrder(output);
  const text = () => {
    output.flush();
    return Buffer.concat(chunks).toString("utf8");
  };
  return { order, text, giveBack: () => {} };
}

type Deed = () => void;

/** What this thread does, and what workers do once a batch of theirs has begun, each in its own order. */
function deeds({ order, giveBack }: Started, batches: readonly Planned[]): readonly [Deed[], Deed[]] {
  const ours: Deed[] = [];
  const theirs: Deed[] = [];
  for (const { isOurs, texts } of batches) {
    if (isOurs) ours.push(...texts.map((text) => () => order.write(text)));
    else {
      ours.push(() => {
        const batch = order.begin();
        theirs.push(
          ...texts.map((text) => () => order.came(batch, { bytes: new TextEncoder().encode(text), giveBack })),
          () => order.ended(batch),
        );
      });
    }
  }
  ours.push(() => order.end());
  return [ours, theirs];
}

/** @param turns whose turn it is: true for this thread */
function play([ours, theirs]: readonly [Deed[], Deed[]], turns: readonly boolean[]): void {
  for (const isOurs of turns) (isOurs ? ours : theirs).shift()?.();
  for (const deed of ours) deed();
  for (const deed of theirs) deed();
}

describe("what several threads print", () => {
  it("is written in the order of the messages, whichever thread is faster", async () => {
    const property = fc.asyncProperty(planned, fc.array(fc.boolean()), async (batches, turns) => {
      const all = started();
      const { order, text } = all;
      play(deeds(all, batches), turns);
      await new Promise((resolve) => setImmediate(resolve));
      expect(text()).toBe(Buffer.from(batches.flatMap(({ texts }) => texts).join("")).toString("utf8"));
      expect(order.waiting).toBe(0);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it("waits for what is printed first", () => {
    const { order, text } = started();
    const theirs = order.begin();
    order.write("second");
    order.end();
    expect([order.waiting, text()]).toEqual([6, ""]);
    order.ended(theirs);
    expect(order.waiting).toBe(0);
  });
});
