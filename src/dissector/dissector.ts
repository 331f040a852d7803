import type { Direction, Endpoint, Origin, Transport } from "../network/conversation.js";
import type { Window } from "../schema/decode/window.js";
import type { DecodedTree, NameLookup } from "../schema/language/field-tree.js";
import type { OwnKind } from "../schema/language/sensitive.js";
import type { StructType } from "../schema/language/struct.js";
import type { Type } from "../schema/language/type.js";
import type { StateEvent, StateReader } from "./state-event.js";
import type { WiresharkSupport } from "./wireshark-support.js";

export {
  type Direction,
  directions,
  type Endpoint,
  inDirection,
  type Origin,
  type Transport,
} from "../network/conversation.js";
export type { Window } from "../schema/decode/window.js";
export {
  type AnswerOptions,
  annotateLink,
  answerTo,
  markAnswer,
  millisecondsBetween,
  type Passed,
} from "./answers.js";
export { fromBigEndian, fromLittleEndian, modularPower, toBigEndian, toLittleEndian } from "./diffie-hellman.js";
export { Rc4 } from "./rc4.js";
export { sharedObject } from "./shared-object.js";
export type * from "./state-event.js";
export type { HeadNumber, WiresharkFraming } from "./wireshark-framing.js";
export type { WiresharkCode, WiresharkData, WiresharkSupport } from "./wireshark-support.js";

/** The form in which some writers make a type; it counts only where nothing but that makes sense. */
export interface OtherReading {
  readonly type: Type<unknown>;
  /** What is then remarked on. */
  readonly note: string;
}

/** A way to write text as bytes, such as an obfuscation. */
export interface TextForm {
  readonly name: string;
  /** Undefined for a text that cannot be written so. */
  readonly encode: (text: string) => Uint8Array | undefined;
}

/**
 * The interface between this program and a protocol. A dissector is a plain object; the built-in ones use nothing else.
 * It declares its messages in the schema language and decides, step by step, which of them comes next in a direction.
 */
export interface Dissector {
  /** Short lower-case name, such as "moul". The dissector's protocols are named after it: "moul.auth". */
  readonly name: string;
  /**
   * Every declared type by name: common types, classes (with their tags, if they have any), families and messages.
   * These are the types that `decode` accepts.
   */
  readonly types: ReadonlyMap<string, Type<unknown>>;
  /** Other forms of these types, by name, for `decode`. */
  readonly otherReadings?: ReadonlyMap<string, OtherReading>;
  /** Full names of the protocols that `--decode-as` accepts for a conversation, such as "moul.auth". */
  readonly protocols: readonly string[];
  /** The messages of each protocol, for lists and schemas; one that several protocols share is under the first. */
  readonly messages?: ReadonlyMap<string, ProtocolMessages>;
  /** Other forms of messages, such as inside an envelope, for the JSON Schema. One form with all members is enough. */
  readonly otherForms?: () => Iterable<StructType<unknown>>;
  /** Ways in which its messages have text in bytes, beside UTF-8, UTF-16 and Latin-1, for those who search for one. */
  readonly textForms?: readonly TextForm[];
  /** Kinds of private values that its types are marked with, beside the general ones. */
  readonly sensitiveKinds?: readonly OwnKind[];
  /**
   * Ports that servers usually listen on. They only determine which dissector is asked first: whether a conversation
   * belongs to it is for `recognise` alone to decide.
   */
  readonly ports?: readonly PortHint[];
  /**
   * True if its messages tell what other conversations are, by what they note in `shared`, as those of a lobby that
   * announces ports do. They do not wait for messages of other conversations that have lost packets: what they announce
   * has to be known when it begins. So they are in the order of their packets only within each conversation.
   */
  readonly announces?: boolean;
  /**
   * True if what its types show depends only on the bytes of a message, the settings, and the names known so far, but
   * on no variable that changes, and if the settings of a conversation never change. Then several threads may share the
   * printing of its messages.
   */
  readonly isStateless?: boolean;
  /**
   * Returns what says what messages mean for the state of the world that the protocol is about: who is where, what is
   * said, what the server keeps. It is given all messages of a run that this dissector has made, in order.
   *
   * @param kinds only events of these kinds are of interest: others may be left out
   */
  readonly stateReader?: (kinds?: ReadonlySet<StateEvent["kind"]>) => StateReader;
  /** Returns the settings passed to `resolved` types of the schema language for bytes outside a conversation. */
  readonly settingsFor?: (definitions: readonly DefinitionFile[]) => unknown;
  /** Which files hold its keys, for somebody who has none: "the server's configuration, or a key log". */
  readonly keySources?: string;
  /** Reads a file that may hold key material. Must not throw, and must not put secrets into its remarks. */
  readonly readKeys?: (fileName: string, bytes: Uint8Array) => KeyFile;
  /**
   * Reads a file that may define formats, such as SDL descriptors. Must not throw. `earlier` holds the files that this
   * dissector has already read and recognised.
   */
  readonly readDefinitions?: (
    fileName: string,
    bytes: Uint8Array,
    keys: readonly KeyFile[],
    earlier: readonly DefinitionFile[],
  ) => DefinitionFile;
  /**
   * How Wireshark's plugin finds its messages. Without it, `moul-dissect wireshark --dissector` has the fields in the
   * plugin, but shows what a conversation says as bytes.
   */
  readonly wireshark?: WiresharkSupport;
  /** How the names of definition files end, such as ".sdl" (in any case): of a folder, only these files are read. */
  readonly definitionEnding?: string;
  /**
   * Decides from its first bytes whether a conversation belongs to this dissector. The answer "more" asks for more
   * bytes: the method is called again whenever bytes have arrived, until it answers "yes" or "no". If the capture does
   * not show which side is the client, it is also called with the two ends exchanged, so it should not take a server
   * for a client.
   *
   * Over UDP, "more" asks for the next datagram. Datagrams that left it undecided are kept, and dissected once one of
   * them decides. If there are too many to keep, the oldest are given up; a note on the first message says how many.
   */
  recognise(opening: Opening): Recognition;
  /**
   * Opens a conversation that was recognised, or one that the user has declared to speak `protocol`. Of the latter,
   * nothing may be known beyond a few bytes of one direction.
   */
  open(conversation: ConversationHandle, protocol?: string): ConversationDissector;
}

