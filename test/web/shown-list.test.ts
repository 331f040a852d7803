import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { dissectors } from "../../src/pipeline/dissectors.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { MessageStore } from "../../src/store/message-store.js";
import { ShownList } from "../../src/web/worker/shown-list.js";
import { sample } from "../support/samples.js";

async function storeOf(name: string): Promise<MessageStore> {
  const store = new MessageStore(dissectors, defaultLimits);
  const network = { opened: () => ({ recognised: store.recognised.bind(store) }) };
  await runCaptures([captureAt(sample(name))], { network }, (message) => store.add(message));
  return store;
}

describe("the list of messages that are shown", () => {
  afterEach(() => vi.restoreAllMocks());

  it("tells a filter that another one has taken its place, which may be done first", async () => {
    const store = await storeOf("bz107e-reject.pcap");
    const list = new ShownList(store);
    // A filter has to let others in after each message.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 1000;
      return now;
    });
    const told: number[] = [];
    const order: string[] = [];
    const first = list.filter(
      () => true,
      ({ count }) => told.push(count),
    );
    const second = list.filter(undefined, () => {});
    void first.then(() => order.push("first"));
    void second.then(() => order.push("second"));
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect(order).toEqual(["second", "first"]);
    expect(told).toEqual([1]);
    expect(list.shown).toEqual({ generation: 2, count: store.count, lookedAt: store.count });
  });
});
