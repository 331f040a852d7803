import type { Message } from "../dissect/message.js";
import type { DefinitionFile, Dissector } from "../dissector/dissector.js";
import type { InternalError } from "../dissector/failure.js";
import type { Limits } from "../limits.js";
import { Decoder } from "../schema/decode/decode.js";
import { Extent, type Window } from "../schema/decode/window.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { DecodedTree } from "../schema/language/field-tree.js";
import type { MessageContext } from "../schema/language/message-context.js";
import type { Type } from "../schema/language/type.js";
import { SkimmingDecoder } from "../schema/skim/skimming-decoder.js";
import { NameBook } from "../session/name-book.js";
import { commonSettings } from "../store/common-settings.js";
import {
  type Batch,
  type DatedChange,
  fieldsOf,
  type InternedUpdate,
  NUMBERS_LENGTH,
  numbersIn,
  type Provenance,
  TEXT,
  type TypeKey,
  USUAL_BYTES,
} from "./batch.js";

const NO_NOTES: Message["notes"] = [];
const NO_TYPE: TypeKey = { name: "", fields: "" };

/** Takes what is in a batch, in order. */
interface BatchListener {
  /** A message, valid during the call. */
  readonly message: (message: Message) => void;
  readonly text: (bytes: Uint8Array) => void;
  /** Called if a message cannot be decoded, or `message` has failed with it. */
  readonly failed: (failure: InternalError) => void;
}

/** What this thread knows about a provenance. */
interface KnownProvenance extends Provenance {
  readonly types: Dissector["types"];
  readonly settings: unknown;
  readonly names: NameBook;
}

interface BatchReaderOptions {
  /** True if the listener looks at few fields of a message: see `SkimmingDecoder`. */
  readonly skims?: boolean;
  /** Dissectors from outside. */
  readonly untrusted?: readonly Dissector[];
}

/** Decodes the messages of batches, with the names that were known when they were first decoded. */
export class BatchReader {
  readonly #decoder: Decoder;
  /** The types of dissectors from outside. */
  readonly #untrusted: ReadonlySet<Dissector["types"]>;
  readonly #dissectors: ReadonlyMap<string, Dissector>;
  readonly #names = new Map<string, NameBook>();
  readonly #settings = new Map<Dissector, unknown>();
  readonly #provenances: KnownProvenance[] = [];
  readonly #types: TypeKey[] = [];
  readonly #contexts: MessageContext[] = [];
  readonly #fields = new WeakMap<Type<unknown>, string>();
  /** A copy of the batch's bytes, since those are in shared memory; no Buffer, whose parts would be Buffers, too. */
  #bytes = new Uint8Array(0);
  #view = viewOf(this.#bytes);
  #numbers: Float64Array = new Float64Array(0);
  /** The next number. */
  #at = 0;
  /** Where the bytes of the next entry begin. */
  #start = 0;

  constructor(
    readonly limits: Limits,
    dissectors: readonly Dissector[],
    readonly definitions: ReadonlyMap<Dissector, readonly DefinitionFile[]>,
    { skims = false, untrusted = [] }: BatchReaderOptions = {},
  ) {
    this.#decoder = skims ? new SkimmingDecoder(limits) : new Decoder(limits);
    this.#untrusted = new Set(untrusted.map(({ types }) => types));
    this.#dissectors = new Map(dissectors.map((dissector) => [dissector.name, dissector]));
  }

  /** Makes changes of names that precede the next batch. */
  learn(changes: readonly DatedChange[]): void {
    for (const { dissector, change } of changes) this.#namesOf(dissector).apply(change);
  }

