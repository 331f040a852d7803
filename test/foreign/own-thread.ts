import { Worker } from "node:worker_threads";
import type { OwnView } from "./views.js";

/** Seconds that this program may take for one capture. */
const PATIENCE = 60;

/** The thread in which this program reads captures, one after the other. */
export class OwnThread {
  #worker: Worker | undefined;

  /** @throws Error if it takes too long, or needs too much memory */
  async view(path: string): Promise<OwnView> {
    this.#worker ??= new Worker(new URL("own-view.js", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
    });
    const worker = this.#worker;
    return new Promise<OwnView>((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        worker.off("message", take);
        worker.off("error", fail);
        settle();
      };
      const fail = (error: Error): void => {
        void this.stop();
        finish(() => reject(error));
      };
      const timer = setTimeout(() => fail(new Error(`no end after ${PATIENCE} s`)), 1000 * PATIENCE);
      const take = (view: OwnView): void => finish(() => resolve(view));
      worker.on("message", take);
      worker.on("error", fail);
      worker.postMessage(path);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
