import type { StructType } from "../../../src/schema/index.js";
import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type Recognition,
  type Step,
  unencrypted,
  type Window,
} from "../../../src/session/dissector.js";
import { StatusContent, StatusReply, StatusRequest, StatusText } from "./status-messages.js";

/** Paths under which shards serve their status. Source: documentation "server_config"; NAGUS and DIRTSAND. */
const STATUS_PATHS = /^(?:GET|HEAD|POST) (?:\/serverstatus\/\w+\.php|\/welcome|\/status)[? ]/;
const METHODS = ["GET ", "HEAD ", "POST "];
const ANY_REQUEST = /^(?:GET|HEAD|POST) [^\r\n]* HTTP\/1\.[01]\r\n/;
/** Longest head of a request, in bytes, whose end is waited for. */
const LONGEST_HEAD = 4096;
/** The same for heads within a conversation, eight times what servers accept. After a longer one nothing is certain. */
const LONGEST_KNOWN_HEAD = 64 * 1024;
const END_OF_HEAD = "\r\n\r\n";
/** The first lines of heads. Source: RFC 9112. */
const FIRST_LINES: Readonly<Record<Direction, RegExp>> = {
  c2s: /^[A-Z]+ [^\r\n]* HTTP\/1\.\d\r\n/,
  s2c: /^HTTP\/1\.\d \d{3}(?: [^\r\n]*)?\r\n/,
};
/** How every reply begins. */
const VERSION = "HTTP/1.";
/** Replies that never have content. Source: RFC 9112, section 6.3. */
const HAS_NO_CONTENT = /^HTTP\/1\.\d (?:1(?!01)|204|304)/;
/** After this reply, another protocol is spoken. Source: RFC 9110, section 15.2.2. */
const SWITCHES = /^HTTP\/1\.\d 101/;
/** A length on a line of its own, without a line that continues it. */
const LENGTH = /\nContent-Length:[ \t]*(\d{1,9})[ \t]*\r\n(?![ \t])/i;

/** Recognises a request to a status server in a client's first bytes: by its path, or because the game client asks. */
export function recogniseStatusRequest(c2s: Uint8Array): Recognition {
  const head = Buffer.from(c2s.buffer, c2s.byteOffset, Math.min(c2s.length, LONGEST_HEAD)).toString("latin1");
  if (!METHODS.some((method) => head.startsWith(method) || method.startsWith(head))) return "no";
  if (STATUS_PATHS.test(head)) return "yes";
  const end = head.indexOf(END_OF_HEAD);
  if (end < 0 && head.length < LONGEST_HEAD) return "more";
  return ANY_REQUEST.test(head) && /\r\nUser-Agent: UruClient\//i.test(head) ? "yes" : "no";
}

/** What follows a head: content of this length, infinite if it is not known where it ends. */
interface Content {
  readonly type: StructType<unknown>;
  readonly length: number;
}

const ANYTHING: Content = { type: StatusContent, length: Number.POSITIVE_INFINITY };
/** The content of a reply that does not say how long it is, as MOSS's. Source: RFC 9112, section 6.3. */
const TEXT_TO_THE_END: Content = { type: StatusText, length: Number.POSITIVE_INFINITY };

/**
 * A connection to a status server: HTTP, of which heads and plain contents are shown. Only what certainly is the content
 * of a reply counts as text for everybody: what else there is may be a head, with what it says about a person.
 */
export class StatusConversation implements ConversationDissector {
  readonly protocol = "moul.status";
  readonly encryptionState = unencrypted;
  /** What comes before the next head of a direction. */
  readonly #content: Record<Direction, Content | undefined> = { c2s: undefined, s2c: undefined };
  /** True right after the head of a reply. */
  #isAfterReply = false;
  /** Bytes of the current head that have been searched for its end in vain. */
  readonly #searched: Record<Direction, number> = { c2s: 0, s2c: 0 };

  constructor(readonly handle: Pick<ConversationHandle, "hungUp">) {}

  next(direction: Direction, { bytes, start, end }: Window): Step {
    const there = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    const content = this.#content[direction];
    if (content === undefined) return this.#head(direction, there);
    if (direction === "s2c" && (this.#isAfterReply || content === TEXT_TO_THE_END)) {
      // The reply to HEAD says how long the content would be, but has none: the next reply follows. Nothing should
      // follow text up to the end.
      const beginning = there.toString("latin1", 0, VERSION.length).toUpperCase();
      if (beginning === VERSION) return this.#head(direction, there);
      const isCut = this.#isAfterReply && VERSION.startsWith(beginning);
      if (isCut && !this.handle.hungUp(direction)) return { step: "more", bytes: there.length + 1 };
    }
    const { type, length } = content;
    return { step: "message", type, length: Number.isFinite(length) ? length : there.length };
  }

  decoded(direction: Direction, type: StructType<unknown>): void {
    if (direction === "s2c") this.#isAfterReply = type === StatusReply;
    const content = this.#content[direction];
    if (content?.type === type && Number.isFinite(content.length)) this.#content[direction] = undefined;
  }

  #head(direction: Direction, there: Buffer): Step {
    const found = there.indexOf(END_OF_HEAD, Math.max(0, this.#searched[direction] - END_OF_HEAD.length));
    const isAwaited = found < 0 && there.length <= LONGEST_KNOWN_HEAD;
    this.#searched[direction] = isAwaited ? there.length : 0;
    if (isAwaited) return { step: "more", bytes: there.length + 1 };
    const length = found + END_OF_HEAD.length;
    const head = found < 0 ? "" : there.toString("latin1", 0, length);
    if (!FIRST_LINES[direction].test(head)) {
      this.#content[direction] = ANYTHING;
      return { step: "message", type: StatusContent, length: there.length };
    }
    this.#content[direction] = contentAfter(direction, head);
    return { step: "message", type: direction === "c2s" ? StatusRequest : StatusReply, length };
  }
}

/** What follows a head; undefined if that is the next head. */
function contentAfter(direction: Direction, head: string): Content | undefined {
  if (HAS_NO_CONTENT.test(head)) return undefined;
  if (SWITCHES.test(head)) return ANYTHING;
  const hasLength = /^Content-Length/im.test(head);
  if (direction === "c2s" && !hasLength && !/^Transfer-Encoding/im.test(head)) return undefined;
  const isText = direction === "s2c" && !/^Content-Encoding/im.test(head);
  const saying = head.match(/^(?:Content-Length|Transfer-Encoding)/gim)?.length ?? 0;
  if (saying === 0 && isText) return TEXT_TO_THE_END;
  const length = saying === 1 ? LENGTH.exec(head)?.[1] : undefined;
  if (length === undefined) return ANYTHING;
  return Number(length) > 0 ? { type: isText ? StatusText : StatusContent, length: Number(length) } : undefined;
}
