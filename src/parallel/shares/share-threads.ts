import { Worker } from "node:worker_threads";
import type { Message, MessageListener } from "../../dissect/message.js";
import type { Limits } from "../../limits.js";
import type { Share } from "../../pipeline/share.js";
import type { MergedTraces, MergedTracesClient } from "./merged-traces.js";
import { type NewWriter, ShareOfThread } from "./share-of-thread.js";
import { MOST_TRACES, type ShareOrder, type ShareReport, type ShareTask } from "./share-order.js";

/** The size of a thread's young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What is divided, and where it comes together. */
interface DividedWork<Content, Result, Merged> {
  /** The module that a thread runs: it calls `serveShare`. */
  readonly module: URL;
  /** What this module has to know, as plain data. */
  readonly setup: object;
  readonly limits: Limits;
  readonly newWriter: NewWriter<Content>;
  readonly merge: (client: MergedTracesClient) => Merged;
  /** Called with what else another thread has found out, when all have ended. */
  readonly ended?: (result: Result) => void;
}

/**
 * Threads that read the same captures, each of which dissects a share of the conversations; this one is the first of
 * them. What they find out comes together here, as if one thread had dissected everything.
 */
export class ShareThreads<Content, Result, Merged extends MergedTraces<Content> = MergedTraces<Content>> {
  /** Why the conversations cannot be divided, to follow "because"; undefined if they can. */
  reason: string | undefined;
  /** Where everything comes together. */
  readonly merged: Merged;
  readonly #own: ShareOfThread<Content>;
  readonly #workers: readonly Worker[];
  readonly #results: Result[] = [];
  #wake = () => {};

  constructor(
    readonly threads: number,
    readonly work: DividedWork<Content, Result, Merged>,
  ) {
    const { limits, newWriter } = work;
    this.merged = work.merge({ unusual: this.#unusual, released: this.#released });
    this.#own = new ShareOfThread<Content>({ thread: 0, threads }, limits, {
      newWriter,
      full: (trace) => this.merged.add(0, trace),
      unusual: this.#unusual,
    });
    this.#workers = Array.from({ length: threads - 1 }, (_, index) => this.#start(index + 1));
  }

  /** What this thread dissects. */
  get share(): Share {
    return this.#own.share;
  }

  /** @param passes says which messages are counted, or printed */
  listener(passes: (message: Message) => boolean): MessageListener {
    return this.#own.listener(passes);
  }

  /** True if the conversations can be divided, as far as is known. */
  readonly isValid = (): boolean => this.reason === undefined;

  /** To be called between blocks of input: merges, and waits while others lag far behind. @returns false to end */
  async between(): Promise<boolean> {
    this.#own.writer.flush();
    this.#drain();
    while (this.isValid() && this.merged.waiting(0) > MOST_TRACES) {
      await this.#news();
      this.#drain();
    }
    return this.isValid();
  }

  /** Merges what is left. To be called at the end of the input. */
  async finish(): Promise<void> {
    this.#own.writer.flush();
    this.merged.end(0);
    this.#drain();
    while (this.isValid() && !(this.#haveEnded && this.merged.isDone)) {
      await this.#news();
      this.#drain();
    }
    if (this.isValid()) this.merged.finish();
    this.#takeResults();
  }

  /** Ends before the end of the input: each conversation counts as far as its thread has read. */
  async interrupt(): Promise<void> {
    for (const worker of this.#workers) order(worker, { kind: "stop" });
    while (this.isValid() && !this.#haveEnded) await this.#news();
    this.#own.writer.flush();
    this.merged.end(0);
    this.#drain();
    this.merged.finish();
    this.#takeResults();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #drain(): void {
    if (this.isValid()) this.merged.drain();
  }

  get #haveEnded(): boolean {
    return this.#results.length === this.threads - 1;
  }

  #takeResults(): void {
    for (const result of this.#results) this.work.ended?.(result);
  }

  readonly #unusual = (why: string): void => {
    this.reason ??= why;
    this.#wake();
  };

  readonly #released = (thread: number, memory: readonly ArrayBufferLike[]): void => {
    const worker = this.#workers[thread - 1];
    if (worker === undefined) for (const one of memory) this.#own.writer.give(one);
    else order(worker, { kind: "reuse", memory });
  };

  #start(thread: number): Worker {
    const { module, setup } = this.work;
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
    worker.on("message", (report: ShareReport<Content, Result>) => this.#took(thread, report));
    worker.on("error", () => this.#unusual("another thread failed"));
    worker.on("messageerror", () => this.#unusual("another thread failed"));
    return worker;
  }

  #took(thread: number, report: ShareReport<Content, Result>): void {
    switch (report.kind) {
      case "trace":
        this.merged.add(thread, report.trace);
        break;
      case "unusual":
        this.#unusual(report.why);
        break;
      case "ended":
        this.merged.end(thread);
        this.#results.push(report.result);
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
