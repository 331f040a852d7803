import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import type { StructType } from "moul-dissect/schema";
import {
  type Asked,
  answersStatus,
  askedIn,
  END_OF_HEAD,
  hasKnownPath,
  isJson,
  isStatusText,
  latin1,
  lengthIn,
  VERSION,
} from "./status-evidence.js";
import { StatusContent, StatusOtherRequest, StatusReply, StatusRequest, StatusText } from "./status-messages.js";

/** Longest head whose end is waited for, eight times what servers accept. After a longer one nothing is certain. */
const LONGEST_KNOWN_HEAD = 64 * 1024;
/** Most requests without a reply: nobody sends more of them ahead. */
const MOST_UNANSWERED = 64;
/** The first lines of heads. Source: RFC 9112. */
const FIRST_LINES: Readonly<Record<Direction, RegExp>> = {
  c2s: /^(?:GET|HEAD|POST) [^\r\n]* HTTP\/1\.\d\r\n/,
  s2c: /^HTTP\/1\.\d \d{3}(?: [^\r\n]*)?\r\n/,
};
/** What the heads of a direction begin with. */
const BEGINNINGS: Readonly<Record<Direction, readonly string[]>> = { c2s: ["GET ", "HEAD ", "POST "], s2c: [VERSION] };
/** Replies that never have content. Source: RFC 9112, section 6.3. */
const HAS_NO_CONTENT = /^HTTP\/1\.\d (?:1(?!01)|204|304)/;
/** After this reply, another protocol is spoken. Source: RFC 9110, section 15.2.2. */
const SWITCHES = /^HTTP\/1\.\d 101/;
/** A reply before the one that answers. Source: RFC 9110, section 15.2. */
const IS_INTERIM = /^HTTP\/1\.\d 1/;
/** Why nothing more of a conversation is dissected. */
const NO_REQUEST = "the client asks for something else than the status of a shard from here on";
const NO_REPLY = "the server answers something else than the status of a shard from here on";

/** What follows a head: content of this length, infinite if it is not known where it ends. */
interface Content {
  readonly type: StructType<unknown>;
  readonly length: number;
  /** The head of the reply, if its content itself shows whether it is the text of a status. */
  readonly decidedBy?: string;
}

interface Request {
  readonly asked: Asked;
  /** True if its path is one under which shards serve their status. */
  readonly isKnown: boolean;
}

const ANYTHING: Content = { type: StatusContent, length: Number.POSITIVE_INFINITY };
/** The content of a reply that does not say how long it is, as MOSS's. Source: RFC 9112, section 6.3. */
const TEXT_TO_THE_END: Content = { type: StatusText, length: Number.POSITIVE_INFINITY };

/**
 * A connection to a status server: HTTP, of which heads and plain contents are shown. Only what certainly is the text of
 * a status counts as text for everybody: what else there is may say something about a person. Once anything else is
 * asked or answered, as behind a proxy, the rest of the connection is somebody else's.
 */
export class StatusConversation implements ConversationDissector {
  readonly protocol = "moul.status";
  readonly encryptionState = unencrypted;
  readonly mayLeave = true;
  /** What comes before the next head of a direction. */
  readonly #content: Record<Direction, Content | undefined> = { c2s: undefined, s2c: undefined };
  /** True right after the head of a reply. */
  #isAfterReply = false;
  /** Bytes of the current head that have been searched for its end in vain. */
  readonly #searched: Record<Direction, number> = { c2s: 0, s2c: 0 };
  /** The requests that are not answered yet, the oldest first. */
  readonly #unanswered: Request[] = [];
  /** Why the rest of the connection does not belong to it. */
  #left: string | undefined;

  /** @param isDeclared true if the user says that this is a status server, whatever it is asked */
  constructor(
    readonly handle: Pick<ConversationHandle, "hungUp" | "ended">,
    readonly isDeclared: boolean,
  ) {}

  next(direction: Direction, { bytes, start, end }: Window): Step {
    if (this.#left !== undefined && !this.#isAwaited(direction)) return { step: "foreign", reason: this.#left };
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
    const { type, length, decidedBy } = this.#isAmbiguous(content) ? ANYTHING : content;
    if (decidedBy !== undefined) return this.#decided(there, length, decidedBy);
    return { step: "message", type, length: Number.isFinite(length) ? length : there.length };
  }

  decoded(direction: Direction, type: StructType<unknown>): void {
    if (direction === "s2c") this.#isAfterReply = type === StatusReply;
    const content = this.#content[direction];
    if (content?.type === type && Number.isFinite(content.length)) this.#content[direction] = undefined;
  }

  /** True for a text after which the server would have hung up, but more was asked: other replies may follow in it. */
  #isAmbiguous(content: Content): boolean {
    return content === TEXT_TO_THE_END && this.#unanswered.length > 0;
  }

