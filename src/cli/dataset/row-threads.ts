import type { MessageRows } from "../../dataset/message-rows.js";
import type { Message } from "../../dissect/message.js";
import type { InternalError } from "../../dissector/failure.js";
import { isField, reachable } from "../../schema/describe/declared-parts.js";
import type { Struct } from "../../schema/language/struct.js";
import type { RecognisedConversation } from "../../session/recognised-conversation.js";
import { Offloadable } from "../../store/offloadable.js";
import { PartEnds, PartOrder } from "./parts.js";
import type { RowGroup } from "./row-group.js";
import type { RowMaker } from "./row-maker.js";
import type { RowTask } from "./row-order.js";
import { RowThread } from "./row-thread.js";

/** The most batches that all threads have to read: those of a part and a half, and 16 MB, if messages are of a usual length. */
const MOST_BATCHES = 128;

/** What rows are made of, and where they go. */
interface RowWork {
  /** The module that a thread runs. */
  readonly module: URL;
  readonly task: Omit<RowTask, "count">;
  /** Makes the rows of messages that no other thread can decode alike. */
  readonly own: MessageRows;
  readonly write: (group: RowGroup) => void;
  readonly onInternalError: (failure: InternalError) => void;
}

/**
 * Threads that make the rows of messages that this one dissects: they are handed the bytes of these messages, and what is
 * known about them. Each makes those of whole parts of the capture.
 *
 * The rows of a message that is odd, or whose fields depend on names that it changes, are made here, and added there.
 */
export class RowThreads implements RowMaker {
  readonly #order: PartOrder;
  readonly #own: MessageRows;
  readonly #threads: readonly RowThread[];
  readonly #offloadable = new Offloadable();
  readonly #ends = new PartEnds();
  /** The thread whose part is being collected. */
  #current: RowThread | undefined;
  /** True if a name has changed since the last message. */
  #hasNews = false;
  /** Messages, and whether they have fields whose types may depend on names. */
  readonly #resolving = new WeakMap<Struct, boolean>();
  #wake = () => {};

  /** @param count of threads that are started */
  constructor(count: number, { module, task, own, write, onInternalError }: RowWork) {
    this.#own = own;
    this.#order = new PartOrder(write);
    const client = {
      order: this.#order,
      onInternalError,
      freeMemory: () => this.#freeMemory(),
      onNews: () => this.#wake(),
    };
    this.#threads = Array.from({ length: count }, () => new RowThread(module, task, client));
  }

  /** What the run has to tell. */
  readonly hooks = {
    isFull: () => this.#busy >= MOST_BATCHES,
    onName: (dissector, change) => {
      this.#hasNews = true;
      for (const thread of this.#threads) thread.change({ dissector: dissector.name, change });
    },
  } satisfies RowMaker["hooks"];

  recognised(session: RecognisedConversation): void {
    this.#offloadable.recognised(session);
  }

  message(message: Message): void {
    const thread = this.#current ?? this.#leastBusy();
    this.#current = thread;
    const mayDiffer = this.#hasNews && this.#needsNames(message);
    this.#hasNews = false;
    const dissector = mayDiffer ? undefined : this.#offloadable.dissectorOf(message);
    const isTaken = dissector !== undefined && thread?.message(message, dissector) === true;
    if (!isTaken) thread?.rows(this.#own.partOf(message));
    if (!this.#ends.isAt(message)) return;
    thread?.endPart();
    this.#current = undefined;
  }

  async caughtUp(): Promise<void> {
    this.#current?.endBatch();
    while (this.#busy >= MOST_BATCHES / 2) await this.#news();
  }

  async finish(): Promise<void> {
    this.#current?.endPart();
    while (this.#order.count > 0) await this.#news();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** True if how a message is decoded may depend on names: other threads decode it with those that it has changed. */
  #needsNames({ nodes }: Message): boolean {
    const { struct } = nodes?.field(0) ?? {};
    if (struct === undefined) return true;
    const known = this.#resolving.get(struct) ?? resolves(struct);
    this.#resolving.set(struct, known);
    return known;
  }

  #freeMemory(): SharedArrayBuffer | undefined {
    for (const thread of this.#threads) {
      const memory = thread.readMemory();
      if (memory !== undefined) return memory;
    }
    return undefined;
  }

  get #busy(): number {
    return this.#threads.reduce((sum, { busy }) => sum + busy, 0);
  }

  #leastBusy(): RowThread | undefined {
    return this.#threads.reduce<RowThread | undefined>(
      (least, thread) => (least === undefined || thread.busy < least.busy ? thread : least),
      undefined,
    );
  }

  /** @throws what has ended a thread */
  async #news(): Promise<void> {
    for (const thread of this.#threads) thread.check();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** True if the type of a field in a struct is found only when it is decoded. */
function resolves(struct: Struct): boolean {
  return [...reachable([struct])].some((part) => isField(part) && part.resolver !== undefined);
}
