import { Decoder, Extent, viewOf } from "../../../src/schema/index.js";
import { type Direction, Rc4 } from "../../../src/session/dissector.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { headOf } from "./message-step.js";

/** Bytes of a direction that are tried at most: enough for several messages, also behind a large one. */
export const TRIAL_BYTES = 64 * 1024;
/** So many messages in a row leave no doubt. */
const TRIAL_MESSAGES = 4;
/** No message is longer: clients take texts of up to 2 MiB. Source: pnNetProtocol/pnNpCli2Auth.cpp. */
const LONGEST_MESSAGE = 2 * 1024 * 1024;

/**
 * How much sense the beginning of a direction makes: so many whole messages in a row, then `stop`.
 *
 * - `end`: all bytes are used up, or enough messages were seen;
 * - `open`: what follows needs more bytes;
 * - `nonsense`: what follows is no message.
 */
export interface Trial {
  readonly messages: number;
  /** Those of them that are no pings: these are mostly zeros, as much else is. */
  readonly telling: number;
  /** True if there is at least the beginning of a message. */
  readonly begun: boolean;
  readonly stop: "end" | "open" | "nonsense";
}

/**
 * True if bytes make so much sense that it cannot be by chance. One message alone happens about once in a thousand
 * times.
 */
export function isConvincing({ messages, stop }: Trial): boolean {
  return messages > 1 || (messages === 1 && stop === "end");
}

/** True if the bytes are no messages. */
export function isNonsense({ messages, stop }: Trial): boolean {
  return messages === 0 && stop === "nonsense";
}

const decoder = new Decoder();

/**
 * Tries how much sense bytes make as messages of a server.
 *
 * @param key session key to decrypt with, or undefined for clear text
 * @param most messages that are looked at
 */
export function tryKey(
  server: ServerMessages,
  direction: Direction,
  pending: Uint8Array,
  key?: Uint8Array,
  most = TRIAL_MESSAGES,
): Trial {
  const bytes = pending.slice(0, TRIAL_BYTES);
  if (key !== undefined) new Rc4(key).apply(bytes);
  const view = viewOf(bytes);
  let start = 0;
  let messages = 0;
  let telling = 0;
  let begun = false;
  while (start < bytes.length && messages < most) {
    const head = headOf(server, direction, { bytes, view, start, end: bytes.length });
    if (head === undefined) return { messages, telling, begun, stop: "open" };
    const { type, length } = head;
    if (type === undefined) return { messages, telling, begun, stop: "nonsense" };
    begun = true;
    const end = length === undefined ? bytes.length : start + length;
    const isThere = end <= bytes.length;
    if (
      !isThere ||
      !decoder.decode(type, { bytes, view, start, end }, length === undefined ? Extent.Open : Extent.Exact)
    ) {
      const needed = isThere ? decoder.needed : end - start;
      return { messages, telling, begun, stop: needed > LONGEST_MESSAGE ? "nonsense" : "open" };
    }
    if (decoder.nodes.outcome === "malformed") return { messages, telling, begun, stop: "nonsense" };
    start += decoder.consumed;
    messages++;
    if (type.struct.tag !== 0) telling++;
  }
  return { messages, telling, begun, stop: "end" };
}
