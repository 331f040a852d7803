import type { MessageRows } from "../../dataset/message-rows.js";
import type { Message } from "../../dissect/message.js";
import type { InternalError } from "../../dissector/failure.js";
import { MOST_MESSAGES as BATCH_MESSAGES } from "../../parallel/batch.js";
import { isField, reachable } from "../../schema/describe/declared-parts.js";
import type { Struct } from "../../schema/language/struct.js";
import type { RecognisedConversation } from "../../session/recognised-conversation.js";
import { Offloadable } from "../../store/offloadable.js";
import { type Part, PartEnds, PartOrder } from "./parts.js";
import type { RowGroup } from "./row-group.js";
import type { RowMaker } from "./row-maker.js";
import type { RowTask } from "./row-order.js";
import { RowThread } from "./row-thread.js";

/**
 * From so many parts on that all threads have to read, this one makes the rows of the next one itself: a part, and a
 * little more, last as long as that takes.
 */
const ENOUGH_PARTS = 7 / 6;
/** The most parts that all threads have to read: 26 MB, if messages are of a usual length. */
const MOST_PARTS = 13 / 6;

/** What rows are made of, and where they go. */
interface RowWork {
  /** The module that a thread runs. */
  readonly module: URL;
  readonly task: Omit<RowTask, "count">;
  /** The most messages of a part. */
  readonly partMessages: number;
  /** Returns what makes rows in this thread. */
  readonly rowsTo: (write: (group: RowGroup) => void) => MessageRows;
  readonly write: (group: RowGroup) => void;
  readonly onInternalError: (failure: InternalError) => void;
}

/**
 * Threads that make the rows of messages that this one dissects: they are handed the bytes of these messages, and what is
 * known about them. Each makes those of whole parts of the capture, as does this one while the others have enough to do.
 *
 * The rows of a message that is odd, or whose fields depend on names that it changes, are made here, and added there.
 */
export class RowThreads implements RowMaker {
  readonly #order: PartOrder;
  readonly #own: MessageRows;
  readonly #threads: readonly RowThread[];
  readonly #offloadable = new Offloadable();
  readonly #ends: PartEnds;
  readonly #enoughBatches: number;
  readonly #mostBatches: number;
  /** The thread whose part is being collected, or the part whose rows this one makes. */
  #current: RowThread | Part | undefined;
  /** True if a name has changed since the last message. */
  #hasNews = false;
  /** Messages, and whether they have fields whose types may depend on names. */
  readonly #resolving = new WeakMap<Struct, boolean>();
  #wake = () => {};

  /** @param count of threads that are started */
  constructor(count: number, { module, task, partMessages, rowsTo, write, onInternalError }: RowWork) {
    this.#ends = new PartEnds(partMessages);
    this.#enoughBatches = (ENOUGH_PARTS * partMessages) / BATCH_MESSAGES;
    this.#mostBatches = (MOST_PARTS * partMessages) / BATCH_MESSAGES;
    this.#order = new PartOrder(write);
    this.#own = rowsTo((group) => this.#ownGroup(group));
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
    isFull: () => this.#busy >= this.#mostBatches,
    // A message whose rows are made here is decoded anyway.
    skims: () => this.#current === undefined || this.#current instanceof RowThread,
    onName: (dissector, change) => {
      this.#hasNews = true;
      for (const thread of this.#threads) thread.change({ dissector: dissector.name, change });
    },
  } satisfies RowMaker["hooks"];

  recognised(session: RecognisedConversation): void {
    this.#offloadable.recognised(session);
  }

  message(message: Message): void {
    const current = this.#current ?? this.#next();
    this.#current = current;
    const hasNews = this.#hasNews;
    this.#hasNews = false;
    if (!(current instanceof RowThread)) this.#own.message(message);
    else if (!this.#handsOver(message, current, hasNews)) this.#own.passPart(message, (part) => current.rows(part));
    if (this.#ends.isAt(message)) this.#endPart();
  }

  async caughtUp(): Promise<void> {
    if (this.#current instanceof RowThread) this.#current.endBatch();
    this.#check();
    while (this.#busy >= this.#mostBatches) await this.#news();
  }

  async finish(): Promise<void> {
    this.#endPart();
    while (this.#order.count > 0) await this.#news();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** What makes the rows of the next part. */
  #next(): RowThread | Part {
    const thread = this.#busy < this.#enoughBatches ? this.#leastBusy() : undefined;
    return thread ?? this.#order.begin();
  }

  #endPart(): void {
    const current = this.#current;
    if (current instanceof RowThread) current.endPart();
    else if (current !== undefined) {
      this.#own.flush();
      this.#order.ended(current);
    }
    this.#current = undefined;
  }

  #handsOver(message: Message, thread: RowThread, hasNews: boolean): boolean {
    if (hasNews && this.#needsNames(message)) return false;
    const dissector = this.#offloadable.dissectorOf(message);
    return dissector !== undefined && thread.message(message, dissector);
  }

  /** Takes a group of rows of a part that is made here. */
  #ownGroup(group: RowGroup): void {
    const current = this.#current;
    if (current === undefined || current instanceof RowThread) return;
    this.#order.came(current, { ...group, bytes: group.bytes.slice() });
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
  #check(): void {
    for (const thread of this.#threads) thread.check();
  }

  /** @throws what has ended a thread */
  async #news(): Promise<void> {
    this.#check();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** True if the type of a field in a struct is found only when it is decoded. */
function resolves(struct: Struct): boolean {
  return [...reachable([struct])].some((part) => isField(part) && part.resolver !== undefined);
}
