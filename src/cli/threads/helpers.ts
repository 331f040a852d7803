import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { InternalError, Message } from "../../index.js";
import { fileSizes } from "../file-size.js";
import type { TextOutput } from "../text-output.js";
import { Backlog } from "./backlog.js";
import { type PieceOrigin, PrintedOrder } from "./printed-order.js";
import type { Report, SharedOptions, Task } from "./task.js";
import { WorkShare } from "./work-share.js";

/** Smaller captures take no less time with a helper, which first has to load the program and have it optimized. */
const WORTH_HELP = 64 * 1024 * 1024;
/** Used unless the user asks for more: each takes as much memory again. */
const USUAL_THREADS = 2;
/** The size of a helper's young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;
/** The most bytes of our own that wait for what helpers print, before we wait for the helpers. */
const MOST_WAITING = 16 * 1024 * 1024;

/** What is to be read, and how it is printed. */
interface SharedWork {
  /** The module that a helper runs. */
  readonly helper: URL;
  readonly captures: readonly string[];
  readonly keys: readonly string[];
  readonly options: SharedOptions;
  /** The number of threads that the user wants; if undefined, the size of the captures decides. */
  readonly threads: number | undefined;
  readonly output: TextOutput;
  /** Called with errors that happen only when a message is printed. */
  readonly onInternalError: (failure: InternalError) => void;
}

/**
 * Threads that read the same captures as this one, and print some of the messages. The output is that of a single
 * thread, in the same order.
 */
export class Helpers {
  readonly #share = new WorkShare();
  readonly #order: PrintedOrder;
  readonly #workers: readonly Worker[];
  /** Helpers that print a block, which nobody else will do. */
  readonly #printing = new Set<Worker>();
  readonly #errors = new Map<Worker, unknown>();
  #running: number;
  #wake = () => {};

  private constructor(
    readonly lengths: readonly number[],
    threads: number,
    readonly work: SharedWork,
  ) {
    const { captures, keys, options, output } = work;
    this.#order = new PrintedOrder(output);
    const { memory } = this.#share;
    const task = { captures, keys, options, lengths, memory };
    this.#running = threads - 1;
    this.#workers = Array.from({ length: threads - 1 }, () => this.#start(task));
  }

  /** Starts helpers; undefined if they cannot help, or are not worth starting. */
  static async start(work: SharedWork): Promise<Helpers | undefined> {
    const { captures, keys, options, threads } = work;
    const most = threads ?? Math.min(USUAL_THREADS, availableParallelism());
    if (most < 2) return undefined;
    const lengths = await fileSizes(captures);
    // A file that can be read only once is read by this thread alone.
    const others = lengths && (await fileSizes([...keys, ...(options.sdl ?? [])]));
    if (lengths === undefined || others === undefined) return undefined;
    const length = lengths.reduce((sum, one) => sum + one, 0);
    return threads === undefined && length < WORTH_HELP ? undefined : new Helpers(lengths, most, work);
  }

  /** True if this thread is to print a message. Must be called for each one, in order. */
  isOurs({ number }: Message): boolean {
    const isOurs = this.#share.claims(number);
    this.#order.reach(number, this.#share.block, isOurs);
    return isOurs;
  }

  write(text: string | Uint8Array): void {
    this.#order.write(text);
  }

  /** Waits while helpers lag far behind. @throws what a helper has thrown */
  async caughtUp(): Promise<void> {
    while (this.#order.waiting > MOST_WAITING && this.#canCome) await this.#news();
  }

  /**
   * Waits for what helpers still have to print.
   *
   * @returns false if they have not found the same messages as this thread: a capture has changed in between
   * @throws what a helper has thrown
   */
  async finish(): Promise<boolean> {
    this.#order.end();
    while (!this.#order.isWritten && this.#canCome) await this.#news();
    return this.#order.isWritten && this.#order.isAlike;
  }

  /** True if a helper may still report something. Called only when something is missing. */
  get #canCome(): boolean {
    for (const [worker, error] of this.#errors) {
      if (this.#running === 0 || this.#printing.has(worker)) throw error;
    }
    return this.#running > 0;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #start(shared: Omit<Task, "backlogMemory">): Worker {
    const backlog = new Backlog();
    const task: Task = { ...shared, backlogMemory: backlog.memory };
    // Whatever an external dissector writes, it also writes in this thread.
    const worker = new Worker(this.work.helper, {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const origin: PieceOrigin = {
      written: (bytes) => backlog.written(bytes),
      giveBack: (buffer) => worker.postMessage(buffer),
    };
    worker.on("message", (report: Report) => this.#take(report, worker, origin));
    // One that cannot even start is no loss: the others print what it has not claimed.
    worker.on("error", (error) => {
      this.#errors.set(worker, error);
      this.#running--;
      this.#wake();
    });
    return worker;
  }

  #take(report: Report, worker: Worker, origin: PieceOrigin): void {
    switch (report.kind) {
      case "claimed":
        this.#printing.add(worker);
        break;
      case "printed":
        this.#order.came(report.block, report.bytes, origin);
        break;
      case "ended":
        this.#printing.delete(worker);
        this.#order.ended(report.block, report.last);
        break;
      case "failed":
        this.work.onInternalError(report.failure);
        break;
      case "done":
        this.#running--;
    }
    this.#wake();
  }
}
