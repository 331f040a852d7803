import { bytes, decodeText, rest, type StructType, struct } from "../../../src/schema/index.js";
import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type Step,
  unencrypted,
  type Window,
} from "../../../src/session/dissector.js";
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

const WORD = /^([A-Z]+)[ \r\n]/;
const LONGEST_WORD = 7;
/**
 * A line with the address from which the server was registered, which 1.7d leaves out. Source: facts, section 7,
 * `LIST`.
 */
const WITH_ADDRESS = /^\S+ \S+ [0-9a-f]{72} \d{1,3}(?:\.\d{1,3}){3} /im;

const unknownText = struct("ListServerText", { undissected: bytes(rest).sensitive("unknown") });

/** A conversation with a list server: one request, one answer, in text. */
export class ListConversation implements ConversationDissector {
  readonly protocol = LIST_PROTOCOL;
  readonly encryptionState = unencrypted;
  #request: StructType<unknown> | undefined;

  constructor(readonly handle: ConversationHandle) {
    Announcements.in(handle.shared).listServer(handle.server);
  }

  next(direction: Direction, window: Window): Step {
    return direction === "c2s" ? this.#requestStep(window) : this.#replyStep(window);
  }

  decoded(direction: Direction, type: StructType<unknown>): void {
    if (direction === "c2s") this.#request = type;
  }

  #requestStep(window: Window): Step {
    const head = headOf(window, LONGEST_WORD + 1);
    const type = requests.get(WORD.exec(head)?.[1] ?? "");
    if (type !== undefined) return { step: "message", type };
    if (head.length <= LONGEST_WORD && /^[A-Z]*$/.test(head)) return { step: "more", bytes: head.length + 1 };
    const reason = "this is not a request that list servers know";
    return { step: "unknown", name: unknownText.struct.name, head: unknownText, reason };
  }

  #replyStep(window: Window): Step {
    if (this.#request === undefined && !this.handle.ended("c2s")) return { step: "wait" };
    if (this.#request !== ListServerList && this.#request !== ListServerGet) {
      return { step: "message", type: ListServerResult, length: 1 };
    }
    // The list has no length: the server hangs up after it.
    const available = window.end - window.start;
    if (!this.handle.ended("s2c")) return { step: "more", bytes: available + 1 };
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

function headOf({ bytes: data, start, end }: Window, length: number): string {
  return decodeText(data.subarray(start, Math.min(end, start + length)));
}
