import { type Message, MessageRecord, type Status } from "../dissect/message.js";
import type { DefinitionFile, Dissector } from "../dissector/dissector.js";
import type { Limits } from "../limits.js";
import type { Conversation, Direction, Origin } from "../network/conversation.js";
import { Decoder } from "../schema/decode/decode.js";
import { Extent } from "../schema/decode/window.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { DecodedTree } from "../schema/language/field-tree.js";
import type { MessageContext } from "../schema/language/message-context.js";
import type { NameChange } from "../session/name-book.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import { ByteArena } from "./byte-arena.js";
import { commonSettings } from "./common-settings.js";
import { Contexts } from "./contexts.js";
import { decodeExtras, type Extras, encodeExtras } from "./extras.js";
import { NameHistory } from "./name-history.js";
import { Offloadable } from "./offloadable.js";
import { Rows } from "./rows.js";
import { Texts } from "./texts.js";

/** What is known of each message, as a number. */
const enum Column {
  Provenance,
  /** The number of its type, above its flags. */
  Type,
  Context,
  Answer,
  Length,
  Frame,
  Nanoseconds,
  /** These three may be too large for 32 bits: its time, its offset in the stream, and where its bytes are kept. */
  Seconds,
  Offset,
  Bytes,
  Count,
}

const enum Flag {
  FromServer = 1,
  IsExact = 2,
  /** Its frames are others than that of its origin, or it has annotations: `Extras` follow its bytes. */
  HasExtras = 4,
  /** All of them. */
  All = 7,
}

/** Bits of the flags. */
const FLAG_BITS = 3;

const NONE = new Uint8Array(0);

/** What many messages have in common. */
interface Provenance {
  readonly conversation: Conversation;
  readonly protocol: string;
  readonly capture: Origin["capture"];
  /** Name of the dissector; undefined if no message of it is decoded again. */
  readonly dissector: string | undefined;
  /** That of the names. */
  readonly scope: string | undefined;
}

/** What is known of a message without decoding it. */
export interface MessageHead {
  readonly number: number;
  readonly origin: Origin;
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly protocol: string;
  readonly name: string;
  readonly status: Status;
  /** In bytes. */
  readonly length: number;
  readonly context: MessageContext | undefined;
}

/**
 * Keeps all messages of a run, so that any of them can be looked at later: some 40 bytes and the message's own. A sound
 * message is decoded again when it is asked for, with the names that were known when it came; an odd one is kept as it
 * is.
 */
export class MessageStore {
  readonly #rows = new Rows(Column.Count, 0);
  readonly #arena = new ByteArena();
  readonly #contexts = new Contexts();
  readonly #provenances: Provenance[] = [];
  readonly #provenancesOf = new Map<Conversation, Map<string, number>>();
  readonly #types = new Texts();
  readonly #kept = new Map<number, Message>();
  readonly #names = new Map<string, NameHistory>();
  readonly #offloadable = new Offloadable();
  readonly #dissectors: ReadonlyMap<string, Dissector>;
  readonly #settings = new Map<Dissector, unknown>();
  readonly #definitions = new Map<Dissector, readonly DefinitionFile[]>();
  readonly #decoder: Decoder;

  /** @param dissectors all that take part in the run */
  constructor(dissectors: readonly Dissector[], limits: Limits) {
    this.#dissectors = new Map(dissectors.map((dissector) => [dissector.name, dissector]));
    this.#decoder = new Decoder(limits);
  }

  /** How many messages there are. */
  get count(): number {
    return this.#rows.count;
  }

  /** Must be called for each conversation once it is recognised. */
  recognised(session: RecognisedConversation): void {
    this.#definitions.set(session.recognisedBy, session.definitions);
    this.#offloadable.recognised(session);
  }

  /** Must be called with each change of a name. */
  changed(dissector: Dissector, change: NameChange): void {
    this.#namesOf(dissector.name).change(this.count, change);
  }

  /** Adds a message. All messages of the run have to be added, in order: the first has the index 0 and the number 1. */
  add(message: Message): void {
    const { origin, frames, direction, nodes } = message;
    const dissector = this.#offloadable.dissectorOf(message);
    const row = this.#rows.add();
    let flags = direction === "c2s" ? 0 : Flag.FromServer;
    this.#set(row, Column.Provenance, this.#provenanceOf(message, dissector, nodes?.names?.scope));
    this.#set(row, Column.Context, this.#contexts.shared(nodes?.context));
    this.#set(row, Column.Answer, this.#contexts.answer(nodes?.context?.answers));
    this.#set(row, Column.Frame, origin.frame);
    this.#set(row, Column.Nanoseconds, origin.nanoseconds);
    this.#set(row, Column.Length, message.length);
    this.#rows.setAny(row, Column.Seconds, origin.seconds);
    this.#rows.setAny(row, Column.Offset, message.offset);
    const source = nodes?.sources[0];
    if (dissector === undefined || nodes === undefined || source?.length !== message.length) {
      this.#kept.set(row, keptCopy(message));
      this.#setType(row, message.name, flags);
      return;
    }
    if (source.isExact) flags |= Flag.IsExact;
    const hasExtras = frames.length !== 1 || frames[0] !== origin.frame || nodes.annotations.size > 0;
    const extras = hasExtras ? encodeExtras({ frames, annotations: nodes.annotations }) : NONE;
    if (hasExtras) flags |= Flag.HasExtras;
    const bytes = this.#arena.add(source.bytes, source.origin, source.origin + message.length, extras);
    this.#rows.setAny(row, Column.Bytes, bytes);
    this.#setType(row, message.name, flags);
  }

