import type { InternalError } from "../dissector/failure.js";
import { defaultLimits, type Limits } from "../limits.js";
import { Decoder } from "../schema/decode/decode.js";
import { SkimmingDecoder } from "../schema/skim/skimming-decoder.js";
import type { ElsewhereReader, RecognisedSession, SessionListener, SessionReader } from "../session/session.js";
import { type ConversationContext, ConversationDissection } from "./conversation-dissection.js";
import type { EmitterContext } from "./direction-emitter.js";
import type { MessageListener } from "./message.js";
import { Elsewhere } from "./order/elsewhere.js";
import type { OrderWatch } from "./order/order-watch.js";
import { type MessageOrder, Scheduler } from "./order/scheduler.js";

interface DissectionOptions {
  /** Called for errors in this program or in a dissector; the direction in which one happens is given up. */
  readonly onInternalError?: ((error: InternalError) => void) | undefined;
  readonly limits?: Limits;
  /** False if dissection of a direction stops at a message whose end is not known; true by default. */
  readonly searchesAfterUnknownEnd?: boolean | undefined;
  /** By default, as in the capture. */
  readonly order?: MessageOrder | undefined;
  /**
   * True if the listener looks into few messages: the others are only skimmed, with the same results. Where all trees
   * are read, that costs more than it saves. A function is asked before each message.
   */
  readonly skims?: boolean | (() => boolean) | undefined;
  /** For one of several threads. */
  readonly watch?: OrderWatch | undefined;
  /** See `EmitterContext`. */
  readonly answeredBy?: EmitterContext["answeredBy"];
}

/**
 * Splits the plaintext of conversations into messages, decodes them, and passes them on with their numbers. Without a
 * listener, does only what it takes to tell what a conversation is.
 */
export class Dissection implements SessionListener {
  readonly #context: ConversationContext;
  readonly #order: MessageOrder;
  readonly #total = { bytes: 0 };
  /** Puts the messages of all conversations in order that are not by themselves. */
  readonly #scheduler: Scheduler;

  constructor(listener: MessageListener | undefined, options: DissectionOptions = {}) {
    const { onInternalError, limits = defaultLimits, searchesAfterUnknownEnd = true, order = "capture" } = options;
    const { skims, answeredBy, watch } = options;
    const isWanted = typeof skims === "function" ? skims : undefined;
    const decoder = skims ? new SkimmingDecoder(limits, { isWanted }) : new Decoder(limits);
    const start = { nextNumber: 1, waiting: 0 };
    this.#context = {
      listener,
      decoder,
      limits,
      searchesAfterUnknownEnd,
      onInternalError,
      answeredBy,
      watch,
      ...start,
    };
    this.#order = order;
    this.#scheduler = this.#newScheduler();
  }

  /** Number of bytes in all directions that wait for more. */
  get waiting(): number {
    return this.#context.waiting;
  }

  recognised(session: RecognisedSession): SessionReader {
    const { watch } = this.#context;
    const isByItself = this.#order === "conversation" || session.recognisedBy.announces === true;
    // Their messages do not wait for others.
    if (watch !== undefined && (isByItself || session.conversation.transport === "udp")) watch.isUncertain = true;
    return new ConversationDissection(session, this.#context, isByItself ? this.#newScheduler() : this.#scheduler);
  }

  recognisedElsewhere(session: RecognisedSession): ElsewhereReader {
    const { watch } = this.#context;
    if (watch !== undefined && session.conversation.transport === "udp") watch.isUncertain = true;
    return new Elsewhere(session, this.#scheduler);
  }

  ended(): void {
    this.#scheduler.run(undefined);
  }

  #newScheduler(): Scheduler {
    // Without messages there is nothing to put in order.
    const { limits, listener, watch } = this.#context;
    return new Scheduler(limits, this.#total, listener !== undefined, watch);
  }
}
