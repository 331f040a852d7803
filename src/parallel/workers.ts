import type { Message } from "../dissect/message.js";
import type { InternalError } from "../dissector/failure.js";
import type { Origin } from "../network/conversation.js";
import type { RunHooks } from "../pipeline/options.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { Offloadable } from "../store/offloadable.js";
import { MOST_MESSAGES } from "./batch.js";
import { type OrderedOutput, PrintedOrder } from "./printed-order.js";
import { WorkerThread } from "./worker-thread.js";

/** The most bytes that wait for what a worker prints, before we wait for the worker. */
export const MOST_WAITING = 16 * 1024 * 1024;

/** What is printed, and how. */
interface SharedWork {
  /** The module that a worker runs: it calls `serve`. */
  readonly module: URL;
  /** What this module has to know, as plain data. */
  readonly setup: unknown;
  readonly output: OrderedOutput;
  /** Called with errors that happen only when a message is printed. */
  readonly onInternalError: (failure: InternalError) => void;
}

/**
 * Threads that print some of the messages that this one dissects: they are handed the bytes of these messages, and what
 * is known about them. The output is that of a single thread, in the same order.
 *
 * A message that changes a name, or that is odd, is printed here: a worker that prints those around it is handed its
 * text.
 */
export class Workers {
  readonly #order: PrintedOrder;
  readonly #threads: readonly WorkerThread[];
  readonly #offloadable = new Offloadable();
  /** The worker whose batch is being collected. */
  #current: WorkerThread | undefined;
  /** How many messages are printed here before workers are asked again: all of them were busy. */
  #alone = 0;
  /** True if a name has changed since the last message. */
  #hasNews = false;
  #wake = () => {};

  /** @param count of workers that are started */
  constructor(count: number, { module, setup, output, onInternalError }: SharedWork) {
    const order = new PrintedOrder(output);
    this.#order = order;
    const client = { order, onInternalError, onNews: () => this.#wake() };
    this.#threads = Array.from({ length: count }, () => new WorkerThread(module, setup, client));
  }

  /** What the run has to tell. */
  readonly hooks: Required<Pick<RunHooks, "onName">> = {
    onName: (dissector, change) => {
      this.#hasNews = true;
      for (const thread of this.#threads) thread.change({ dissector: dissector.name, change });
    },
  };

  /** Must be called for each conversation once it is recognised. */
  recognised(session: RecognisedConversation): void {
    this.#offloadable.recognised(session);
  }

  /** True if a worker prints the next message, unless that is odd. */
  readonly areTaking = (): boolean => {
    if (this.#current !== undefined && !this.#current.writer.isFull) return true;
    return (this.#current !== undefined || this.#alone === 0) && this.#threads.some(({ isFree }) => isFree);
  };

  /** Must be called with the first packet of the capture. */
  began(first: Origin): void {
    for (const thread of this.#threads) thread.began(first);
  }

  /** True if a worker prints a message. Must be called for each one that is shown, in order. */
  takes(message: Message): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    if (hasNews) return false;
    const dissector = this.#offloadable.dissectorOf(message);
    if (dissector === undefined) return false;
    const thread = this.#next();
    if (thread === undefined) return false;
    if (thread.writer.message(message, dissector)) return true;
    if (thread.writer.isEmpty) return false;
    this.#end();
    return this.#next()?.writer.message(message, dissector) ?? false;
  }

  /** Writes a message that no worker takes. */
  write(text: string | Uint8Array): void {
    const writer = this.#current?.writer;
    if (writer !== undefined) {
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      if (!writer.isFull && writer.text(bytes)) return;
      this.#end();
    }
    this.#order.write(text);
  }

  /** Waits while workers lag far behind. @throws what a worker has thrown */
  async caughtUp(): Promise<void> {
    this.#end();
    while (this.#arePrinting && this.#order.waiting > MOST_WAITING) await this.#news();
  }

  /** Waits for what workers still have to print. @throws what a worker has thrown */
  async finish(): Promise<void> {
    this.#end();
    this.#order.end();
    while (this.#arePrinting) await this.#news();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** The worker that prints the next message; undefined if this thread does. */
  #next(): WorkerThread | undefined {
    const current = this.#current;
    if (current !== undefined) {
      if (!current.writer.isFull) return current;
      this.#end();
    } else if (this.#alone > 0) {
      this.#alone--;
      return undefined;
    }
    let least: WorkerThread | undefined;
    for (const thread of this.#threads) {
      if (thread.isFree && (least === undefined || thread.busy < least.busy)) least = thread;
    }
    if (least === undefined) this.#alone = MOST_MESSAGES - 1;
    least?.begin();
    this.#current = least;
    return least;
  }

  /** Ends the batch that is being collected, if any. */
  #end(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.end();
  }

  /** @throws what has ended a worker before it has printed everything */
  get #arePrinting(): boolean {
    // All of them are asked, so that each that was lost is noticed.
    return this.#threads.filter((thread) => thread.isPrinting).length > 0;
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