  /** Returns what is known of a message without decoding it. @param index its number less 1 */
  head(index: number): MessageHead {
    const provenance = this.#provenance(index);
    return {
      number: index + 1,
      origin: this.#originOf(index),
      conversation: provenance.conversation,
      direction: this.#directionOf(index),
      protocol: provenance.protocol,
      name: this.#nameOf(index),
      status: this.#kept.get(index)?.status ?? "ok",
      length: this.#get(index, Column.Length),
      context: this.#contexts.at(this.#get(index, Column.Context), this.#get(index, Column.Answer)),
    };
  }

  /**
   * Returns a message. It is valid until the next one is asked for.
   *
   * @param index its number less 1
   * @throws RangeError if there is no such message
   */
  at(index: number): Message {
    if (!(index >= 0 && index < this.count)) throw new RangeError(`there is no message ${index + 1}`);
    const kept = this.#kept.get(index);
    if (kept !== undefined) return kept;
    const provenance = this.#provenance(index);
    const name = this.#nameOf(index);
    const extras = this.#extrasOf(index);
    const nodes = this.#decoded(index, name, provenance);
    if (extras !== undefined) for (const [node, text] of extras.annotations) nodes.annotate(node, text);
    const origin = this.#originOf(index);
    const frames = extras?.frames ?? [origin.frame];
    const offset = this.#rows.getAny(index, Column.Offset);
    const length = this.#get(index, Column.Length);
    return new MessageRecord(
      { number: index + 1, origin, frames },
      { conversation: provenance.conversation, direction: this.#directionOf(index), protocol: provenance.protocol },
      { name, status: "ok", nodes, offset, length, notes: [] },
    );
  }

  #decoded(index: number, name: string, provenance: Provenance): DecodedTree {
    const dissector = this.#dissectors.get(provenance.dissector ?? "");
    const type = dissector?.types.get(name);
    if (dissector === undefined || type === undefined) throw new RangeError(`${name} is not declared`);
    const decoder = this.#decoder;
    decoder.settings = this.#settingsOf(dissector);
    decoder.names = this.#namesOf(dissector.name).at(index, provenance.scope);
    const { bytes, start } = this.#arena.at(this.#rows.getAny(index, Column.Bytes));
    const window = { bytes, view: viewOf(bytes), start, end: start + this.#get(index, Column.Length) };
    const extent = (this.#flagsOf(index) & Flag.IsExact) === 0 ? Extent.Open : Extent.Exact;
    if (!decoder.decode(type, window, extent)) throw new RangeError(`${name} has become longer`);
    const { nodes } = decoder;
    nodes.context = this.#contexts.at(this.#get(index, Column.Context), this.#get(index, Column.Answer));
    return nodes;
  }

  #extrasOf(index: number): Extras | undefined {
    if ((this.#flagsOf(index) & Flag.HasExtras) === 0) return undefined;
    const { bytes, start } = this.#arena.at(this.#rows.getAny(index, Column.Bytes));
    return decodeExtras(bytes, start + this.#get(index, Column.Length));
  }

  #originOf(index: number): Origin {
    return {
      frame: this.#get(index, Column.Frame),
      seconds: this.#rows.getAny(index, Column.Seconds),
      nanoseconds: this.#get(index, Column.Nanoseconds),
      capture: this.#provenance(index).capture,
    };
  }

  #directionOf(index: number): Direction {
    return (this.#flagsOf(index) & Flag.FromServer) === 0 ? "c2s" : "s2c";
  }

  #provenance(index: number): Provenance {
    const provenance = this.#provenances[this.#get(index, Column.Provenance)];
    if (provenance === undefined) throw new RangeError(`there is no message ${index + 1}`);
    return provenance;
  }

  #provenanceOf(
    { conversation, protocol, origin: { capture } }: Message,
    dissector: string | undefined,
    scope: string | undefined,
  ): number {
    let known = this.#provenancesOf.get(conversation);
    if (known === undefined) {
      known = new Map();
      this.#provenancesOf.set(conversation, known);
    }
    // A range without fields has neither, and the protocol of a conversation may turn out later.
    const key = `${capture?.index ?? ""} ${protocol} ${dissector ?? ""} ${scope ?? ""}`;
    let index = known.get(key);
    if (index === undefined) {
      index = this.#provenances.push({ conversation, protocol, capture, dissector, scope }) - 1;
      known.set(key, index);
    }
    return index;
  }

  #namesOf(dissector: string): NameHistory {
    let names = this.#names.get(dissector);
    if (names === undefined) {
      names = new NameHistory();
      this.#names.set(dissector, names);
    }
    return names;
  }

  #settingsOf(dissector: Dissector): unknown {
    if (!this.#settings.has(dissector)) {
      this.#settings.set(dissector, commonSettings(dissector, this.#definitions.get(dissector) ?? []));
    }
    return this.#settings.get(dissector);
  }

  #nameOf(index: number): string {
    return this.#types.at(this.#get(index, Column.Type) >>> FLAG_BITS);
  }

  #flagsOf(index: number): number {
    return this.#get(index, Column.Type) & Flag.All;
  }

  #setType(row: number, name: string, flags: number): void {
    this.#set(row, Column.Type, (this.#types.numberOf(name) << FLAG_BITS) | flags);
  }

  #get(row: number, column: Column): number {
    return this.#rows.get(row, column);
  }

  #set(row: number, column: Column, value: number): void {
    this.#rows.set(row, column, value);
  }
}

/** A message with a tree of its own, which stays valid. */
function keptCopy(message: Message): Message {
  const { number, origin, frames, name, status, nodes, offset, length, notes } = message;
  return new MessageRecord({ number, origin, frames }, message, {
    name,
    status,
    nodes: nodes?.snapshot(),
    offset,
    length,
    notes,
  });
}
