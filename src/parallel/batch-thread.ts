import { Worker } from "node:worker_threads";
import type { Batch, DatedChange } from "./batch.js";
import { BatchCount } from "./batch-count.js";
import { BatchWriter } from "./batch-writer.js";

/** The most changes of names that wait for the next batch. */
const MOST_CHANGES = 4096;
/** The size of its young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What every such thread is asked to do. */
export type BatchOrder =
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "learn"; readonly changes: readonly DatedChange[] };

/** How a thread is started. */
interface BatchThreadStart {
  /** The module that it runs. */
  readonly module: URL;
  /** What this module has to know, as plain data. */
  readonly task: object;
  /** What it does, for an error: "prints". */
  readonly does: string;
  /** Called whenever it has reported something, or is lost. */
  readonly onNews: () => void;
}

/** A thread that is handed messages in batches, as seen by the main thread. */
export abstract class BatchThread<Order, Report> {
  /** Collects the next batch. */
  readonly writer = new BatchWriter();
  readonly #worker: Worker;
  readonly #count = new BatchCount();
  /** Memory of batches, in the order of their use. */
  readonly #memories: SharedArrayBuffer[] = [];
  #ordered = 0;
  #isOpen = false;
  #changes: DatedChange[] = [];
  #error: { readonly cause: unknown } | undefined;

  constructor({ module, task, does, onNews }: BatchThreadStart) {
    // Whatever an external dissector writes, it also writes in the main thread.
    this.#worker = new Worker(module, {
      workerData: { ...task, count: this.#count.memory },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    const lost = (cause: unknown) => {
      this.#error ??= { cause };
      onNews();
    };
    this.#worker.on("message", (report: Report) => {
      try {
        this.took(report);
      } catch (error) {
        // Nobody else would catch it: what was reported cannot be written, as on a full disk.
        lost(error);
      }
      onNews();
    });
    this.#worker.on("error", lost);
    this.#worker.on("messageerror", lost);
    this.#worker.on("exit", () => lost(new Error(`a thread that ${does} has ended too early`)));
  }

  /** Takes what the thread has reported. */
  protected abstract took(report: Report): void;

  /** The number of batches that it still has to read. */
  get busy(): number {
    return this.#ordered - this.#count.printed;
  }

  /** True once it has started, unless it was lost. */
  get isReady(): boolean {
    return this.#error === undefined && this.#count.isReady;
  }

  /** @throws what has ended the thread, or what taking its reports has thrown */
  check(): void {
    if (this.#error !== undefined) throw this.#error.cause;
  }

  /** Returns memory of a batch that it has read; undefined if there is none. */
  readMemory(): SharedArrayBuffer | undefined {
    return this.#memories.length > this.busy ? this.#memories.shift() : undefined;
  }

  /** Notes that a name has changed since the last message. */
  change(change: Omit<DatedChange, "before">): void {
    if (this.#isOpen) {
      this.writer.change(change);
      return;
    }
    this.#changes.push({ before: 0, ...change });
    if (this.#changes.length >= MOST_CHANGES) this.#teach();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** True while a batch is being collected. */
  protected get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins to collect a batch. @param memory that no thread uses any more; undefined for new memory */
  protected open(memory: SharedArrayBuffer | undefined): void {
    this.#teach();
    this.#isOpen = true;
    this.writer.begin(memory);
  }

  /** Hands over the batch that was collected. */
  protected close(): void {
    const { batch } = this.writer;
    this.#isOpen = false;
    this.#memories.push(batch.memory);
    this.#ordered++;
    this.order({ kind: "batch", batch });
  }

  protected order(order: Order | BatchOrder): void {
    this.#worker.postMessage(order);
  }

  #teach(): void {
    if (this.#changes.length === 0) return;
    this.order({ kind: "learn", changes: this.#changes });
    this.#changes = [];
  }
}
