import { describe, expect, it } from "vitest";
import { RowPages } from "../../src/web/page/panes/row-pages.js";
import type { Row } from "../../src/web/session-api.js";

function rowOf(number: number): Row {
  return {
    place: 0,
    number,
    time: "",
    seconds: 0,
    stream: 0,
    client: "",
    server: "",
    isFromServer: false,
    protocol: "moul.auth",
    hue: 0,
    name: "",
    summary: "",
    mark: "",
    status: "ok",
    error: undefined,
  };
}

/** A worker that answers when it is told to. */
class SlowWorker {
  readonly asked: { readonly first: number; answer(firstNumber: number): Promise<void> }[] = [];
  changes = 0;
  readonly pages = new RowPages(
    (first, count) =>
      new Promise((resolve) => {
        const answer = async (firstNumber: number) => {
          resolve(Array.from({ length: count }, (_, at) => rowOf(firstNumber + at)));
          await Promise.resolve();
        };
        this.asked.push({ first, answer });
      }),
    () => this.changes++,
  );

  numberAt(place: number, version: number): number | undefined {
    return this.pages.at(place, version)?.number;
  }
}

describe("the rows of the list", () => {
  it("are asked for once, and told of when they have come", async () => {
    const worker = new SlowWorker();
    expect([worker.numberAt(70, 1), worker.numberAt(71, 1)]).toEqual([undefined, undefined]);
    expect(worker.asked.map(({ first }) => first)).toEqual([64]);
    await worker.asked[0]?.answer(1001);
    expect(worker.changes).toBe(1);
    expect([worker.numberAt(70, 1), worker.numberAt(71, 1)]).toEqual([1007, 1008]);
    expect(worker.asked).toHaveLength(1);
  });

  it("are asked for again as soon as the list is another one, and stay until then", async () => {
    const worker = new SlowWorker();
    worker.numberAt(0, 1);
    await worker.asked[0]?.answer(1);
    expect(worker.numberAt(0, 2)).toBe(1);
    expect(worker.asked).toHaveLength(2);
    await worker.asked[1]?.answer(38);
    expect(worker.numberAt(0, 2)).toBe(38);
  });

  it("of an older list are not shown in place of newer ones", async () => {
    const worker = new SlowWorker();
    worker.numberAt(0, 1);
    worker.numberAt(0, 2);
    await worker.asked[1]?.answer(38);
    await worker.asked[0]?.answer(1);
    expect(worker.numberAt(0, 2)).toBe(38);
    expect(worker.changes).toBe(1);
  });

  it("are there again after many others have been looked at", async () => {
    const worker = new SlowWorker();
    const last = 200;
    for (let page = 0; page < last; page++) {
      worker.numberAt(page * 64, 1);
      await worker.asked[page]?.answer(page * 64 + 1);
    }
    expect(worker.numberAt((last - 1) * 64, 1)).toBe((last - 1) * 64 + 1);
    expect(worker.numberAt(0, 1)).toBeUndefined();
    expect(worker.asked).toHaveLength(last + 1);
    await worker.asked[last]?.answer(1);
    expect(worker.numberAt(0, 1)).toBe(1);
  });
});
