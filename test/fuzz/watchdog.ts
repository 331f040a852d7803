import { writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";

/** Seconds without a new input that count as an endless loop. */
const PATIENCE = 60;

/** Watches the progress of the inputs from another thread: an endless loop blocks everything in its own. */
export class Watchdog {
  readonly #inputs = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

  /**
   * @param levels names of the levels
   * @param seed of the inputs, for the command that reproduces the last one
   */
  constructor(
    readonly levels: readonly string[],
    seed: number,
    patience = PATIENCE,
  ) {
    const watched: Watched = { inputs: this.#inputs, levels, seed, patience };
    new Worker(new URL(import.meta.url), { workerData: watched }).unref();
  }

  /** Reports that an input begins. */
  next(level: string, index: number): void {
    Atomics.store(this.#inputs, 0, this.levels.indexOf(level));
    Atomics.store(this.#inputs, 1, index);
    Atomics.notify(this.#inputs, 1);
  }
}

/** What the watching thread knows. */
interface Watched {
  readonly inputs: Int32Array<SharedArrayBuffer>;
  readonly levels: readonly string[];
  readonly seed: number;
  readonly patience: number;
}

function watch({ inputs, levels, seed, patience }: Watched): void {
  for (;;) {
    const index = Atomics.load(inputs, 1);
    if (Atomics.wait(inputs, 1, index, 1000 * patience) !== "timed-out" || Atomics.load(inputs, 1) !== index) continue;
    const level = levels[Atomics.load(inputs, 0)];
    writeSync(1, `  --level ${level} --seed ${seed} --from ${index} --count 1\n    no end after ${patience} s\n`);
    process.kill(process.pid, "SIGKILL");
  }
}

if (!isMainThread) watch(workerData);
