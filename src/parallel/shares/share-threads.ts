import { Worker } from "node:worker_threads";
import type { Message, MessageListener } from "../../dissect/message.js";
import type { Limits } from "../../limits.js";
import type { Share } from "../../pipeline/share.js";
import type { ProtocolSum, Statistics } from "../../stats/index.js";
import { MergedTraces } from "./merged-traces.js";
import { ShareOfThread } from "./share-of-thread.js";
import { MOST_TRACES, type ShareOrder, type ShareReport, type ShareTask } from "./share-order.js";

/** The size of a thread's young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What is counted, and how. */
interface SharedCounting {
  /** The module that a thread runs: it calls `serveShare`. */
  readonly module: URL;
  /** What this module has to know, as plain data. */
  readonly setup: object;
  readonly limits: Limits;
  readonly statistics: Statistics;
  /** Called with the traffic of the conversations of another thread. */
  readonly addTraffic: (sum: ProtocolSum) => void;
}

/**
 * Threads that read the same captures, each of which dissects a share of the conversations; this one is the first of
 * them. What they find out comes together here, as if one thread had dissected everything.
 */
export class ShareThreads {
  /** Why the conversations cannot be divided, to follow "because"; undefined if they can. */
  reason: string | undefined;
  readonly #merged: MergedTraces;
  readonly #own: ShareOfThread;
  readonly #workers: readonly Worker[];
  readonly #sums: (readonly ProtocolSum[])[] = [];
  #ended = 0;
  #wake = () => {};

  constructor(
    readonly threads: number,
    readonly counting: SharedCounting,
  ) {
    const { limits, statistics } = counting;
    this.#merged = new MergedTraces(threads, limits, { statistics, unusual: this.#unusual, released: this.#released });
    this.#own = new ShareOfThread({ thread: 0, threads }, limits, {
      full: (trace) => this.#merged.add(0, trace),
      unusual: this.#unusual,
    });
    this.#workers = Array.from({ length: threads - 1 }, (_, index) => this.#start(index + 1));
  }

  /** What this thread dissects. */
  get share(): Share {
    return this.#own.share;
  }

  /** @param passes says which messages are counted */
  listener(passes: (message: Message) => boolean): MessageListener {
    return this.#own.listener(passes);
  }

  /** True if the conversations can be divided, as far as is known. */
  readonly isValid = (): boolean => this.reason === undefined;

  /** To be called between blocks of input: counts, and waits while others lag far behind. @returns false to end */
  async between(): Promise<boolean> {
    this.#own.writer.flush();
    this.#drain();
    while (this.isValid() && this.#merged.waiting(0) > MOST_TRACES) {
      await this.#news();
      this.#drain();
    }
    return this.isValid();
  }

  /** Counts what is left. To be called at the end of the input. */
  async finish(): Promise<void> {
    this.#own.writer.flush();
    this.#merged.end(0);
    this.#drain();
    while (this.isValid() && !(this.#ended === this.threads - 1 && this.#merged.isDone)) {
      await this.#news();
      this.#drain();
    }
    if (this.isValid()) this.#merged.nameParties();
    this.#addTraffic();
  }

  /** Ends the counting: each conversation is counted as far as its thread has read. */
  async interrupt(): Promise<void> {
    for (const worker of this.#workers) order(worker, { kind: "stop" });
    while (this.isValid() && this.#ended < this.threads - 1) await this.#news();
    this.#own.writer.flush();
    this.#merged.end(0);
    this.#drain();
    this.#merged.nameParties();
    this.#addTraffic();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #drain(): void {
    if (this.isValid()) this.#merged.drain();
  }

  #addTraffic(): void {
    for (const sum of this.#sums.splice(0).flat()) this.counting.addTraffic(sum);
  }

  readonly #unusual = (why: string): void => {
    this.reason ??= why;
    this.#wake();
  };

  readonly #released = (thread: number, memory: SharedArrayBuffer): void => {
    const worker = this.#workers[thread - 1];
    if (worker === undefined) this.#own.writer.give(memory);
    else order(worker, { kind: "reuse", memory });
  };

  #start(thread: number): Worker {
    const { module, setup } = this.counting;
    const task: ShareTask<object> = { setup, division: { thread, threads: this.threads } };
    // Whatever there is to say, this thread says.
    const worker = new Worker(module, {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on("message", (report: ShareReport) => this.#took(thread, report));
    worker.on("error", () => this.#unusual("another thread failed"));
    worker.on("messageerror", () => this.#unusual("another thread failed"));
    return worker;
  }

  #took(thread: number, report: ShareReport): void {
    switch (report.kind) {
      case "trace":
        this.#merged.add(thread, report.trace);
        break;
      case "unusual":
        this.#unusual(report.why);
        break;
      case "ended":
        this.#merged.end(thread);
        this.#sums.push(report.sums);
        this.#ended++;
    }
    this.#wake();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function order(worker: Worker, order: ShareOrder): void {
  worker.postMessage(order);
}
