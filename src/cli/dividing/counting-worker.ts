import { workerData } from "node:worker_threads";
import { CountingTrace } from "../../parallel/shares/counting-trace.js";
import { serveShare } from "../../parallel/shares/serve-share.js";
import type { ShareTask } from "../../parallel/shares/share-order.js";
import { type ProtocolSum, type TallySums, Traffic } from "../../stats/index.js";
import { passing } from "../message-display.js";
import { PREBUILT_SKIMS, usePrebuiltSkims } from "../run/prebuilt-skims.js";
import type { CountingOptions } from "./counting.js";
import type { DividedSetup } from "./setup.js";
import { readShare, shareContext } from "./share-run.js";

/** The module that runs in a thread that counts a share of the conversations, as the main thread would. */

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: ShareTask<DividedSetup<CountingOptions>> = workerData;
const { setup } = task;
await usePrebuiltSkims(new URL(`../${PREBUILT_SKIMS}`, import.meta.url));
const { dissectors, limits } = await shareContext(setup);
const passes = await passing(setup.options.filter, dissectors);

await serveShare<TallySums, readonly ProtocolSum[]>(task.division, {
  limits,
  newWriter: (order, full) => new CountingTrace(order, limits, full),
  read: async (own, between) => {
    const traffic = new Traffic(limits);
    await readShare(setup, { share: own.share, listener: own.listener(passes), network: traffic, between });
    return traffic.sums();
  },
});
