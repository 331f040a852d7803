import type { InternalError } from "../dissector/failure.js";
import type { Origin } from "../network/conversation.js";
import { BatchThread } from "./batch-thread.js";
import type { PrintedBatch, PrintedOrder } from "./printed-order.js";
import type { Order, Report } from "./task.js";

/** The most batches that a worker has to print: enough for it to be busy until the next block of input is read. */
const MOST_BATCHES = 8;

/** What a worker prints for. */
interface Client {
  readonly order: PrintedOrder;
  readonly onInternalError: (failure: InternalError) => void;
  /** Called whenever the worker has reported something, or is lost. */
  readonly onNews: () => void;
}

/** A thread that prints batches of messages, as seen by the main thread. */
export class WorkerThread extends BatchThread<Order, Report> {
  /** The batches that it has not reported as printed. */
  readonly #batches: PrintedBatch[] = [];

  constructor(
    module: URL,
    setup: unknown,
    readonly client: Client,
  ) {
    super({ module, task: { setup }, does: "prints", onNews: client.onNews });
  }

  /** True if it can print one more batch. */
  get isFree(): boolean {
    return this.isReady && this.busy < MOST_BATCHES;
  }

  /** True if it will report something more. @throws what has ended the thread before it has printed everything */
  get isPrinting(): boolean {
    if (this.#batches.length === 0) return false;
    this.check();
    return true;
  }

  /** Passes on the first packet of the capture. */
  began(first: Origin): void {
    this.order({ kind: "began", first });
  }

  /** Begins to collect a batch for it. It must be free. */
  begin(): void {
    this.#batches.push(this.client.order.begin());
    this.open(this.readMemory());
  }

  /** Hands over the batch that was collected. */
  end(): void {
    this.close();
  }

  protected override took(report: Report): void {
    const { order, onInternalError } = this.client;
    const [batch] = this.#batches;
    switch (report.kind) {
      case "printed":
        if (batch === undefined) return;
        order.came(batch, { bytes: report.bytes, giveBack: (memory) => this.order({ kind: "reuse", memory }) });
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
