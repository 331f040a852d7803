import { workerData } from "node:worker_threads";
import { type Pieces, PrintingTrace } from "../../parallel/shares/printing-trace.js";
import { serveShare } from "../../parallel/shares/serve-share.js";
import type { ShareTask } from "../../parallel/shares/share-order.js";
import { passing } from "../message-display.js";
import { PREBUILT_SKIMS, usePrebuiltSkims } from "../run/prebuilt-skims.js";
import { numberlessLines } from "./numberless-lines.js";
import type { PrintingOptions } from "./printing.js";
import type { DividedSetup } from "./setup.js";
import { conflictsIn, readShare, shareContext } from "./share-run.js";

/** The module that runs in a thread that prints columns of a share of the conversations, as the main thread would. */

// Both threads come from one build, and nothing else starts this one: `any` becomes a task here.
const task: ShareTask<DividedSetup<PrintingOptions>> = workerData;
const { setup } = task;
const { options } = setup;
await usePrebuiltSkims(new URL(`../${PREBUILT_SKIMS}`, import.meta.url));
const { dissectors, limits } = await shareContext(setup);
const passes = await passing(options.filter, dissectors);
const lines = numberlessLines(options, dissectors);

await serveShare<Pieces, null>(task.division, {
  limits,
  newWriter: (order, full) => new PrintingTrace(order, lines, full),
  read: async (own, between) => {
    const { share } = own;
    await readShare(setup, {
      share,
      listener: own.listener(passes),
      network: conflictsIn(share),
      checksums: options.checksums ?? false,
      between,
    });
    return null;
  },
});
