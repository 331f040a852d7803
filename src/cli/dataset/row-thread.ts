import { Worker } from "node:worker_threads";
import type { MessagePart } from "../../dataset/message-rows.js";
import { PartWriter } from "../../dataset/part-bytes.js";
import type { Message } from "../../dissect/message.js";
import type { InternalError } from "../../dissector/failure.js";
import type { DatedChange } from "../../parallel/batch.js";
import { BatchCount } from "../../parallel/batch-count.js";
import { BatchWriter } from "../../parallel/batch-writer.js";
import type { Part, PartOrder } from "./parts.js";
import type { RowOrder, RowReport, RowTask } from "./row-order.js";

/** The most changes of names that wait for the next batch. */
const MOST_CHANGES = 4096;
/** The size of its young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What such a thread makes rows for. */
export interface RowClient {
  readonly order: PartOrder;
  readonly onInternalError: (failure: InternalError) => void;
  /** Returns memory of a batch that no thread uses any more; undefined if there is none. */
  readonly freeMemory: () => SharedArrayBuffer | undefined;
  /** Called whenever the thread has reported something, or is lost. */
  readonly onNews: () => void;
}

/** A thread that makes rows of messages, as seen by the main thread. */
export class RowThread {
  readonly #worker: Worker;
  readonly #count = new BatchCount();
  readonly #writer = new BatchWriter();
  readonly #part = new PartWriter();
  /** Memory of batches, in the order of their use. */
  readonly #memories: SharedArrayBuffer[] = [];
  /** The parts that it has not ended, and the one that is collected. */
  readonly #parts: Part[] = [];
  #isCollecting = false;
  #ordered = 0;
  #isOpen = false;
  #changes: DatedChange[] = [];
  #error: { readonly cause: unknown } | undefined;

  constructor(
    module: URL,
    task: Omit<RowTask, "count">,
    readonly client: RowClient,
  ) {
    const workerData: RowTask = { ...task, count: this.#count.memory };
    // Whatever an external dissector writes, it also writes in the main thread.
    this.#worker = new Worker(module, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION },
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on("message", (report: RowReport) => {
      this.#take(report);
      client.onNews();
    });
    const lost = (cause: unknown) => {
      this.#error ??= { cause };
      client.onNews();
    };
    this.#worker.on("error", lost);
    this.#worker.on("messageerror", lost);
    this.#worker.on("exit", () => lost(new Error("a thread that makes rows has ended too early")));
  }

  /** The number of batches that it still has to read. */
  get busy(): number {
    return this.#ordered - this.#count.printed;
  }

  /** @throws what has ended the thread */
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
      this.#writer.change(change);
      return;
    }
    this.#changes.push({ before: 0, ...change });
    if (this.#changes.length >= MOST_CHANGES) this.#teach();
  }

  /** Hands over a message; false if it is too large. @param dissector name of the dissector */
  message(message: Message, dissector: string): boolean {
    return this.#collect(() => this.#writer.message(message, dissector));
  }

  /** Hands over the rows of a message. */
  rows(rows: MessagePart): void {
    const bytes = this.#part.write(rows);
    if (!this.#collect(() => this.#writer.text(bytes))) this.#order({ kind: "rows", bytes: bytes.slice() });
  }

  /** Ends a part. */
  endPart(): void {
    if (!this.#isCollecting) return;
    this.endBatch();
    this.#isCollecting = false;
    this.#order({ kind: "end" });
  }

  /** Hands over what was collected. */
  endBatch(): void {
    if (!this.#isOpen) return;
    const { batch } = this.#writer;
    this.#isOpen = false;
    this.#memories.push(batch.memory);
    this.#ordered++;
    this.#order({ kind: "batch", batch });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Adds something to the batch at hand, or to the next one; false if it fits none. */
  #collect(add: () => boolean): boolean {
    if (!this.#isCollecting) {
      this.#isCollecting = true;
      this.#parts.push(this.client.order.begin());
    }
    if (this.#isOpen && !this.#writer.isEmpty) {
      if (!this.#writer.isFull && add()) return true;
      this.endBatch();
    }
    if (!this.#isOpen) this.#begin();
    if (add()) return true;
    // What is not in a batch must not come before it.
    this.endBatch();
    return false;
  }

  #begin(): void {
    this.#teach();
    this.#isOpen = true;
    this.#writer.begin(this.client.freeMemory());
  }

  #teach(): void {
    if (this.#changes.length === 0) return;
    this.#order({ kind: "learn", changes: this.#changes });
    this.#changes = [];
  }

  #order(order: RowOrder): void {
    this.#worker.postMessage(order);
  }

  #take(report: RowReport): void {
    const { order, onInternalError } = this.client;
    const [part] = this.#parts;
    if (report.kind === "failed") onInternalError(report.failure);
    if (part === undefined) return;
    if (report.kind === "group") order.came(part, report.group);
    if (report.kind === "ended") {
      this.#parts.shift();
      order.ended(part);
    }
  }
}
