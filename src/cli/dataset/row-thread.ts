import type { MessagePart } from "../../dataset/message-rows.js";
import { PartWriter } from "../../dataset/part-bytes.js";
import type { Message } from "../../dissect/message.js";
import type { InternalError } from "../../dissector/failure.js";
import { BatchThread } from "../../parallel/batch-thread.js";
import type { Part, PartOrder } from "./parts.js";
import type { RowOrder, RowReport, RowTask } from "./row-order.js";

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
export class RowThread extends BatchThread<RowOrder, RowReport> {
  readonly #part = new PartWriter();
  /** The parts that it has not ended, and the one that is collected. */
  readonly #parts: Part[] = [];
  #isCollecting = false;

  constructor(
    module: URL,
    task: Omit<RowTask, "count">,
    readonly client: RowClient,
  ) {
    super({ module, task, does: "makes rows", onNews: client.onNews });
  }

  /** Hands over a message; false if it is too large. @param dissector name of the dissector */
  message(message: Message, dissector: string): boolean {
    return this.#collect(() => this.writer.message(message, dissector));
  }

  /** Hands over the rows of a message. */
  rows(rows: MessagePart): void {
    const bytes = this.#part.write(rows);
    if (!this.#collect(() => this.writer.text(bytes))) this.order({ kind: "rows", bytes: bytes.slice() });
  }

  /** Ends a part. */
  endPart(): void {
    if (!this.#isCollecting) return;
    this.endBatch();
    this.#isCollecting = false;
    this.order({ kind: "end" });
  }

  /** Hands over what was collected. */
  endBatch(): void {
    if (this.isOpen) this.close();
  }

  /** Adds something to the batch at hand, or to the next one; false if it fits none. */
  #collect(add: () => boolean): boolean {
    if (!this.#isCollecting) {
      this.#isCollecting = true;
      this.#parts.push(this.client.order.begin());
    }
    if (this.isOpen && !this.writer.isEmpty) {
      if (!this.writer.isFull && add()) return true;
      this.endBatch();
    }
    if (!this.isOpen) this.open(this.client.freeMemory());
    if (add()) return true;
    // What is not in a batch must not come before it.
    this.endBatch();
    return false;
  }

  protected override took(report: RowReport): void {
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
