import type { Message } from "../dissect/message.js";
import type { Origin } from "../network/conversation.js";
import type { MessageContext } from "../schema/language/message-context.js";
import type { Struct } from "../schema/language/struct.js";
import type { NameChange } from "../session/name-book.js";

/**
 * The most messages of a batch, if they are short: enough to make the cost of handing it over negligible, and few
 * enough to be printed soon.
 */
export const MOST_MESSAGES = 256;

/** What stands in the numbers of a batch instead of a provenance, before the length of a printed text. */
export const TEXT = -1;
/** What stands there instead of something that a message does not have. */
export const NONE = -1;

/** What a message of a batch belongs to. */
export interface Provenance {
  readonly conversation: Message["conversation"];
  readonly protocol: string;
  /** The capture in which the messages are. */
  readonly capture: Origin["capture"];
  /** Name of the dissector. */
  readonly dissector: string;
  /** That of the names. */
  readonly scope: string | undefined;
}

/** A type of messages. */
export interface TypeKey {
  readonly name: string;
  /** Its fields, as `fieldsOf` writes them: the other thread may have loaded another declaration. */
  readonly fields: string;
}

/** Returns the fields of a struct as a text, which differs from that of another declaration. */
export function fieldsOf(struct: Struct | undefined): string {
  return (struct?.fields ?? []).map(({ name, kind, width }) => `${name} ${kind} ${width}`).join();
}

/** A change of names, and how many entries of the batch precede it. */
export interface DatedChange {
  readonly before: number;
  readonly dissector: string;
  readonly change: NameChange;
}

/** Things that messages refer to by their index: those known from earlier batches, and then some more. */
export interface InternedUpdate<Thing> {
  /** How many of those known before are kept. */
  readonly kept: number;
  readonly more: readonly Thing[];
}

/**
 * Messages for another thread to decode once more, and to print, and texts that are printed already, in order.
 *
 * The memory holds numbers of eight bytes each, and then the bytes of the messages and texts. The numbers of a message
 * are those that `BatchWriter.message` writes; those of a text are `TEXT` and its length.
 */
export interface Batch {
  readonly memory: SharedArrayBuffer;
  /** Number of messages and texts. */
  readonly entries: number;
  /** Number of their bytes. */
  readonly length: number;
  readonly provenances: InternedUpdate<Provenance>;
  readonly types: InternedUpdate<TypeKey>;
  readonly contexts: InternedUpdate<MessageContext>;
  /** What was added to nodes of messages: `annotations` of their trees. */
  readonly annotations: readonly ReadonlyMap<number, string>[];
  readonly changes: readonly DatedChange[];
}

/** The bytes of messages and texts for which every batch has room. */
export const USUAL_BYTES = 80 * 1024;

/** Bytes of a batch's memory that hold numbers. */
export const NUMBERS_LENGTH = 48 * 1024;

/** The numbers in a batch's memory. */
export function numbersIn(memory: SharedArrayBuffer): Float64Array {
  return new Float64Array(memory, 0, NUMBERS_LENGTH / Float64Array.BYTES_PER_ELEMENT);
}