  /** True if what comes next belongs to a request for the status, although something else was asked after it. */
  #isAwaited(direction: Direction): boolean {
    const { s2c } = this.#content;
    return (
      direction === "s2c" &&
      this.#left === NO_REQUEST &&
      (s2c === undefined ? this.#unanswered.length > 0 : s2c.length !== Number.POSITIVE_INFINITY)
    );
  }

  /** Content of a reply of a known length, all of which it takes to tell whether it is the text of a status. */
  #decided(there: Buffer, length: number, head: string): Step {
    if (there.length < length && !this.handle.ended("s2c")) return { step: "more", bytes: length };
    const isText = there.length >= length && isStatusText(head, there.toString("latin1", 0, length));
    const type = isText ? StatusText : StatusContent;
    this.#content.s2c = { type, length };
    return { step: "message", type, length };
  }

  #head(direction: Direction, there: Buffer): Step {
    if (direction === "s2c" && this.#unanswered.length === 0 && !this.handle.ended("c2s")) return { step: "wait" };
    const beginning = there.toString("latin1", 0, VERSION.length);
    if (!BEGINNINGS[direction].some((begun) => beginning.startsWith(begun.slice(0, beginning.length)))) {
      return this.#leave(direction);
    }
    const found = there.indexOf(END_OF_HEAD, Math.max(0, this.#searched[direction] - END_OF_HEAD.length));
    const isAwaited = found < 0 && there.length <= LONGEST_KNOWN_HEAD;
    this.#searched[direction] = isAwaited ? there.length : 0;
    if (isAwaited) return { step: "more", bytes: there.length + 1 };
    const length = found + END_OF_HEAD.length;
    const head = found < 0 ? "" : there.toString("latin1", 0, length);
    if (found >= 0 && !FIRST_LINES[direction].test(head)) return this.#leave(direction);
    if (found < 0) {
      this.#content[direction] = ANYTHING;
      return { step: "message", type: StatusContent, length: there.length };
    }
    return direction === "c2s" ? this.#request(head) : this.#reply(head, there);
  }

  #request(head: string): Step {
    const asked = this.isDeclared ? "by the game" : askedIn(head);
    if (asked === undefined || this.#unanswered.length >= MOST_UNANSWERED) return this.#leave("c2s");
    const isKnown = hasKnownPath(head);
    this.#unanswered.push({ asked, isKnown });
    this.#content.c2s = contentOfRequest(head);
    return { step: "message", type: isKnown ? StatusRequest : StatusOtherRequest, length: head.length };
  }

  #reply(head: string, there: Buffer): Step {
    const [request] = this.#unanswered;
    const asked = request?.asked;
    if (SWITCHES.test(head)) return this.#leave("s2c");
    if (asked !== undefined && asked !== "by the game") {
      const answer = answersStatus(asked, latin1(there), this.handle.ended("s2c"));
      if (answer === "more") return { step: "more", bytes: there.length + 1 };
      if (answer === "no") return this.#leave("s2c");
    }
    if (!IS_INTERIM.test(head)) this.#unanswered.shift();
    // If a request was lost, nobody knows what this answers; and the game may ask the same server for other things.
    const isAnswer = request === undefined ? this.handle.hungUp("c2s") : request.isKnown;
    this.#content.s2c = contentOfReply(head, isAnswer);
    return { step: "message", type: StatusReply, length: head.length };
  }

  #leave(direction: Direction): Step {
    this.#left = direction === "c2s" ? NO_REQUEST : NO_REPLY;
    return { step: "foreign", reason: this.#left };
  }
}

/** What follows the head of a request; undefined if that is the next head. */
function contentOfRequest(head: string): Content | undefined {
  if (!/^(?:Content-Length|Transfer-Encoding)/im.test(head)) return undefined;
  const length = lengthIn(head);
  if (length === undefined) return ANYTHING;
  return length > 0 ? { type: StatusContent, length } : undefined;
}

/** The same for a reply. */
function contentOfReply(head: string, isAnswer: boolean): Content | undefined {
  if (HAS_NO_CONTENT.test(head)) return undefined;
  const length = lengthIn(head);
  if (length === 0) return undefined;
  const mayBeText = isJson(head) || (isAnswer && isStatusText(head, ""));
  if (length === undefined) {
    const isLengthless = !/^(?:Content-Length|Transfer-Encoding)/im.test(head);
    return isLengthless && mayBeText && !isJson(head) ? TEXT_TO_THE_END : ANYTHING;
  }
  if (!mayBeText) return { type: StatusContent, length };
  return isJson(head) ? { type: StatusContent, length, decidedBy: head } : { type: StatusText, length };
}
