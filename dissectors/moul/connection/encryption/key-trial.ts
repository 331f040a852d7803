import { type Direction, Rc4 } from "moul-dissect/dissector";
import { Decoder, Extent, type StructType, viewOf } from "moul-dissect/schema";
import type { ServerMessages } from "../../messages/messageTable.js";
import { noDescriptors } from "../../sdl/descriptors.js";
import { headOf } from "../message-step.js";

/** Most bytes of a direction that are tried: enough for several messages, even after a large one. */
export const TRIAL_BYTES = 64 * 1024;
/** This many messages in a row leave no doubt. */
export const TRIAL_MESSAGES = 4;
/** No message is longer: clients accept texts of up to 2 MiB. Source: pnNetProtocol/pnNpCli2Auth.cpp. */
const LONGEST_MESSAGE = 2 * 1024 * 1024;

/**
 * How much sense the beginning of a direction makes: a number of whole messages in a row, and why they `stop`.
 *
 * - `end`: all bytes are used up, or enough messages were seen;
 * - `open`: the next message needs more bytes;
 * - `nonsense`: the next bytes are not a message.
 */
export interface Trial {
  readonly messages: number;
  /** Those of them that are not pings: pings are mostly zeros, as is much else. */
  readonly telling: number;
  /** True if there is at least the beginning of a message. */
  readonly begun: boolean;
  readonly stop: "end" | "open" | "nonsense";
  /** Number of bytes examined. */
  readonly work: number;
}

/**
 * True if bytes make too much sense for it to be chance. A single message occurs by chance about once in a thousand
 * times.
 */
export function isConvincing({ messages, stop }: Trial): boolean {
  return messages > 1 || (messages === 1 && stop === "end");
}

/** True if the bytes are not messages. */
export function isNonsense({ messages, stop }: Trial): boolean {
  return messages === 0 && stop === "nonsense";
}

const decoder = new Decoder();
// Which layout records have says nothing about a key.
decoder.settings = noDescriptors;
/** Reused for all trials. */
const trialCipher = new Rc4(new Uint8Array(1));

const NONE: ReadonlySet<StructType<unknown>> = new Set();

/** What is known about the bytes of a trial. */
interface TrialOptions {
  /** Session key to decrypt with; undefined for clear text. */
  readonly key?: Uint8Array | undefined;
  /** How many encrypted bytes are missing before them. */
  readonly missing?: number | undefined;
  /** Maximum number of messages to examine. */
  readonly most?: number | undefined;
  /** Messages that do not come twice: a second one is nonsense. */
  readonly once?: ReadonlySet<StructType<unknown>>;
}

/** Tests how much sense bytes make as messages of a server. */
export function tryKey(
  server: ServerMessages,
  direction: Direction,
  pending: Uint8Array,
  options: TrialOptions = {},
): Trial {
  return tryAt(server, direction, readWith(pending, options), 0, options);
}

/**
 * The same for bytes after a gap, where the first message may begin anywhere: as many messages in a row as leave no doubt,
 * wherever they begin; undefined if there are none.
 */
export function findMessages(
  server: ServerMessages,
  direction: Direction,
  pending: Uint8Array,
  options: TrialOptions,
): Trial | undefined {
  const bytes = readWith(pending, options);
  const view = viewOf(bytes);
  for (let start = 0; start < bytes.length; start++) {
    // Nearly all places end here, at least with a wrong key.
    if (headOf(server, direction, { bytes, view, start, end: bytes.length })?.type === undefined) continue;
    const trial = tryAt(server, direction, bytes, start, options);
    if (trial.messages >= TRIAL_MESSAGES) return trial;
  }
  return undefined;
}

/** As much of the bytes as is tried, decrypted if there is a key. */
function readWith(pending: Uint8Array, { key, missing = 0 }: TrialOptions): Uint8Array {
  if (key === undefined) return pending.subarray(0, TRIAL_BYTES);
  const bytes = pending.slice(0, TRIAL_BYTES);
  trialCipher.restart(key);
  trialCipher.advance(missing);
  trialCipher.apply(bytes);
  return bytes;
}

function tryAt(
  server: ServerMessages,
  direction: Direction,
  bytes: Uint8Array,
  from: number,
  { most = TRIAL_MESSAGES, once = NONE }: TrialOptions,
): Trial {
  const view = viewOf(bytes);
  let start = from;
  let messages = 0;
  let telling = 0;
  let begun = false;
  const seen = new Set<StructType<unknown>>();
  const stopped = (stop: Trial["stop"]): Trial => ({ messages, telling, begun, stop, work: start - from });
  while (start < bytes.length && messages < most) {
    const head = headOf(server, direction, { bytes, view, start, end: bytes.length });
    if (head === undefined) return stopped("open");
    const { type, length } = head;
    if (type === undefined || (once.has(type) && seen.has(type))) return stopped("nonsense");
    seen.add(type);
    begun = true;
    const end = length === undefined ? bytes.length : start + length;
    const isThere = end <= bytes.length;
    if (
      !isThere ||
      !decoder.decode(type, { bytes, view, start, end }, length === undefined ? Extent.Open : Extent.Exact)
    ) {
      const needed = isThere ? decoder.needed : end - start;
      return stopped(needed > LONGEST_MESSAGE ? "nonsense" : "open");
    }
    if (decoder.nodes.outcome === "malformed") return stopped("nonsense");
    start += decoder.consumed;
    messages++;
    if (type.struct.tag !== 0) telling++;
  }
  return stopped("end");
}
