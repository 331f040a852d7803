import { parentPort } from "node:worker_threads";
import type { Limits } from "../../limits.js";
import type { ProtocolSum } from "../../stats/index.js";
import { type Division, ShareOfThread } from "./share-of-thread.js";
import { MOST_TRACES, type ShareOrder, type ShareReport } from "./share-order.js";

/**
 * Reads captures.
 *
 * @param between called between blocks of input, and waited for; false ends the reading
 * @returns the traffic of the thread's conversations
 */
type Reading = (share: ShareOfThread, between: () => Promise<boolean>) => Promise<readonly ProtocolSum[]>;

/** Runs in a thread: reads captures, and reports what comes of its share of the conversations. */
export async function serveShare(division: Division, limits: Limits, read: Reading): Promise<void> {
  let waiting = 0;
  let isStopped = false;
  let wake = () => {};
  const unusual = (why: string) => report({ kind: "unusual", why });
  const share = new ShareOfThread(division, limits, {
    full: (trace) => {
      waiting++;
      report({ kind: "trace", trace });
    },
    unusual,
  });
  parentPort?.on("message", (order: ShareOrder) => {
    if (order.kind === "reuse") {
      waiting--;
      share.writer.give(order.memory);
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
  const sums = await read(share, between);
  share.writer.flush();
  report({ kind: "ended", sums });
  parentPort?.removeAllListeners("message");
}

function report(report: ShareReport): void {
  parentPort?.postMessage(report);
}
