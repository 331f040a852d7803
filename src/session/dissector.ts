import type { Direction, Endpoint, Origin, Transport } from "../network/conversation.js";
import type { Window } from "../schema/decode.js";
import type { DecodedTree, NameLookup } from "../schema/field-tree.js";
import type { StructType } from "../schema/struct.js";
import type { Type } from "../schema/type.js";

export { type Direction, directions, type Endpoint, type Origin, type Transport } from "../network/conversation.js";
export type { Window } from "../schema/decode.js";
export { fromBigEndian, fromLittleEndian, modularPower, toBigEndian, toLittleEndian } from "./diffie-hellman.js";
export { Rc4 } from "./rc4.js";

/**
 * The interface between this program and a protocol. A dissector is a plain object; the built-in ones use nothing else.
 * It declares its messages in the schema language and says, step by step, which of them comes next in a direction.
 */
export interface Dissector {
  /** Short lower-case name: "moul". Its protocols are named after it: "moul.auth". */
  readonly name: string;
  /**
   * Every declared type by its name: common types, classes (with their tags, where they have one), families, messages.
   * What `decode` accepts.
   */
  readonly types: ReadonlyMap<string, Type<unknown>>;
  /** Full names of the protocols that a conversation can be declared to speak (`--decode-as`): "moul.auth". */
  readonly protocols: readonly string[];
  /** The messages of each protocol, for lists and schemas; a message of several protocols stands with the first. */
  readonly messages?: ReadonlyMap<string, ProtocolMessages>;
  /** Further forms of messages, such as within an envelope, for the JSON Schema. One with all members will do. */
  readonly otherForms?: () => Iterable<StructType<unknown>>;
  /**
   * Ports that servers usually listen on. They only decide which dissector is asked first: whose a conversation is,
   * `recognise` alone decides.
   */
  readonly ports?: readonly PortHint[];
  /** The settings that `resolved` types of the schema language are given for bytes outside a conversation. */
  readonly settingsFor?: (definitions: readonly DefinitionFile[]) => unknown;
  /** Reads a file that may hold key material. Must not throw, and must not put secrets into its remarks. */
  readonly readKeys?: (fileName: string, bytes: Uint8Array) => KeyFile;
  /**
   * Reads a file that may define formats, such as SDL descriptors. Must not throw. `earlier` are the files that it has
   * read before, and that it knew.
   */
  readonly readDefinitions?: (
    fileName: string,
    bytes: Uint8Array,
    keys: readonly KeyFile[],
    earlier: readonly DefinitionFile[],
  ) => DefinitionFile;
  /** What the names of such files end with, ".sdl" for one, in any case: those that are read of a folder. */
  readonly definitionEnding?: string;
  /**
   * Tells from its first bytes whether a conversation is one of this dissector's. "more" asks for more bytes before it
   * decides. Called again whenever bytes have arrived, until the answer is not "more"; where the recording does not
   * show who is the client, also with the ends exchanged, so it should not take a server for one. Of UDP, "more" asks
   * for the next datagram; those that did not tell are dissected once one does, unless there are too many to keep. A
   * note on the first message says how many were given up.
   */
  recognise(opening: Opening): Recognition;
  /**
   * Begins a conversation that was recognised; or one that the user has declared to speak `protocol`, of which nothing
   * more may be known than some bytes of either direction.
   */
  open(conversation: ConversationHandle, protocol?: string): ConversationDissector;
}

/** Whether a conversation is a dissector's; "more": that its first bytes do not tell yet. */
export type Recognition = "yes" | "no" | "more";

/** What clients and servers of a protocol say. */
export type ProtocolMessages = Readonly<Record<Direction, readonly StructType<unknown>[]>>;

/** A port that servers of a protocol usually listen on. */
export interface PortHint {
  readonly transport: Transport;
  readonly port: number;
}

/** What a file of key material holds, for the dissector that read it; others cannot see into it. */
export interface KeyFile {
  /** False if the dissector does not know the file's format; the remarks may tell more. */
  readonly recognised: boolean;
  /** True if it also opens connections of the future, as a server's private values do: others should not read it. */
  readonly isPrivate?: boolean;
  /** False if it is of a known kind, and nothing in it can be used. */
  readonly isUsable?: boolean;
  /** What is odd about the file, as sentences that hold no secrets. */
  readonly remarks: readonly string[];
}