/** Whether a conversation belongs to a dissector; "more" if its first bytes are not enough to decide. */
export type Recognition = "yes" | "no" | "more";

/** The messages that the clients and the servers of a protocol send. */
export type ProtocolMessages = Readonly<Record<Direction, readonly StructType<unknown>[]>>;

/** A port that servers of a protocol usually listen on. */
export interface PortHint {
  readonly transport: Transport;
  readonly port: number;
}

/** The content of a key file as read by one dissector, which is the only one to see inside it. */
export interface KeyFile {
  /** False if the dissector does not know the file's format; the remarks may say more. */
  readonly recognised: boolean;
  /** True if it also decrypts future connections, as a server's private values do: others should not read the file. */
  readonly isPrivate?: boolean;
  /** False if the file is of a known kind but nothing in it can be used. */
  readonly isUsable?: boolean;
  /** What is odd about the file, in sentences that contain no secrets. */
  readonly remarks: readonly string[];
}

/** The content of a file that defines formats known only at run time, as read by one dissector. */
export interface DefinitionFile {
  /** False if the dissector does not know the file's format; the remarks may say more. */
  readonly recognised: boolean;
  /** What is odd about the file, in sentences. */
  readonly remarks: readonly string[];
}

/** The beginning of a conversation. */
export interface Opening {
  readonly transport: Transport;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** The first bytes from the client that have arrived; over UDP, one datagram. */
  readonly c2s: Uint8Array;
  /** The first bytes from the server that have arrived; over UDP, one datagram. */
  readonly s2c: Uint8Array;
  /** True if no more bytes will come from the client: there is no point in answering "more". */
  readonly final: boolean;
  /**
   * True if the beginning was not captured, so that the first bytes may be the middle of a message: no SYN was seen, or
   * the first bytes of a direction are missing.
   */
  readonly midstream: boolean;
  /**
   * What conversations of this dissector have noted for one another in this run, such as announced ports: see
   * `announces`.
   */
  readonly shared: Map<string, unknown>;
}

