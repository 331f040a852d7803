import { copyBytes } from "../common/copy-bytes.js";
import type { Message } from "../dissect/message.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { Field } from "../schema/language/field.js";
import type { MessageContext } from "../schema/language/message-context.js";
import { copied, isCopyOf } from "../store/context-copy.js";
import {
  type Batch,
  type DatedChange,
  fieldsOf,
  MOST_MESSAGES,
  NONE,
  NUMBERS_LENGTH,
  numbersIn,
  type Provenance,
  TEXT,
  type TypeKey,
  USUAL_BYTES,
} from "./batch.js";
import { Interned } from "./interned.js";

/** The most bytes of a message that is handed over: the memory of a batch grows to hold it. */
const MOST_BYTES = 2 * 1024 * 1024;
/** The numbers of a message besides its frames. */
const NUMBERS = 13;

/** Collects messages, batch by batch. */
export class BatchWriter {
  #memory = new SharedArrayBuffer(NUMBERS_LENGTH);
  #numbers = numbersIn(this.#memory);
  #bytes: Uint8Array = new Uint8Array(0);
  #view = viewOf(this.#bytes);
  /** How many numbers and bytes are in use. */
  #count = 0;
  #filled = 0;
  #entries = 0;
  readonly #provenances = new Interned<Provenance>();
  /** What may change in a conversation, as the provenances have it. */
  readonly #last = new WeakMap<Message["conversation"], Pick<Provenance, "protocol" | "capture">>();
  readonly #types = new Interned<TypeKey>();
  readonly #contexts = new Interned<MessageContext>();
  /** Copies of contexts as they were when they were interned. */
  readonly #copies = new WeakMap<MessageContext, MessageContext>();
  #annotations: ReadonlyMap<number, string>[] = [];
  #changes: DatedChange[] = [];

  /** Starts a batch, in memory that no other thread uses any more; undefined for new memory. */
  begin(memory: SharedArrayBuffer | undefined): void {
    this.#use(memory ?? new SharedArrayBuffer(NUMBERS_LENGTH + USUAL_BYTES));
    this.#count = 0;
    this.#filled = 0;
    this.#entries = 0;
    this.#provenances.begin();
    this.#types.begin();
    this.#contexts.begin();
    this.#annotations = [];
    this.#changes = [];
  }

  get isFull(): boolean {
    return this.#entries >= MOST_MESSAGES;
  }

  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  /** Notes that a name has changed between the last entry and the next one. */
  change(change: Omit<DatedChange, "before">): void {
    this.#changes.push({ before: this.#entries, ...change });
  }

  /** Adds a text that is printed already; false, with nothing added, if there is no room for it. */
  text(bytes: Uint8Array): boolean {
    if (!this.#hasRoom(bytes.length, 2)) return false;
    this.#add(TEXT);
    this.#add(bytes.length);
    this.#bytes.set(bytes, this.#filled);
    this.#filled += bytes.length;
    this.#entries++;
    return true;
  }

  /**
   * Adds a message that is sound; false, with nothing added, if there is no room for it.
   *
   * @param dissector name of the dissector
   */
  message(message: Message, dissector: string): boolean {
    const { direction, number, origin, offset, frames, nodes } = message;
    const source = nodes?.sources[0];
    if (nodes === undefined || source === undefined) return false;
    const { view, origin: start, length } = source;
    if (!this.#hasRoom(length, NUMBERS + frames.length)) return false;
    const { context, annotations } = nodes;
    this.#add(this.#provenanceOf(message, dissector, nodes.names?.scope));
    this.#add(this.#types.find(message.name) ?? this.#typeOf(message.name, nodes.field(0)));
    this.#add(context === undefined ? NONE : this.#indexOf(context));
    this.#add(annotations.size === 0 ? NONE : this.#annotations.push(new Map(annotations)) - 1);
    this.#add(direction === "c2s" ? 0 : 1);
    this.#add(number);
    this.#add(origin.frame);
    this.#add(origin.seconds);
    this.#add(origin.nanoseconds);
    this.#add(offset);
    this.#add(length);
    this.#add(source.isExact ? 1 : 0);
    this.#add(frames.length);
    for (let index = 0; index < frames.length; index++) this.#add(frames[index] ?? 0);
    copyBytes(view, start, this.#view, this.#filled, length);
    this.#filled += length;
    this.#entries++;
    return true;
  }

  /** What has been collected. */
  get batch(): Batch {
    return {
      memory: this.#memory,
      entries: this.#entries,
      length: this.#filled,
      provenances: this.#provenances.update,
      types: this.#types.update,
      contexts: this.#contexts.update,
      annotations: this.#annotations,
      changes: this.#changes,
    };
  }

  #provenanceOf({ conversation, protocol, origin }: Message, dissector: string, scope: string | undefined): number {
    const { capture } = origin;
    const known = this.#provenances.find(conversation);
    const last = known === undefined ? undefined : this.#last.get(conversation);
    if (known !== undefined && last?.protocol === protocol && last.capture === capture) return known;
    this.#last.set(conversation, { protocol, capture });
    return this.#provenances.add(conversation, {
      conversation: plain(conversation),
      protocol,
      capture,
      dissector,
      scope,
    });
  }

  #typeOf(name: string, { struct }: Field): number {
    return this.#types.add(name, { name, fields: fieldsOf(struct) });
  }

  #indexOf(context: MessageContext): number {
    const known = this.#contexts.find(context);
    const copy = known === undefined ? undefined : this.#copies.get(context);
    if (known !== undefined && copy !== undefined && isCopyOf(copy, context)) return known;
    const fresh = copied(context);
    this.#copies.set(context, fresh);
    return this.#contexts.add(context, fresh);
  }

  #add(number: number): void {
    this.#numbers[this.#count++] = number;
  }

  #hasRoom(bytes: number, numbers: number): boolean {
    if (this.#count + numbers > this.#numbers.length) return false;
    if (this.#filled + bytes <= this.#bytes.length) return true;
    if (!this.isEmpty || bytes > MOST_BYTES) return false;
    this.#use(new SharedArrayBuffer(NUMBERS_LENGTH + bytes));
    return true;
  }

  #use(memory: SharedArrayBuffer): void {
    this.#memory = memory;
    this.#numbers = numbersIn(memory);
    this.#bytes = new Uint8Array(memory, NUMBERS_LENGTH);
    this.#view = viewOf(this.#bytes);
  }
}

/** A conversation as it is now, without what belongs to this thread. */
function plain(conversation: Message["conversation"]): Message["conversation"] {
  const { stream, transport, client, server, clientIsKnown, path, first, last } = conversation;
  const { packets, payloadBytes, missingBytes, unaccepted } = conversation;
  return {
    stream,
    transport,
    client: { address: client.address, port: client.port },
    server: { address: server.address, port: server.port },
    clientIsKnown,
    path,
    packets: { ...packets },
    payloadBytes: { ...payloadBytes },
    missingBytes: { ...missingBytes },
    unaccepted: { ...unaccepted },
    first,
    last,
  };
}
