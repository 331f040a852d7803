import type { Conversation, Direction, Origin } from "../network/conversation.js";
import type { Nodes, Outcome } from "../schema/nodes.js";

/** How a message came out: as `Outcome`, or it could not be decrypted. */
export type Status = Outcome | "encrypted";

/** A remark on a message or a field of it. */
export interface MessageNote {
  readonly severity: "error" | "warning" | "note";
  /** Path of the field, empty for the whole message. */
  readonly path: string;
  readonly text: string;
}

/**
 * What the dissection yields. Valid only during the call that hands it over: the node store is used again for the next
 * message.
 */
export interface Message {
  /** Position in the output, counted from 1. */
  readonly number: number;
  /** The packet that completed the message. */
  readonly origin: Origin;
  /** The frames that its bytes came in, in the order of the stream. */
  readonly frames: readonly number[];
  readonly conversation: Conversation;
  readonly direction: Direction;
  /** Full name of the protocol: "moul.game". */
  readonly protocol: string;
  /** Name of the message type; `gap`, `skipped` and `encrypted` for stretches of the stream that are no messages. */
  readonly name: string;
  readonly status: Status;
  /** The field tree; undefined for stretches that are no messages. */
  readonly nodes: Nodes | undefined;
  /** Offset in the direction's stream, and length in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly notes: readonly MessageNote[];
}

/** Takes messages, synchronously, in the order in which they were completed. */
export type MessageListener = (message: Message) => void;