/** What a file of definitions holds (formats that are known only at run time), for the dissector that read it. */
export interface DefinitionFile {
  /** False if the dissector does not know the file's format; the remarks may tell more. */
  readonly recognised: boolean;
  /** What is odd about the file, as sentences. */
  readonly remarks: readonly string[];
}

/** The beginning of a conversation. */
export interface Opening {
  readonly transport: Transport;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** The first bytes from the client, as far as they are there; of UDP one datagram. */
  readonly c2s: Uint8Array;
  /** The first bytes from the server, as far as they are there; of UDP one datagram. */
  readonly s2c: Uint8Array;
  /** True if no more bytes will come from the client: it is no use to ask for "more". */
  readonly final: boolean;
  /**
   * True if the beginning was not captured, and what comes first may be the middle of a message: no SYN was seen, or
   * the first bytes of a direction are missing.
   */
  readonly midstream: boolean;
  /** What conversations of this dissector have put down for each other in this run, such as announced ports. */
  readonly shared: Map<string, unknown>;
}

/** A key stream that is laid over the bytes of one direction. */
export interface Cipher {
  /** Decrypts bytes in place. */
  apply(bytes: Uint8Array, start?: number, end?: number): void;
  /** Passes over bytes that were not captured. */
  advance(count: number): void;
}

/** The names that conversations have shown. */
export interface Names extends NameLookup {
  /** Takes down a name, in place of an earlier one; an empty one says nothing. */
  set(kind: string, id: string, name: string): void;
}

/** What a dissector may do with the conversation that it works on. */
export interface ConversationHandle {
  readonly transport: Transport;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** While the conversation is opened: true if its beginning was not captured, as `Opening` tells it. */
  readonly midstream: boolean;
  /** The key files that this dissector has read. */
  readonly keys: readonly KeyFile[];
  /** The files of definitions that this dissector has read. */
  readonly definitions: readonly DefinitionFile[];
  /** What conversations of this dissector put down for each other in this run, such as announced ports. */
  readonly shared: Map<string, unknown>;
  /**
   * Names that conversations of this dissector have shown: those of the same `nameScope`, once the conversation is
   * open. What a struct `introduces` is in there by itself.
   */
  readonly names: Names;
  /**
   * The bytes of a direction that follow its last message, as far as they are there and without a gap; of one that
   * begins with a gap those behind it.
   */
  pending(direction: Direction): Uint8Array;
  /** True if no more bytes follow those of `pending`: the direction is at its end, or there is a gap. */
  ended(direction: Direction): boolean;
  /**
   * True if nothing follows those bytes because their sender has hung up: not if there is a gap, or the capture ends.
   */
  hungUp(direction: Direction): boolean;
  /**
   * Decrypts a direction from here on, once: from `open()`, `next()`, `datagram()` or `decoded()`. The cipher begins
   * behind the last message, which is the one that `decoded()` is told of; bytes that are there already are decrypted
   * in place. Captures that `decrypt` and `scrub` write still have the key exchange, but what follows it is in the
   * clear: look at `pending` before decrypting.
   */
  decrypt(direction: Direction, cipher: Cipher): void;
}

/**
 * What comes next in a direction. Of UDP a direction is one datagram after the other: no message goes beyond its own.
 */
export type Step =
  /**
   * A message of this type. `length` is its length in bytes where the protocol tells it, and the message keeps that
   * length when it is scrubbed. Leave it out where the fields of the message tell it by `within`, and do not give the
   * length of a datagram: one that was cut would count as malformed.
   */
  | { readonly step: "message"; readonly type: StructType<unknown>; readonly length?: number }
  /** It takes this many bytes from the current place on to tell. */
  | { readonly step: "more"; readonly bytes: number }
  /** It takes more of the other direction to tell. */
  | { readonly step: "wait" }
  /**
   * A message that cannot be taken apart, because it is not declared or because its head makes no sense. The head can
   * be shown as `head`; what is behind it is shown as bytes. Without a `length` it is not known where the message ends:
   * of a TCP direction, the next one is searched for where packets begin.
   */
  | {
      readonly step: "unknown" | "malformed";
      readonly name: string;
      readonly head: StructType<unknown>;
      readonly reason: string;
      readonly length?: number;
    }
  /**
   * No message begins here, as in a conversation whose beginning was not captured: `candidate` is asked where one does.
   */
  | { readonly step: "search" }
  /** Nothing from here on can be read. The reason goes behind "is": "encrypted, and there is no key for it". */
  | { readonly step: "encrypted"; readonly reason: string };

