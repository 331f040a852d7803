import { workerData } from "node:worker_threads";
import { defaultLimits } from "../../limits.js";
import { serveShare } from "../../parallel/shares/serve-share.js";
import type { ShareTask } from "../../parallel/shares/share-order.js";
import { runCaptures } from "../../pipeline/run.js";
import { captureAt } from "../../platform/node/capture-file.js";
import { Traffic } from "../../stats/index.js";
import { knownDissectors } from "../known-dissectors.js";
import { passing } from "../message-display.js";
import { isInterpreting } from "../process-io.js";
import { dissectOptionsOf } from "../run/dissect-options.js";
import type { CountingSetup } from "./setup.js";

/** The module that runs in a thread that dissects a share of the conversations, as the main thread would. */

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: ShareTask<CountingSetup> = workerData;
const { options, files, captures, lengths } = task.setup;
const { all } = await knownDissectors(options);
const passes = await passing(options.filter, all);
const dissecting = dissectOptionsOf(options, files, []);
const limits = { ...defaultLimits, ...dissecting.limits };

await serveShare(task.division, limits, async (own, between) => {
  const { share } = own;
  const traffic = new Traffic(limits);
  await runCaptures(
    captures.map((path, index) => captureAt(path, lengths[index])),
    {
      ...dissecting,
      network: traffic,
      skims: !isInterpreting(process.env),
      share,
      onClockSetBack: () => share.unusual("the clock was set back"),
      onInternalError: () => share.unusual("something failed"),
    },
    own.listener(passes),
    between,
  );
  return traffic.sums();
});
