import { type Candidate, type Direction, inDirection, type Step, type Window } from "moul-dissect/dissector";
import { bytes, rest, type StructType, struct } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { plCreatable } from "../creatables.js";
import { Cli2Game_PropagateBuffer, Game2Cli_PropagateBuffer } from "../messages/game/game.js";
import type { MessageTable, ServerMessages } from "../messages/messageTable.js";
import { pingBits } from "./ping-bits.js";

/** What can be shown of messages of an unknown type. */
const unknownMessage = struct("message", { messageType: u16, undissected: bytes(rest).sensitive("unknown") });
const unknownFileMessage = struct("message", {
  messageByteCount: u32,
  messageType: u32,
  undissected: bytes(rest).sensitive("unknown"),
});
/** Width in bytes of what messages begin with: their type or, for the file server, their length and type. */
const TYPE_BYTES = 2;
const FILE_HEADER_BYTES = 8;
/** Servers send files in pieces of 32 KiB; manifests are the longest messages. */
const LONGEST_FILE_MESSAGE = 1024 * 1024;
/** Message type, class index, buffer length, and the class index that the buffer begins with. */
const PROPAGATE_HEAD_BYTES = 12;

/** What the first bytes of a message say about it. */
interface MessageHead {
  readonly number: number;
  /** The declaration of the message; undefined if there is none. */
  readonly type: StructType<unknown> | undefined;
  /** Length of the whole message; only those of the file server give it. */
  readonly length: number | undefined;
}

/** Width in bytes of the head of a server's messages. */
function headBytes(server: ServerMessages): number {
  return server.begin === "length" ? FILE_HEADER_BYTES : TYPE_BYTES;
}

/** The head of the message at the start of a window; undefined if there are too few bytes. */
export function headOf(server: ServerMessages, direction: Direction, window: Window): MessageHead | undefined {
  const { view, start, end } = window;
  if (end - start < headBytes(server)) return undefined;
  const table = server[direction];
  if (server.begin === "length") {
    const number = view.getUint32(start + 4, true);
    return { number, type: table.get(number), length: view.getUint32(start, true) };
  }
  const number = view.getUint16(start, true);
  return { number, type: table.get(number), length: undefined };
}

/** The step for a server's message at the start of a window, in the clear. Source: specification "Messages". */
export function messageStep(server: ServerMessages, direction: Direction, window: Window): Step {
  const { view, start, end } = window;
  // Nearly all messages are of this kind.
  if (server.begin === "type" && end - start >= TYPE_BYTES) {
    const known = inDirection(server, direction).step(view.getUint16(start, true));
    if (known !== undefined) return known;
  }
  const message = headOf(server, direction, window);
  if (message === undefined) return { step: "more", bytes: headBytes(server) };
  const { number, type, length } = message;
  if (length !== undefined && length < FILE_HEADER_BYTES) {
    const reason = `the byte count of ${length} does not even cover the header of ${FILE_HEADER_BYTES} bytes`;
    return { step: "malformed", name: nameOf(server, direction, number), head: unknownFileMessage, reason };
  }
  if (type !== undefined && length !== undefined) return { step: "message", type, length };
  const name = nameOf(server, direction, number);
  const { reason } = server[direction].undeclared(number) ?? {
    reason: `${number} is not a known message type of ${server.protocol}`,
  };
  return length === undefined
    ? { step: "unknown", name, head: unknownMessage, reason }
    : { step: "unknown", name, head: unknownFileMessage, reason, length };
}

/** The message of a server that could begin at the start of a window: see `ConversationDissector.candidate`. */
export function messageCandidate(
  server: ServerMessages,
  direction: Direction,
  window: Window,
): Candidate | "more" | undefined {
  const table = server[direction];
  return server.begin === "length" ? framedCandidate(table, window) : candidateIn(table, window);
}

/** The message that the type at the start of a window announces. */
function candidateIn(table: MessageTable, window: Window): Candidate | "more" | undefined {
  const { view, start, end } = window;
  if (end - start < TYPE_BYTES) return "more";
  const type = table.get(view.getUint16(start, true));
  if (type === undefined) return undefined;
  if (type.struct.tag === 0) return { type, bits: pingBits(type, window) };
  const bits = 16 - Math.log2(table.size);
  if (type !== Cli2Game_PropagateBuffer && type !== Game2Cli_PropagateBuffer) return { type, bits };
  if (end - start < PROPAGATE_HEAD_BYTES) return "more";
  // The class index comes before the buffer's length and again after it.
  const classIndex = view.getUint32(start + 2, true);
  const sameTwice = classIndex === view.getUint16(start + 10, true) && plCreatable.get(classIndex) !== undefined;
  return sameTwice ? { type, bits: bits + 40 } : undefined;
}

/** The file server's message that the length and type at the start of a window announce. */
function framedCandidate(table: MessageTable, { view, start, end }: Window): Candidate | "more" | undefined {
  if (end - start < FILE_HEADER_BYTES) return "more";
  const length = view.getUint32(start, true);
  const type = table.get(view.getUint32(start + 4, true));
  if (type === undefined || length < type.struct.minimumWidth || length > LONGEST_FILE_MESSAGE) return undefined;
  const isFixed = type.struct.fields.every(({ width }) => width > 0);
  return isFixed && length > type.struct.minimumWidth ? undefined : { type, length, bits: 32 };
}

/** Name of a message, made from its number if it has none: "Cli2Auth_53". */
function nameOf(server: ServerMessages, direction: Direction, number: number): string {
  const table = server[direction];
  const [first] = table.messages();
  return table.nameOf(number) ?? `${first?.struct.name.split("_")[0] ?? "Message"}_${number}`;
}