/** What a conversation can be encrypted with. */
export const encryptions = ["rc4", "none", "unknown"] as const;
/** What can be known of the key of a conversation. */
export const keyStates = ["recovered", "missing", "wrong", "not-needed"] as const;

/** How a conversation is encrypted. */
export interface EncryptionState {
  /** "none" is said only when it is sure that no cipher will be laid over the conversation any more. */
  readonly encryption: (typeof encryptions)[number];
  readonly key: (typeof keyStates)[number];
  /** Where the key comes from, in words without secrets. */
  readonly keySource: string;
}

/** That of a conversation in the clear. */
export const unencrypted: EncryptionState = { encryption: "none", key: "not-needed", keySource: "" };
/** That of a conversation of which it is not known yet, or cannot be known, whether it is encrypted. */
export const unknownEncryption: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };

/** A message that could begin at some place. */
export interface Candidate {
  readonly type: StructType<unknown>;
  /** Its length in bytes, where the head tells it. */
  readonly length?: number;
  /** How unlikely it is, in bits, that arbitrary bytes look like this head. */
  readonly bits: number;
}

/** The place of a message in the output. */
export interface MessagePlace {
  /** Its number, counted from 1. */
  readonly number: number;
  /** The packet that completed it. */
  readonly origin: Origin;
  /** The frames that its bytes came in, in the order of the stream. */
  readonly frames: readonly number[];
}

/** Something that a protocol spreads over several messages, put together again. */
export interface Assembled {
  readonly type: StructType<unknown>;
  readonly bytes: Uint8Array;
  /** The messages that its bytes came in. */
  readonly parts: readonly MessagePlace[];
}

/** A dissector at work on one conversation: it keeps what it has to remember of it. */
export interface ConversationDissector {
  /** Full name of the protocol that is spoken: "moul.auth". */
  readonly protocol: string;
  readonly encryptionState: EncryptionState;
  /**
   * True once no further message can change the protocol, the `encryptionState`, or what is known of other
   * conversations: from then on messages are decoded only for a listener. While it is false, no message is searched for
   * behind one whose end is not known.
   */
  readonly isSettled?: boolean;
  /** The settings that `resolved` types of the schema language are given. */
  readonly settings?: unknown;
  /**
   * The scope within which the ids of this conversation are unique: names of things are shared among the
   * conversations that give the same one; without it, among all of this dissector. Asked once, when the conversation is
   * opened.
   */
  readonly nameScope?: string;
  /** Of UDP: told that a new datagram begins in this direction, before `next` is asked what it holds. */
  datagram?(direction: Direction): void;
  /**
   * The line of a key log that reads this conversation again, in the form that `readKeys` knows; undefined if no key of
   * it has been found. It is a secret: asked only for those who want the keys, at the end of the conversation.
   */
  keyLogLine?(): string | undefined;
  /**
   * Says what stands at the current place of a direction.
   *
   * @param window the bytes from there on, as far as they are there; valid only during the call
   */
  next(direction: Direction, window: Window): Step;
  /**
   * Told how many of the next bytes of a direction were not captured; not of those that belong to the last message, as
   * its `length` says. True if `next` can say what stands behind them all the same. Otherwise, and without this method,
   * the next message is searched for.
   */
  lost?(direction: Direction, length: number): boolean;
  /**
   * Says which message could begin at a place, by its head alone and without regard to what came before: for finding
   * messages again after a loss, and behind one whose end is not known. Without it, a direction ends there.
   *
   * @returns undefined if none could; "more" if the window is too short to tell
   */
  candidate?(direction: Direction, window: Window): Candidate | "more" | undefined;
  /**
   * Told of each message when it has been decoded; may add annotations, notes and circumstances to its tree, which is
   * valid only during the call.
   */
  decoded?(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void;
  /**
   * Asked behind each message whether it has completed something that is spread over several messages. That is shown as
   * a message of its own right behind, with a byte source of its own.
   */
  assembled?(direction: Direction): Assembled | undefined;
}
