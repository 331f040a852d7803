import { Decoder, Extent } from "../../../src/schema/decode.js";
import { viewOf } from "../../../src/schema/nodes.js";
import { type Cipher, type Direction, Rc4 } from "../../../src/session/dissector.js";
import type { ServerMessages } from "../messages/messageTable.js";

/** Bytes of a direction that are tried at most: enough for several messages, also behind a large one. */
const TRIAL_BYTES = 64 * 1024;
/** So many messages in a row are as good as certain: one alone makes sense by chance about once in a thousand times. */
const TRIAL_MESSAGES = 4;
/** No message is longer (the client refuses longer buffers). */
const LONGEST_MESSAGE = 2 * 1024 * 1024;

/**
 * How much sense the beginning of a direction makes: `messages` whole ones in a row, then `stop`.
 *
 * - `end`: all bytes are used up, or enough messages were seen;
 * - `open`: what follows begins like a message, and needs more bytes;
 * - `nonsense`: what follows is no message.
 */
export interface Trial {
  readonly messages: number;
  readonly stop: "end" | "open" | "nonsense";
}

const decoder = new Decoder();

/**
 * Tries how much sense bytes make as messages of a server.
 *
 * @param key session key to decrypt with, or undefined for clear text
 */
export function tryKey(
  server: ServerMessages,
  direction: Direction,
  pending: Uint8Array,
  key: Uint8Array | undefined,
): Trial {
  const bytes = pending.slice(0, TRIAL_BYTES);
  if (key !== undefined) cipherOf(key).apply(bytes);
  const view = viewOf(bytes);
  let start = 0;
  let messages = 0;
  while (start < bytes.length && messages < TRIAL_MESSAGES) {
    if (start + 2 > bytes.length) return { messages, stop: "open" };
    const type = server[direction].get(view.getUint16(start, true));
    if (type === undefined) return { messages, stop: "nonsense" };
    if (!decoder.decode(type, { bytes, view, start, end: bytes.length }, Extent.Open)) {
      return { messages, stop: decoder.needed > LONGEST_MESSAGE ? "nonsense" : "open" };
    }
    if (decoder.nodes.outcome === "malformed") return { messages, stop: "nonsense" };
    start += decoder.consumed;
    messages++;
  }
  return { messages, stop: "end" };
}

/** The cipher of a connection, at its beginning: RC4 with one key, a state of its own for each direction. */
export function cipherOf(key: Uint8Array): Cipher {
  return new Rc4(key);
}
