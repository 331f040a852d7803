import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import { bytes, decodeText, rest, type StructType, struct } from "moul-dissect/schema";
import { Announcements } from "../announcements.js";
import {
  LIST_PROTOCOL,
  ListServerEntries,
  ListServerEntries17d,
  ListServerGet,
  ListServerHttpReply,
  ListServerHttpReply17d,
  ListServerList,
  ListServerResult,
  requests,
} from "./messages.js";
import { isList, isOfListServer, isResult } from "./recognise.js";

const WORD = /^([A-Z]+)[ \r\n]/;
const LONGEST_WORD = 7;
/**
 * A line with the address from which the server was registered, which 1.7d leaves out. Source: facts, section 7,
 * `LIST`.
 */
const WITH_ADDRESS = /^\S+ \S+ [0-9a-f]{72} \d{1,3}(?:\.\d{1,3}){3} /im;

const unknownText = struct("ListServerText", { undissected: bytes(rest).sensitive("unknown") });

const FOREIGN: Step = { step: "foreign", reason: "this is not the protocol of list servers" };

/**
 * A conversation with a list server: a request and its answer, in text; one of each over HTTP. A server that answers in
 * another way is not one.
 */
export class ListConversation implements ConversationDissector {
  readonly protocol = LIST_PROTOCOL;
  readonly encryptionState = unencrypted;
  readonly mayLeave = true;
  #request: StructType<unknown> | undefined;
  /** How many requests have not been answered. */
  #open = 0;
  #isLeft = false;

  constructor(readonly handle: ConversationHandle) {}

  next(direction: Direction, window: Window): Step {
    const step = this.#isLeft ? FOREIGN : this.#step(direction, window);
    this.#isLeft = step === FOREIGN;
    return step;
  }

  #step(direction: Direction, window: Window): Step {
    return direction === "c2s" ? this.#requestStep(window) : this.#replyStep(window);
  }

  decoded(direction: Direction, type: StructType<unknown>): void {
    if (direction === "s2c") {
      this.#open--;
      return;
    }
    this.#request = type;
    this.#open++;
    // A web server may have a list among other pages.
    if (type !== ListServerGet) this.#announce();
  }

  #announce(): void {
    Announcements.in(this.handle.shared).listServer(this.handle.server);
  }

  #requestStep(window: Window): Step {
    if (this.#request === ListServerGet) return FOREIGN;
    const head = headOf(window, LONGEST_WORD + 1);
    const type = requests.get(WORD.exec(head)?.[1] ?? "");
    if (type !== undefined) return { step: "message", type };
    if (head.length <= LONGEST_WORD && /^[A-Z]*$/.test(head)) return { step: "more", bytes: head.length + 1 };
    const reason = "this is not a request that list servers know";
    return { step: "unknown", name: unknownText.struct.name, head: unknownText, reason };
  }

  #replyStep(window: Window): Step {
    if (this.#open <= 0 && !this.handle.ended("c2s")) return { step: "wait" };
    if (this.#open < 0 || (this.#open === 0 && this.#request !== undefined)) return FOREIGN;
    const { bytes: data, start } = window;
    if (this.#request !== ListServerList && this.#request !== ListServerGet) {
      const isAnswer = isResult(data.subarray(start, start + 1));
      return isAnswer ? { step: "message", type: ListServerResult, length: 1 } : FOREIGN;
    }
    // The list has no length: the server hangs up after it.
    const available = window.end - window.start;
    if (!this.handle.ended("s2c")) return { step: "more", bytes: available + 1 };
    const reply = headOf(window, available);
    const isWhole = this.handle.hungUp("s2c");
    if (this.#request === ListServerGet && isOfListServer(reply)) this.#announce();
    const content = this.#request === ListServerGet ? contentOf(reply) : reply;
    if (content !== undefined && !isList(content, isWhole)) return FOREIGN;
    const hasAddress = WITH_ADDRESS.test(headOf(window, available));
    const type = replyTo(this.#request, hasAddress);
    // Otherwise it goes on, and its length is unknown.
    return this.handle.hungUp("s2c") ? { step: "message", type, length: available } : { step: "message", type };
  }
}

function replyTo(request: StructType<unknown>, hasAddress: boolean): StructType<unknown> {
  if (request === ListServerList) return hasAddress ? ListServerEntries : ListServerEntries17d;
  return hasAddress ? ListServerHttpReply : ListServerHttpReply17d;
}

/** What follows the head of a reply over HTTP; undefined if the head is not complete. */
function contentOf(reply: string): string | undefined {
  const [, content] = /^HTTP\/1\.\d \d{3}[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n(.*)$/s.exec(reply) ?? [];
  return content ?? (reply.includes("\n\n") || reply.includes("\r\n\r\n") ? "no list" : undefined);
}

function headOf({ bytes: data, start, end }: Window, length: number): string {
  return decodeText(data.subarray(start, Math.min(end, start + length)));
}