  read(batch: Batch, listener: BatchListener): void {
    this.#open(batch);
    const { changes, entries } = batch;
    let learned = 0;
    for (let entry = 0; entry <= entries; entry++) {
      for (let due = changes[learned]; due !== undefined && due.before <= entry; due = changes[++learned]) {
        this.#namesOf(due.dissector).apply(due.change);
      }
      if (entry === entries) return;
      const index = this.#next();
      const provenance = this.#provenances[index];
      if (index === TEXT) listener.text(this.#take(this.#next()));
      else if (provenance !== undefined) this.#message(provenance, batch, listener);
      else throw new RangeError("the batch does not fit the ones before it");
    }
  }

  #open({ memory, length, provenances, types, contexts }: Batch): void {
    extend(this.#provenances, provenances, (provenance) => this.#known(provenance));
    extend(this.#types, types, (type) => type);
    extend(this.#contexts, contexts, (one) => one);
    this.#numbers = numbersIn(memory);
    this.#at = 0;
    this.#start = 0;
    const shared = new Uint8Array(memory, NUMBERS_LENGTH, length);
    if (this.#bytes.length < length) {
      this.#bytes = new Uint8Array(Math.max(length, USUAL_BYTES));
      this.#view = viewOf(this.#bytes);
    }
    this.#bytes.set(shared);
  }

  #message(provenance: KnownProvenance, { annotations }: Batch, listener: BatchListener): void {
    const { conversation, protocol, dissector } = provenance;
    const type = this.#types[this.#next()] ?? NO_TYPE;
    const { name } = type;
    const context = this.#contexts[this.#next()];
    const added = annotations[this.#next()];
    const direction = this.#next() === 0 ? "c2s" : "s2c";
    const number = this.#next();
    const origin = {
      frame: this.#next(),
      seconds: this.#next(),
      nanoseconds: this.#next(),
      capture: provenance.capture,
    };
    const offset = this.#next();
    const length = this.#next();
    const extent = this.#next() === 1 ? Extent.Exact : Extent.Open;
    const frames: number[] = [];
    for (let left = this.#next(); left > 0; left--) frames.push(this.#next());
    const start = this.#start;
    const end = start + length;
    this.#start = end;
    try {
      const nodes = this.#decoded(type, provenance, { bytes: this.#bytes, view: this.#view, start, end }, extent);
      if (nodes?.endOf(0) !== length || nodes.outcome !== "ok") {
        throw new TypeError(`${name} is not declared alike in all threads`);
      }
      nodes.context = context;
      if (added !== undefined) for (const [node, text] of added) nodes.annotate(node, text);
      const status = "ok";
      const notes = NO_NOTES;
      listener.message({
        number,
        origin,
        frames,
        conversation,
        direction,
        protocol,
        name,
        status,
        nodes,
        offset,
        length,
        notes,
      });
    } catch (error) {
      listener.failed({ error, dissector, stream: conversation.stream, direction, offset });
    }
  }

  /** The tree of a message; undefined if its type is not known here, or takes more bytes. */
  #decoded(
    { name, fields }: TypeKey,
    provenance: KnownProvenance,
    window: Window,
    extent: Extent,
  ): DecodedTree | undefined {
    const decoder = this.#decoder;
    decoder.settings = provenance.settings;
    decoder.names = provenance.names;
    decoder.isTrusted = !this.#untrusted.has(provenance.types);
    const type = provenance.types.get(name);
    if (type === undefined || this.#fieldsOf(type) !== fields) return undefined;
    return decoder.decode(type, window, extent) ? decoder.nodes : undefined;
  }

  #fieldsOf(type: Type<unknown>): string {
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    const fields = fieldsOf(type.descriptor.struct);
    this.#fields.set(type, fields);
    return fields;
  }

  #next(): number {
    return this.#numbers[this.#at++] ?? 0;
  }

  #take(length: number): Uint8Array {
    const start = this.#start;
    this.#start = start + length;
    return this.#bytes.subarray(start, this.#start);
  }

  #known(provenance: Provenance): KnownProvenance {
    const dissector = this.#dissectors.get(provenance.dissector);
    const names = this.#namesOf(provenance.dissector);
    return {
      ...provenance,
      types: dissector?.types ?? new Map(),
      settings: dissector && this.#settingsOf(dissector),
      names: provenance.scope === undefined ? names : names.within(provenance.scope),
    };
  }

  #settingsOf(dissector: Dissector): unknown {
    if (!this.#settings.has(dissector)) {
      this.#settings.set(dissector, commonSettings(dissector, this.definitions.get(dissector) ?? []));
    }
    return this.#settings.get(dissector);
  }

  #namesOf(dissector: string): NameBook {
    let names = this.#names.get(dissector);
    if (names === undefined) {
      names = new NameBook(this.limits, () => {});
      this.#names.set(dissector, names);
    }
    return names;
  }
}

/** Makes a list what the other thread refers to. */
function extend<Sent, Known>(list: Known[], { kept, more }: InternedUpdate<Sent>, known: (thing: Sent) => Known): void {
  list.length = kept;
  for (const thing of more) list.push(known(thing));
}
