import {
  type ConversationDissector,
  type Direction,
  type Recognition,
  type Step,
  unencrypted,
  type Window,
} from "../../../src/session/dissector.js";
import { RequestText, StatusReply, StatusRequest, StatusText } from "./status-messages.js";

/** Paths under which shards serve their status. Source: documentation "server_config"; NAGUS and DIRTSAND. */
const STATUS_PATHS = /^(?:GET|HEAD|POST) (?:\/serverstatus\/\w+\.php|\/welcome|\/status)[? ]/;
const METHODS = ["GET ", "HEAD ", "POST "];
const ANY_REQUEST = /^(?:GET|HEAD|POST) [^\r\n]* HTTP\/1\.[01]\r\n/;
/** Longest head of a request, in bytes, whose end is waited for. */
const LONGEST_HEAD = 4096;
/**
 * The same for heads within a conversation, eight times what servers accept; longer ones are shown as text, in pieces.
 */
const LONGEST_KNOWN_HEAD = 64 * 1024;
const END_OF_HEAD = "\r\n\r\n";

/** Recognises a request to a status server in a client's first bytes: by its path, or because the game client asks. */
export function recogniseStatusRequest(c2s: Uint8Array): Recognition {
  const head = Buffer.from(c2s.buffer, c2s.byteOffset, Math.min(c2s.length, LONGEST_HEAD)).toString("latin1");
  if (!METHODS.some((method) => head.startsWith(method) || method.startsWith(head))) return "no";
  if (STATUS_PATHS.test(head)) return "yes";
  const end = head.indexOf(END_OF_HEAD);
  if (end < 0 && head.length < LONGEST_HEAD) return "more";
  return ANY_REQUEST.test(head) && /\r\nUser-Agent: UruClient\//i.test(head) ? "yes" : "no";
}

/** A connection to a status server: HTTP, of which heads and plain contents are shown. */
export class StatusConversation implements ConversationDissector {
  readonly protocol = "moul.status";
  readonly encryptionState = unencrypted;
  /** Bytes of content still to come in a direction; infinite: up to its end. */
  readonly #content: Record<Direction, number> = { c2s: 0, s2c: 0 };
  /** Bytes of the current head that have been searched for its end in vain. */
  readonly #searched: Record<Direction, number> = { c2s: 0, s2c: 0 };

  next(direction: Direction, window: Window): Step {
    const available = window.end - window.start;
    const content = this.#content[direction];
    const type = direction === "c2s" ? RequestText : StatusText;
    if (content === Number.POSITIVE_INFINITY) return { step: "message", type, length: available };
    if (content > 0) {
      if (available >= content) this.#content[direction] = 0;
      return { step: "message", type, length: content };
    }
    const { bytes, start, end } = window;
    const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    const found = head.indexOf(END_OF_HEAD, Math.max(0, this.#searched[direction] - END_OF_HEAD.length));
    const isAwaited = found < 0 && available <= LONGEST_KNOWN_HEAD;
    this.#searched[direction] = isAwaited ? available : 0;
    if (isAwaited) return { step: "more", bytes: available + 1 };
    if (found < 0) return { step: "message", type, length: available };
    const length = found + END_OF_HEAD.length;
    this.#content[direction] = contentLength(direction, head.toString("latin1", 0, length));
    return { step: "message", type: direction === "c2s" ? StatusRequest : StatusReply, length };
  }
}

/** How much content follows a head; a reply that does not say goes on to the end of the stream. */
function contentLength(direction: Direction, head: string): number {
  const length = /\r\nContent-Length: *(\d{1,9})\r\n/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return direction === "c2s" || /^HTTP\/1\.[01] (?:1\d\d|204|304) /.test(head) ? 0 : Number.POSITIVE_INFINITY;
}
