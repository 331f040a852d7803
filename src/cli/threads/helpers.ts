import { availableParallelism } from "node:os";
import type { DissectOptions, InternalError, Message, Origin } from "../../index.js";
import { fileSizes } from "../file-size.js";
import type { TextOutput } from "../writing/text-output.js";
import { MOST_MESSAGES } from "./block.js";
import { HelperThread } from "./helper-thread.js";
import { PrintedOrder } from "./printed-order.js";
import { Repeatable } from "./repeatable.js";
import type { Task } from "./task.js";

/** Smaller captures take no less time with a helper, which first has to load the program and have it optimized. */
const WORTH_HELP = 16 * 1024 * 1024;
/** Used unless the user asks for more. */
const USUAL_THREADS = 2;
/** The most bytes that wait for what a helper prints, before we wait for the helper. */
const MOST_WAITING = 16 * 1024 * 1024;

/** What is printed, and how. */
interface SharedWork extends Omit<Task, "count"> {
  /** The module that a helper runs. */
  readonly helper: URL;
  readonly captures: readonly string[];
  /** The number of threads that the user wants; if undefined, the size of the captures decides. */
  readonly threads: number | undefined;
  readonly output: TextOutput;
  /** Called with errors that happen only when a message is printed. */
  readonly onInternalError: (failure: InternalError) => void;
}

/**
 * Threads that print some of the messages that this one dissects: they are handed the bytes of these messages, and what
 * is known about them. The output is that of a single thread, in the same order.
 *
 * A message that changes a name, or that is odd, is printed here: a helper that prints those around it is handed its
 * text.
 */
export class Helpers {
  /** What the run has to report. */
  readonly observers: Required<Pick<DissectOptions, "onRecognised" | "onName">> = {
    onRecognised: (session) => this.#repeatable.recognised(session),
    onName: (dissector, change) => {
      this.#hasNews = true;
      for (const thread of this.#threads) thread.change({ dissector: dissector.name, change });
    },
  };
  readonly #order: PrintedOrder;
  readonly #threads: readonly HelperThread[];
  readonly #repeatable = new Repeatable();
  /** The helper whose block is being collected. */
  #current: HelperThread | undefined;
  /** How many messages are printed here before helpers are asked again: all of them were busy. */
  #alone = 0;
  /** True if a name has changed since the last message. */
  #hasNews = false;
  #wake = () => {};

  private constructor(threads: number, { helper, options, files, output, onInternalError }: SharedWork) {
    const order = new PrintedOrder(output);
    this.#order = order;
    const client = { order, onInternalError, onNews: () => this.#wake() };
    this.#threads = Array.from({ length: threads - 1 }, () => new HelperThread(helper, { options, files }, client));
  }

  /** Starts helpers; undefined if they are not worth starting. */
  static async start(work: SharedWork): Promise<Helpers | undefined> {
    const { captures, threads } = work;
    const most = threads ?? Math.min(USUAL_THREADS, availableParallelism());
    if (most < 2) return undefined;
    if (threads === undefined) {
      const lengths = (await fileSizes(captures)) ?? [];
      if (lengths.reduce((sum, one) => sum + one, 0) < WORTH_HELP) return undefined;
    }
    return new Helpers(most, work);
  }

  /** Must be called with the first packet of the capture. */
  began(first: Origin): void {
    for (const thread of this.#threads) thread.began(first);
  }

  /** True if a helper prints a message. Must be called for each one that is shown, in order. */
  takes(message: Message): boolean {
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    if (hasNews) return false;
    const dissector = this.#repeatable.dissectorOf(message);
    if (dissector === undefined) return false;
    const thread = this.#next();
    if (thread === undefined) return false;
    if (thread.writer.message(message, dissector)) return true;
    if (thread.writer.isEmpty) return false;
    this.#end();
    return this.#next()?.writer.message(message, dissector) ?? false;
  }

  /** Writes a message that no helper takes. */
  write(text: string | Uint8Array): void {
    const writer = this.#current?.writer;
    if (writer !== undefined) {
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      if (!writer.isFull && writer.text(bytes)) return;
      this.#end();
    }
    this.#order.write(text);
  }

  /** Waits while helpers lag far behind. @throws what a helper has thrown */
  async caughtUp(): Promise<void> {
    this.#end();
    while (this.#arePrinting && this.#order.waiting > MOST_WAITING) await this.#news();
  }

  /** Waits for what helpers still have to print. @throws what a helper has thrown */
  async finish(): Promise<void> {
    this.#end();
    this.#order.end();
    while (this.#arePrinting) await this.#news();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** The helper that prints the next message; undefined if this thread does. */
  #next(): HelperThread | undefined {
    const current = this.#current;
    if (current !== undefined) {
      if (!current.writer.isFull) return current;
      this.#end();
    } else if (this.#alone > 0) {
      this.#alone--;
      return undefined;
    }
    let least: HelperThread | undefined;
    for (const thread of this.#threads) {
      if (thread.isFree && (least === undefined || thread.busy < least.busy)) least = thread;
    }
    if (least === undefined) this.#alone = MOST_MESSAGES - 1;
    least?.begin();
    this.#current = least;
    return least;
  }

  /** Ends the block that is being collected, if any. */
  #end(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.end();
  }

  /** @throws what has ended a helper before it has printed everything */
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
