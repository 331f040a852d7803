import { bytes, rest, type StructType, struct } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";
import type { Candidate, Direction, Step, Window } from "../../../src/session/dissector.js";
import { plCreatable } from "../creatables.js";
import { Cli2Game_PropagateBuffer, Game2Cli_PropagateBuffer } from "../messages/game/game.js";
import { file } from "../messages/index.js";
import type { MessageTable, ServerMessages } from "../messages/messageTable.js";

/** Messages of an unknown type, as far as they can be shown. */
const unknownMessage = struct("message", { messageType: u16, undissected: bytes(rest) });
const unknownFileMessage = struct("message", { messageByteCount: u32, messageType: u32, undissected: bytes(rest) });
const FILE_HEADER_BYTES = 8;
/** Servers send files in pieces of 32 KiB; manifests are the longest messages. */
const LONGEST_FILE_MESSAGE = 1024 * 1024;
/** Message type, class index, buffer length, and the class index that the buffer begins with. */
const PROPAGATE_HEAD_BYTES = 12;

/** The message of a server that stands at a place, in the clear. Source: specification "Messages". */
export function messageStep(server: ServerMessages, direction: Direction, window: Window): Step {
  const available = window.end - window.start;
  if (server === file) {
    if (available < FILE_HEADER_BYTES) return { step: "more", bytes: FILE_HEADER_BYTES };
    const length = window.view.getUint32(window.start, true);
    const number = window.view.getUint32(window.start + 4, true);
    const type = server[direction].get(number);
    if (type === undefined || length < FILE_HEADER_BYTES) return unknown(server, direction, number, unknownFileMessage);
    return { step: "message", type, length };
  }
  if (available < 2) return { step: "more", bytes: 2 };
  const number = window.view.getUint16(window.start, true);
  const type = server[direction].get(number);
  return type === undefined ? unknown(server, direction, number, unknownMessage) : { step: "message", type };
}

/** The message of a server that could begin at a place: see `ConversationDissector.candidate`. */
export function messageCandidate(
  server: ServerMessages,
  direction: Direction,
  window: Window,
): Candidate | "more" | undefined {
  return server === file ? framedCandidate(server[direction], window) : candidateIn(server[direction], window);
}

/** The message that the type at a place announces. */
function candidateIn(table: MessageTable, { view, start, end }: Window): Candidate | "more" | undefined {
  if (end - start < 2) return "more";
  const type = table.get(view.getUint16(start, true));
  if (type === undefined) return undefined;
  // Zeros are everywhere: the number of a ping says little.
  const bits = type.struct.tag === 0 ? 3 : 16 - Math.log2(table.size);
  if (type !== Cli2Game_PropagateBuffer && type !== Game2Cli_PropagateBuffer) return { type, bits };
  if (end - start < PROPAGATE_HEAD_BYTES) return "more";
  // The class stands in front of the buffer's length and again behind it.
  const classIndex = view.getUint32(start + 2, true);
  const sameTwice = classIndex === view.getUint16(start + 10, true) && plCreatable.get(classIndex) !== undefined;
  return sameTwice ? { type, bits: bits + 40 } : undefined;
}

/** The file server's message that the length and type at a place announce. */
function framedCandidate(table: MessageTable, { view, start, end }: Window): Candidate | "more" | undefined {
  if (end - start < FILE_HEADER_BYTES) return "more";
  const length = view.getUint32(start, true);
  const type = table.get(view.getUint32(start + 4, true));
  if (type === undefined || length < type.struct.minimumWidth || length > LONGEST_FILE_MESSAGE) return undefined;
  return { type, length, bits: 32 };
}

function unknown(server: ServerMessages, direction: Direction, number: number, head: StructType<unknown>): Step {
  const table = server[direction];
  const undeclared = table.undeclared(number);
  if (undeclared !== undefined) return { step: "unknown", name: undeclared.name, head, reason: undeclared.reason };
  const name = `${prefixOf(table)}_${number}`;
  return { step: "unknown", name, head, reason: `${number} is not a known message type of ${server.protocol}` };
}

/** What the names of a direction's messages begin with: "Cli2Auth". */
function prefixOf(table: MessageTable): string {
  const [first] = table.messages();
  return first?.struct.name.split("_")[0] ?? "Message";
}