/** A stream cipher for the bytes of one direction. */
export interface Cipher {
  /** Decrypts bytes in place. Over UDP, it is called once for each datagram, and may start anew with each. */
  apply(bytes: Uint8Array, start?: number, end?: number): void;
  /** Moves the key stream past `count` bytes that were not captured. */
  advance(count: number): void;
}

/** The names that conversations have revealed. */
export interface Names extends NameLookup {
  /** Records a name in place of any earlier one; an empty name is ignored. */
  set(kind: string, id: string, name: string): void;
  /** Drops a name, because its id will stand for something else from here on. */
  forget(kind: string, id: string): void;
}

/** What a dissector can see of a conversation, and do with it. */
export interface ConversationHandle {
  readonly transport: Transport;
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** The same as `Opening.midstream`; valid only during `open()`. */
  readonly midstream: boolean;
  /** The key files that this dissector has read. */
  readonly keys: readonly KeyFile[];
  /** The definition files that this dissector has read. */
  readonly definitions: readonly DefinitionFile[];
  /** What conversations of this dissector note for one another in this run, such as announced ports. */
  readonly shared: Map<string, unknown>;
  /**
   * Names revealed by conversations of this dissector; once the conversation is open, by those with the same
   * `nameScope`. What a struct `introduces` is added automatically.
   */
  readonly names: Names;
  /**
   * Returns the bytes of a direction that have arrived since its last message, up to the next gap. If the direction
   * begins with a gap, the bytes after that gap.
   */
  pending(direction: Direction): Uint8Array;
  /** True if nothing will be added to `pending`: the direction has ended, or a gap follows. */
  ended(direction: Direction): boolean;
  /**
   * True if nothing follows those bytes because their sender has hung up, not because of a gap or the end of the
   * capture.
   */
  hungUp(direction: Direction): boolean;
  /**
   * Decrypts a direction from here on. Call it only once for a direction, from `open()`, `next()`, `datagram()` or
   * `decoded()`. The cipher starts after the last message, which in `decoded()` is the one passed to it; bytes that
   * have already arrived are decrypted in place. Captures written by the commands `decrypt` and `scrub` still contain
   * the key exchange, but what follows it is in the clear: look at `pending` before decrypting. In `decoded()` of the
   * last message of the exchange, little of what follows has come as a rule, so decide in `next()`.
   */
  decrypt(direction: Direction, cipher: Cipher): void;
}

/**
 * What comes next in a direction. Over UDP, a direction is a sequence of datagrams, and no message extends beyond its
 * own.
 */
export type Step =
  /**
   * A message of this type. `length` is its length in bytes, if the protocol states it; `scrub` preserves that length.
   * Leave it out if the message's own fields give the length through `within`. Without it, a long message may be
   * found complete only after some more bytes have come.
   *
   * Over UDP, a message without a `length` takes the rest of its datagram, so all but the last one need it. Never give
   * the number of bytes that are there: a datagram that was cut would count as malformed.
   */
  | { readonly step: "message"; readonly type: StructType<unknown>; readonly length?: number }
  /** This many bytes, counted from the current place, are needed to decide. */
  | { readonly step: "more"; readonly bytes: number }
  /** More bytes of the other direction are needed to decide. */
  | { readonly step: "wait" }
  /**
   * A message that cannot be dissected because it is not declared, or because its head makes no sense. Its first bytes
   * are shown as `head`, the rest as plain bytes. Without a `length`, it is not known where the message ends: over TCP,
   * the next one is then searched for where packets begin. Filters know the `name` if it is that of one of the
   * dissector's `types`.
   */
  | {
      readonly step: "unknown" | "malformed";
      readonly name: string;
      readonly head: StructType<unknown>;
      readonly reason: string;
      readonly length?: number;
    }
  /**
   * No message begins here, as in a conversation whose beginning was not captured: the next one is searched for with
   * `candidate`.
   */
  | { readonly step: "search" }
  /** Nothing from here on can be read. `reason` completes "this is": "encrypted, and there is no key for it". */
  | { readonly step: "encrypted"; readonly reason: string }
  /**
   * Nothing from here on belongs to the protocol, as on a connection that a proxy also uses for others: it is only
   * counted, never shown, or written by `decrypt` and `scrub`. The other direction has to be left in the same way.
   */
  | { readonly step: "foreign"; readonly reason: string };

