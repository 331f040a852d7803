import { Worker } from "node:worker_threads";
import type { InternalError } from "../dissector/failure.js";
import type { Origin } from "../network/conversation.js";
import type { DatedChange } from "./batch.js";
import { BatchCount } from "./batch-count.js";
import { BatchWriter } from "./batch-writer.js";
import type { PrintedBatch, PrintedOrder } from "./printed-order.js";
import type { Order, Report, Task } from "./task.js";

/** The most batches that a worker has to print: enough for it to be busy until the next block of input is read. */
const MOST_BATCHES = 8;
/** The most changes of names that wait for the next batch. */
const MOST_CHANGES = 4096;
/** The size of a worker's young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What a worker prints for. */
interface Client {
  readonly order: PrintedOrder;
  readonly onInternalError: (failure: InternalError) => void;
  /** Called whenever the worker has reported something, or is lost. */
  readonly onNews: () => void;
}

/** A thread that prints batches of messages, as seen by the main thread. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #count = new BatchCount();
  readonly #writer = new BatchWriter();
  /** Memory of batches, in the order of their use. */
  readonly #memories: SharedArrayBuffer[] = [];
  /** The batches that it has not reported as printed. */
  readonly #batches: PrintedBatch[] = [];
  #ordered = 0;
  #isOpen = false;
  #changes: DatedChange[] = [];
  #error: { readonly cause: unknown } | undefined;

  constructor(
    module: URL,
    setup: unknown,
    readonly client: Client,
  ) {
    const workerData: Task<unknown> = { setup, count: this.#count.memory };
    // Whatever an external dissector writes, it also writes in the main thread.
    this.#worker = new Worker(module, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on("message", (report: Report) => {
      this.#take(report);
      client.onNews();
    });
    this.#worker.on("error", (cause) => {
      this.#error = { cause };
    });
    this.#worker.on("messageerror", (cause) => {
      this.#error ??= { cause };
      client.onNews();
    });
    this.#worker.on("exit", () => {
      this.#error ??= { cause: new Error("a thread that prints has ended too early") };
      client.onNews();
    });
  }

  /** Collects its next batch: see `begin`. */
  get writer(): BatchWriter {
    return this.#writer;
  }

  /** The number of batches that it still has to print. */
  get busy(): number {
    return this.#ordered - this.#count.printed;
  }

  /** True if it can print one more batch. */
  get isFree(): boolean {
    return this.#error === undefined && this.#count.isReady && this.busy < MOST_BATCHES;
  }

  /** True if it will report something more. @throws what has ended the thread before it has printed everything */
  get isPrinting(): boolean {
    if (this.#batches.length > 0 && this.#error !== undefined) throw this.#error.cause;
    return this.#batches.length > 0;
  }

  /** Passes on the first packet of the capture. */
  began(first: Origin): void {
    this.#order({ kind: "began", first });
  }

  /** Notes that a name has changed since the last message. */
  change(change: Omit<DatedChange, "before">): void {
    if (this.#isOpen) {
      this.#writer.change(change);
      return;
    }
    this.#changes.push({ before: 0, ...change });
    if (this.#changes.length >= MOST_CHANGES) this.#teach();
  }

  /** Begins to collect a batch for it. It must be free. */
  begin(): void {
    this.#teach();
    this.#batches.push(this.client.order.begin());
    this.#isOpen = true;
    this.#writer.begin(this.#memories.length < MOST_BATCHES ? undefined : this.#memories.shift());
  }

  /** Hands over the batch that was collected. */
  end(): void {
    const { batch } = this.#writer;
    this.#isOpen = false;
    this.#memories.push(batch.memory);
    this.#ordered++;
    this.#order({ kind: "print", batch });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #teach(): void {
    if (this.#changes.length === 0) return;
    this.#order({ kind: "learn", changes: this.#changes });
    this.#changes = [];
  }

  #order(order: Order): void {
    this.#worker.postMessage(order);
  }

  #take(report: Report): void {
    const { order, onInternalError } = this.client;
    const [batch] = this.#batches;
    switch (report.kind) {
      case "printed":
        if (batch === undefined) return;
        order.came(batch, { bytes: report.bytes, giveBack: (memory) => this.#order({ kind: "reuse", memory }) });
        break;
      case "ended":
        if (batch === undefined) return;
        this.#batches.shift();
        order.ended(batch);
        break;
      case "failed":
        onInternalError(report.failure);
    }
  }
}
