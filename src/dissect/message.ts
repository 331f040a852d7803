import { isGroupAddress } from "../network/address.js";
import type { Conversation, Direction, Origin } from "../network/conversation.js";
import type { FieldTree, Severity } from "../schema/field-tree.js";
import type { Outcome } from "../schema/outcome.js";

/** How a message came out: an `Outcome`, or it could not be decrypted. */
export const statuses = ["ok", "malformed", "truncated", "unknown", "encrypted"] as const satisfies readonly (
  | Outcome
  | "encrypted"
)[];
/** One of them. */
export type Status = (typeof statuses)[number];

/** Which way a message can go, as it is told; "none" where neither end is a server: see `directionOf`. */
export const toldDirections = ["c2s", "s2c", "none"] as const;
/** One of them. */
export type ToldDirection = (typeof toldDirections)[number];

/** A remark on a message or a field of it. */
export interface MessageNote {
  readonly severity: Severity;
  /** Path of the field, empty for the whole message. */
  readonly path: string;
  readonly text: string;
}

/** What is known of bytes that were taken apart, wherever they come from. */
export interface Dissected {
  /**
   * Name of the message type or class; `gap`, `skipped` and `encrypted` for stretches of a stream that are no messages.
   */
  readonly name: string;
  readonly status: Status;
  /** The field tree; undefined for stretches that are no messages. */
  readonly nodes: FieldTree | undefined;
  /** Offset in the direction's stream, and length in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly notes: readonly MessageNote[];
}

/** One dissected message. Valid only during the call that hands it over: the node store is reused for the next one. */
export interface Message extends Dissected {
  /** Position in the output, counted from 1. */
  readonly number: number;
  /** The packet that completed the message. */
  readonly origin: Origin;
  /**
   * The frames that its bytes came in, in stream order; for a stretch that is no message, only the first and the last.
   */
  readonly frames: readonly number[];
  readonly conversation: Conversation;
  /** From which end of the conversation to which. See `directionOf` for what to tell people. */
  readonly direction: Direction;
  /** Full name of the protocol: "moul.game". */
  readonly protocol: string;
}

/** True for a message that was assembled from several others: its bytes have been shown in those. */
export function isAssembled({ nodes }: Dissected): boolean {
  return nodes?.sources[0]?.kind === "assembled";
}

/** Takes messages, synchronously, in the order in which they were completed. */
export type MessageListener = (message: Message) => void;

/**
 * Which way a message went; "none" where neither end is a server: what is sent to a group, or to its sender's own port.
 */
export function directionOf({ conversation, direction }: Message): ToldDirection {
  if (conversation.transport === "tcp") return direction;
  const { client, server } = conversation;
  const isSame = client.port === server.port && client.address === server.address;
  return isSame || isGroupAddress(server.address) ? "none" : direction;
}
