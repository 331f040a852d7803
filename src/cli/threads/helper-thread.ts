import { Worker } from "node:worker_threads";
import type { InternalError, Origin } from "../../index.js";
import type { DatedChange } from "./block.js";
import { BlockCount } from "./block-count.js";
import { BlockWriter } from "./block-writer.js";
import type { PrintedBlock, PrintedOrder } from "./printed-order.js";
import type { Order, Report, Task } from "./task.js";

/** The most blocks that a helper has to print: enough for it to be busy until the next block of input is read. */
const MOST_BLOCKS = 8;
/** The most changes of names that wait for the next block. */
const MOST_CHANGES = 4096;
/** The size of a helper's young generation in MB: a third of the default, at no cost in time. */
const YOUNG_GENERATION = 16;

/** What a helper prints for. */
interface Client {
  readonly order: PrintedOrder;
  readonly onInternalError: (failure: InternalError) => void;
  /** Called whenever the helper has reported something, or is lost. */
  readonly onNews: () => void;
}

/** A thread that prints blocks of messages, as seen by the main thread. */
export class HelperThread {
  readonly #worker: Worker;
  readonly #count = new BlockCount();
  readonly #writer = new BlockWriter();
  /** Memory of blocks, in the order of their use. */
  readonly #memories: SharedArrayBuffer[] = [];
  /** The blocks that it has not reported as printed. */
  readonly #blocks: PrintedBlock[] = [];
  #ordered = 0;
  #isOpen = false;
  #changes: DatedChange[] = [];
  #error: { readonly cause: unknown } | undefined;

  constructor(
    module: URL,
    task: Omit<Task, "count">,
    readonly client: Client,
  ) {
    const workerData: Task = { ...task, count: this.#count.memory };
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

  /** Collects its next block: see `begin`. */
  get writer(): BlockWriter {
    return this.#writer;
  }

  /** The number of blocks that it still has to print. */
  get busy(): number {
    return this.#ordered - this.#count.printed;
  }

  /** True if it can print one more block. */
  get isFree(): boolean {
    return this.#error === undefined && this.#count.isReady && this.busy < MOST_BLOCKS;
  }

  /** True if it will report something more. @throws what has ended the thread before it has printed everything */
  get isPrinting(): boolean {
    if (this.#blocks.length > 0 && this.#error !== undefined) throw this.#error.cause;
    return this.#blocks.length > 0;
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

  /** Begins to collect a block for it. It must be free. */
  begin(): void {
    this.#teach();
    this.#blocks.push(this.client.order.begin());
    this.#isOpen = true;
    this.#writer.begin(this.#memories.length < MOST_BLOCKS ? undefined : this.#memories.shift());
  }

  /** Hands over the block that was collected. */
  end(): void {
    const { block } = this.#writer;
    this.#isOpen = false;
    this.#memories.push(block.memory);
    this.#ordered++;
    this.#order({ kind: "print", block });
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
    const [block] = this.#blocks;
    switch (report.kind) {
      case "printed":
        if (block === undefined) return;
        order.came(block, { bytes: report.bytes, giveBack: (memory) => this.#order({ kind: "reuse", memory }) });
        break;
      case "ended":
        if (block === undefined) return;
        this.#blocks.shift();
        order.ended(block);
        break;
      case "failed":
        onInternalError(report.failure);
    }
  }
}
