import type { OrderWatch } from "../dissect/order/order-watch.js";
import type { Dissector } from "../dissector/dissector.js";
import type { Limits } from "../limits.js";
import type { NameWatch } from "../session/name-book.js";

/**
 * The conversations that a run dissects as one of several threads, each of which reads everything. What conversations of
 * different threads have in common is put right by who takes their messages; where that cannot be done, the share is
 * unusual, and one thread has to dissect everything.
 */
export interface Share {
  /** How many threads there are. */
  readonly threads: number;
  /** True if this one dissects the conversation with a number (`Conversation.stream`). */
  owns(stream: number): boolean;
  readonly order: OrderWatch;
  readonly watchNames: (dissector: Dissector) => NameWatch;
  /** Called with what may make a difference to one thread, to follow "because". */
  readonly unusual: (why: string) => void;
}

/**
 * Limits that conversations have in common, divided: if no thread reaches its own, one thread would not have reached
 * all of it.
 */
const COMMON = ["waitingBytes", "queuedBytes", "names", "cipherSkipAnyhow"] as const;

/** The limits of one of several threads. */
export function limitsOfShare(limits: Limits, { threads }: Share): Limits {
  return { ...limits, ...Object.fromEntries(COMMON.map((name) => [name, Math.floor(limits[name] / threads)])) };
}
