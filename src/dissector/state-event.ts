import type { Json } from "../common/json.js";
import type { Direction, Origin } from "../network/conversation.js";
import type { FieldTree } from "../schema/language/field-tree.js";

/** Someone or something that messages refer to by a number or UUID, with its name where that is known. */
export interface Party {
  /** The kind of thing: "player". */
  readonly kind: string;
  readonly id: string;
  readonly name?: string | undefined;
}

/** Somebody says something to others. */
export interface ChatEvent {
  readonly kind: "chat";
  readonly from: Party;
  readonly to: readonly Party[];
  /** Where it is said: "age", "private". */
  readonly channel: string;
  readonly text: string;
  /** True for what a server passes on: the same may have been seen before, on its way to the server. */
  readonly isRelayed: boolean;
  /** What the original and all relayed copies have in common. */
  readonly key: string;
}

/** A step on a client's way to where it wants to be: it asks for it, gets it, or is refused. */
export interface StepEvent {
  readonly kind: "step";
  /** Name of the step, for people: "log in". */
  readonly step: string;
  readonly outcome: "asked" | "done" | "failed";
  /** Number of the message that asked for it, if that is known: otherwise it is the latest one that is open. */
  readonly answers?: number | undefined;
  /** What is asked for, or given. */
  readonly detail?: string | undefined;
  /** Name of the error. */
  readonly error?: string | undefined;
  /** Who plays from now on. */
  readonly player?: Party | undefined;
  /** Where the player is from now on. */
  readonly place?: Party | undefined;
}

/** Somebody has come to a place, or left it, as others there are told. */
export interface PresenceEvent {
  readonly kind: "presence";
  readonly player: Party;
  readonly isThere: boolean;
}

/** Something is said about a node of a graph that the server keeps. */
export interface NodeEvent {
  readonly kind: "node";
  /**
   * seen: the server has shown its fields; created; asked: a client wants to change fields; saved: the server has agreed
   * to that; refused; changed: the server says that somebody else has changed it, but not how; deleted.
   */
  readonly change: "seen" | "created" | "asked" | "saved" | "refused" | "changed" | "deleted";
  readonly id: string;
  /** What fields that refer to nodes refer to, as declared: "vaultNode". */
  readonly idKind?: string | undefined;
  /** Kind of node, for people: "Folder". */
  readonly type?: string | undefined;
  /** Its fields, by name; only those that the message has. */
  readonly fields?: Readonly<Record<string, Json>> | undefined;
  /** The kinds of things that a number or UUID in its fields may stand for, by the name of the field. */
  readonly refersTo?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Distinguishes a client's own change, of which it is told as well, from those of others. */
  readonly revision?: string | undefined;
  /** What people may call it: "Folder kInboxFolder". */
  readonly title?: string | undefined;
  readonly error?: string | undefined;
}

/** Something is said about what belongs to what. */
export interface EdgeEvent {
  readonly kind: "edge";
  readonly change: "seen" | "asked" | "added" | "removed" | "refused";
  readonly parent: string;
  readonly child: string;
  readonly owner?: Party | undefined;
  readonly error?: string | undefined;
}

/** A part of a file that is transferred. */
export interface FileEvent {
  readonly kind: "file";
  /** What the parts of one transfer have in common. */
  readonly transfer: string;
  readonly name: string;
  /** In bytes, as announced. */
  readonly size: number;
  /** Where the part belongs; undefined if it follows the parts before it. */
  readonly offset: number | undefined;
  readonly bytes: Uint8Array;
  readonly error?: string | undefined;
}

/** What a file should be, as a list of files says. */
export interface ListedFileEvent {
  readonly kind: "listed-file";
  readonly name: string;
  /** The name under which it is transferred. */
  readonly transferName: string;
  readonly size: number;
  readonly transferSize: number;
  /** MD5 in hexadecimal digits. */
  readonly hash: string;
  readonly transferHash: string;
  /** True if what is transferred is the file in a packed form: gzip. */
  readonly isPacked: boolean;
}

/** Somebody speaks: encoded frames, in order. */
export interface VoiceEvent {
  readonly kind: "voice";
  readonly from: Party;
  readonly codec: "opus" | "speex" | "pcm";
  readonly frames: readonly Uint8Array[];
  readonly isRelayed: boolean;
  readonly key: string;
}

/** A picture in a node. */
export interface PictureEvent {
  readonly kind: "picture";
  readonly node: string;
  readonly title: string;
  /** How its name ends: ".jpg". */
  readonly ending: string;
  readonly bytes: Uint8Array;
}

/** What somebody says the state of an object is: values of variables. */
export interface VariablesEvent {
  readonly kind: "variables";
  readonly object: string;
  /** Tells it from other objects of that name, if there may be any. */
  readonly key?: string | undefined;
  /** Whose it is, where each has one of that name, such as an avatar. */
  readonly owner?: Party | undefined;
  /** Where it is, if there may be several such places, each with an object of that name: an instance of an age. */
  readonly place?: Party | undefined;
  /** Name of the set of variables, and its version. */
  readonly set: string;
  readonly version: number;
  readonly from?: Party | undefined;
  readonly isRelayed: boolean;
  /** Undefined if the message does not say whether the server keeps it. */
  readonly isPersistent?: boolean | undefined;
  /** By name; undefined if the set is not defined. */
  readonly values: Readonly<Record<string, Json>> | undefined;
}

/** What a message says about the state of the world that the protocol is about. */
export type StateEvent =
  | ChatEvent
  | StepEvent
  | PresenceEvent
  | NodeEvent
  | EdgeEvent
  | FileEvent
  | ListedFileEvent
  | VoiceEvent
  | PictureEvent
  | VariablesEvent;

/** A message, as state readers see it. */
export interface StateMessage {
  readonly number: number;
  readonly origin: Origin;
  readonly name: string;
  readonly protocol: string;
  readonly direction: Direction;
  readonly conversation: { readonly stream: number };
  readonly nodes: FieldTree | undefined;
}

/**
 * Says what a message means; called with all messages of a dissector, in order. Beside what is in the message, that may
 * depend on the request that it answers and on earlier messages that meant something: of a session that is kept, only
 * those are looked at again.
 */
export type StateReader = (message: StateMessage) => readonly StateEvent[];