/** What a conversation can be encrypted with. */
export const encryptions = ["rc4", "none", "unknown"] as const;
/** What can be known about the key of a conversation. */
export const keyStates = ["recovered", "missing", "wrong", "not-needed"] as const;

/** How a conversation is encrypted. */
export interface EncryptionState {
  /** "none" only once it is certain that no cipher will be applied to the conversation any more. */
  readonly encryption: (typeof encryptions)[number];
  readonly key: (typeof keyStates)[number];
  /** Where the key comes from, in words that contain no secrets. */
  readonly keySource: string;
  /** True if no further key would help: what keys are tried on is missing. */
  readonly isBeyondKeys?: boolean;
}

/** The state of a conversation in the clear. */
export const unencrypted: EncryptionState = { encryption: "none", key: "not-needed", keySource: "" };
/** The state of a conversation that may or may not be encrypted: it is not known yet, or cannot be known. */
export const unknownEncryption: EncryptionState = { encryption: "unknown", key: "missing", keySource: "" };

/** A message that could begin at a given place. */
export interface Candidate {
  readonly type: StructType<unknown>;
  /** Its length in bytes, if the head gives it. */
  readonly length?: number;
  /** How unlikely it is that arbitrary bytes look like this head, in bits. */
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

/** Something that a protocol spreads over several messages, reassembled. */
export interface Assembled {
  readonly type: StructType<unknown>;
  readonly bytes: Uint8Array;
  /** The messages that its bytes came in. */
  readonly parts: readonly MessagePlace[];
}

/** A dissector at work on one conversation. It holds whatever it needs to remember about that conversation. */
export interface ConversationDissector {
  /** Full name of the protocol that is spoken, such as "moul.auth". */
  readonly protocol: string;
  readonly encryptionState: EncryptionState;
  /**
   * True once no further message can change the protocol, the `encryptionState`, or what is known about other
   * conversations: from then on, messages are decoded only if there is a listener. While it is false, no message is
   * searched for after one whose end is not known.
   */
  readonly isSettled?: boolean;
  /**
   * True as long as `next` may say "foreign", or has said so: `decrypt` then writes what is dissected, but not what may
   * turn out to be somebody else's.
   */
  readonly mayLeave?: boolean;
  /** The settings passed to `resolved` types of the schema language. An object must not change. */
  readonly settings?: unknown;
  /**
   * The scope within which the ids of this conversation are unique. Conversations with the same scope share the names
   * of things; those without one share them across the whole dissector. Read once, when the conversation is opened.
   */
  readonly nameScope?: string;
  /** UDP only: called when a new datagram begins in this direction, before `next` is asked what it contains. */
  datagram?(direction: Direction): void;
  /**
   * Returns the key log line that decrypts this conversation, in a form that `readKeys` recognises; undefined if its
   * key has not been found. The line is a secret: it is requested only at the end of the conversation, and only to
   * export keys.
   */
  keyLogLine?(): string | undefined;
  /**
   * Decides what comes at the current place of a direction.
   *
   * @param window the bytes available from there on; valid only during the call
   */
  next(direction: Direction, window: Window): Step;
  /**
   * Called when the next `length` bytes of a direction were not captured, unless they all belong to the last message,
   * as its `length` shows. Returns true if `next` can still decide what follows them. Otherwise, and without this
   * method, the next message is searched for.
   */
  lost?(direction: Direction, length: number): boolean;
  /**
   * Returns the message that could begin at a place, judged by its head alone, without regard to what came before.
   * This is how messages are found again after a loss, or after a message whose end is not known. Without this method,
   * nothing more of the direction is dissected in such a case.
   *
   * @returns undefined if none could; "more" if the window is too short to decide
   */
  candidate?(direction: Direction, window: Window): Candidate | "more" | undefined;
  /**
   * Called after each message has been decoded, but not after a step "unknown" or "malformed". It may add annotations,
   * notes and its context to the message's tree, which is valid only during the call.
   */
  decoded?(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void;
  /**
   * Called after each message. If the message has completed something that is spread over several messages, returns it
   * reassembled: that is shown right after it, as a message of its own with its own byte source.
   */
  assembled?(direction: Direction): Assembled | undefined;
}
