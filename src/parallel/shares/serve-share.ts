import { parentPort } from "node:worker_threads";
import type { Limits } from "../../limits.js";
import { type Division, type NewWriter, ShareOfThread } from "./share-of-thread.js";
import { MOST_TRACES, type ShareOrder, type ShareReport } from "./share-order.js";

/** What a thread does. */
interface ShareWork<Content, Result> {
  readonly limits: Limits;
  readonly newWriter: NewWriter<Content>;
  /** Reads captures. @param between called between blocks of input, and waited for; false ends the reading */
  readonly read: (share: ShareOfThread<Content>, between: () => Promise<boolean>) => Promise<Result>;
}

/** Runs in a thread: reads captures, and reports what comes of its share of the conversations. */
export async function serveShare<Content, Result>(
  division: Division,
  { limits, newWriter, read }: ShareWork<Content, Result>,
): Promise<void> {
  let waiting = 0;
  let isStopped = false;
  let wake = () => {};
  const report = (report: ShareReport<Content, Result>) => parentPort?.postMessage(report);
  const share = new ShareOfThread<Content>(division, limits, {
    newWriter,
    full: (trace) => {
      waiting++;
      report({ kind: "trace", trace });
    },
    unusual: (why) => report({ kind: "unusual", why }),
  });
  parentPort?.on("message", (order: ShareOrder) => {
    if (order.kind === "reuse") {
      waiting--;
      for (const memory of order.memory) share.writer.give(memory);
    } else isStopped = true;
    wake();
  });
  const between = async () => {
    share.writer.flush();
    while (waiting > MOST_TRACES && !isStopped) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return !isStopped;
  };
  const result = await read(share, between);
  share.writer.flush();
  report({ kind: "ended", result });
  parentPort?.removeAllListeners("message");
}
