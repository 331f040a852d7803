import type { Direction } from "../network/conversation.js";
import type { StructType } from "../schema/language/struct.js";

/** A whole number in the head of every message. */
export interface HeadNumber {
  /** Its offset in the message, in bytes. */
  readonly at: number;
  readonly kind: "u8" | "u16le" | "u16be" | "u32le" | "u32be";
}

/**
 * How messages follow each other in a protocol whose messages all begin with their length and their type: enough for
 * Wireshark's plugin, without any code.
 */
export interface WiresharkFraming {
  /** Length of the message; `plus` is the number of bytes that it does not count. */
  readonly length: HeadNumber & { readonly plus?: number };
  readonly type: HeadNumber;
  /** Messages by their type. */
  readonly messages: Readonly<Record<Direction, Readonly<Record<number, StructType<unknown>>>>>;
  /** What messages of other types are shown as; by default, as bytes. */
  readonly unknown?: StructType<unknown>;
  /** A message that each side begins with, before the others. */
  readonly greeting?: StructType<unknown>;
  /** What the client's bytes begin with: a conversation on any port is recognised by it. */
  readonly magic?: string;
}
