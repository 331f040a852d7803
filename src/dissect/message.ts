import type { MessagePlace } from "../dissector/dissector.js";
import { isGroupAddress } from "../network/address.js";
import type { Conversation, Direction, Origin } from "../network/conversation.js";
import type { FieldTree, Severity } from "../schema/language/field-tree.js";
import type { Outcome } from "../schema/language/outcome.js";

/** The status of a message: its `Outcome`, or that it could not be decrypted. */
export const statuses = ["ok", "malformed", "truncated", "unknown", "encrypted"] as const satisfies readonly (
  | Outcome
  | "encrypted"
)[];
/** How well a message could be dissected. */
export type Status = (typeof statuses)[number];

/** The directions of messages, as shown to people; "none" if neither end is a server: see `directionOf`. */
export const shownDirections = ["c2s", "s2c", "none"] as const;
export type ShownDirection = (typeof shownDirections)[number];

/** A note on a message or one of its fields. */
export interface MessageNote {
  readonly severity: Severity;
  /** Path of the field; empty for the whole message. */
  readonly path: string;
  readonly text: string;
}

/** The result of dissecting bytes, wherever they come from. */
export interface Dissected {
  /** Name of the message type or class; `gap`, `skipped` or `encrypted` for a range that is not a message. */
  readonly name: string;
  readonly status: Status;
  /** The field tree; undefined for a range that is not a message. */
  readonly nodes: FieldTree | undefined;
  /** Offset in the direction's stream, and length in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly notes: readonly MessageNote[];
}

/** One dissected message. Valid only during the call that passes it: the node store is reused for the next one. */
export interface Message extends Dissected {
  /** Position in the output, counted from 1. */
  readonly number: number;
  /** The packet that completed the message. */
  readonly origin: Origin;
  /**
   * The frames in which its bytes arrived, in stream order; only the first and the last for a range that is not a
   * message.
   */
  readonly frames: readonly number[];
  readonly conversation: Conversation;
  /** From which end of the conversation to which. See `directionOf` for what to show people. */
  readonly direction: Direction;
  /** Full name of the protocol: "moul.game". */
  readonly protocol: string;
}

/** What a message belongs to. */
type Carrier = Pick<Message, "conversation" | "direction" | "protocol">;

/** A message that is kept: one that is only passed on is a literal, which is made faster. */
export class MessageRecord implements Message {
  readonly number: number;
  readonly origin: Origin;
  readonly frames: readonly number[];
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly protocol: string;
  readonly name: string;
  readonly status: Status;
  readonly nodes: FieldTree | undefined;
  readonly offset: number;
  readonly length: number;
  readonly notes: readonly MessageNote[];

  constructor(
    { number, origin, frames }: MessagePlace,
    { conversation, direction, protocol }: Carrier,
    { name, status, nodes, offset, length, notes }: Dissected,
  ) {
    this.number = number;
    this.origin = origin;
    this.frames = frames;
    this.conversation = conversation;
    this.direction = direction;
    this.protocol = protocol;
    this.name = name;
    this.status = status;
    this.nodes = nodes;
    this.offset = offset;
    this.length = length;
    this.notes = notes;
  }
}

/** True for a message assembled from several others, in which its bytes have already been shown. */
export function isAssembled({ nodes }: Dissected): boolean {
  return nodes?.sources[0]?.kind === "assembled";
}

/** Receives messages, synchronously, in the order in which they were completed. */
export type MessageListener = (message: Message) => void;

/**
 * Returns the direction of a message; "none" if neither end is a server: for messages to a group, or to the sender's
 * own address and port.
 */
export function directionOf({ conversation, direction }: Message): ShownDirection {
  if (conversation.transport === "tcp") return direction;
  const { client, server } = conversation;
  const isSame = client.port === server.port && client.address === server.address;
  return isSame || isGroupAddress(server.address) ? "none" : direction;
}
