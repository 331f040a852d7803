import {
  annotateLink,
  answerTo,
  type ConversationHandle,
  type Direction,
  type MessagePlace,
  millisecondsBetween,
  type Passed,
} from "moul-dissect/dissector";
import type { DecodedTree, FieldTree, MessageContext } from "moul-dissect/schema";
import type { Link, Role } from "./message-roles.js";
import { keyOf, type Request, type RequestKey, Requests } from "./requests.js";
import { StrayReplies } from "./stray-replies.js";

/** Longest name, in characters, that is kept until the reply comes; anything longer is not a name. */
const LONGEST_SUBJECT = 256;

/** Most parts that may be on their way at once; a server sends four parts of a file at a time, of 32 KiB each. */
const MOST_PARTS = 256;

/** Whether a message asks for a reply, and what it answers. */
export type Exchange = Pick<MessageContext, "asks" | "answers" | "forgets">;

/** The exchange of most messages, which neither ask nor answer. */
export const NO_EXCHANGE: Exchange = {};

const ASKS: Exchange = { asks: true };

/**
 * Matches the replies of one connection to their requests, and receipts to the replies that they are for. Clients reuse
 * their numbers; the latest request with a number counts.
 */
export class Transactions {
  readonly #names: ConversationHandle["names"];
  readonly #requests: Requests;
  /** Those of this connection. */
  readonly #own = new Map<RequestKey, Request>();
  #losses = 0;
  /** Made with the first one. */
  #strays: StrayReplies | undefined;

  constructor({ names, shared }: Pick<ConversationHandle, "names" | "shared">) {
    this.#names = names;
    this.#requests = Requests.in(shared);
  }

  /** Records a request, or annotates a message that belongs to an earlier one. */
  decoded(direction: Direction, role: Role, nodes: DecodedTree, { number, origin }: MessagePlace): Exchange {
    const link = role.link?.(nodes);
    if (link === undefined) return NO_EXCHANGE;
    const { seconds, nanoseconds } = origin;
    const message: Passed = { name: role.type.struct.name, number, seconds, nanoseconds };
    const key = keyOf(link.numbering, link.id);
    if (direction === "c2s") {
      if (!role.isReceipt) return this.#request(role, nodes, key, message);
      this.#receipt(nodes, link, message, this.#own.get(key));
      return NO_EXCHANGE;
    }
    const request = this.#own.get(key);
    if (request !== undefined) return this.#reply(role, nodes, link, message, request);
    this.#strays ??= new StrayReplies();
    this.#strays.add(key, message);
    return NO_EXCHANGE;
  }

  #reply(role: Role, nodes: DecodedTree, link: Link, message: Passed, request: Request): Exchange {
    const isFirst = !request.isAnswered;
    annotateLink(nodes, link.leaf, "answers", request, message);
    request.isAnswered = true;
    if (role.isPart) this.#part(request, message);
    this.#learnName(role, nodes, request);
    return { answers: answerTo(request, message, { isFirst, isPing: link.isPing === true }) };
  }

  /** Whether a request that is seen only now has already been answered. */
  #hasReplyOf(key: RequestKey, request: Passed): boolean {
    const reply = this.#strays?.take(key);
    return reply !== undefined && millisecondsBetween(request, reply) >= 0;
  }

  #receipt(nodes: DecodedTree, link: Link, message: Passed, request: Request | undefined): void {
    const part = request?.losses === this.#losses ? request.parts?.shift() : undefined;
    if (part !== undefined) annotateLink(nodes, link.leaf, "acknowledges", part, message);
  }

  /** Bytes of the connection are missing: a receipt or a part may have been among them. */
  lost(): void {
    this.#losses++;
  }

  /** Remembers a part until its receipt comes. */
  #part(request: Request, part: Passed): void {
    if (request.parts === undefined) {
      request.parts = [];
      request.losses = this.#losses;
    }
    if (request.parts.length < MOST_PARTS) request.parts.push(part);
    else request.losses = -1;
  }

  #request({ names }: Role, nodes: FieldTree, key: RequestKey, passed: Passed): Exchange {
    const { name, number, seconds, nanoseconds } = passed;
    const named = names?.(nodes) ?? "";
    const known = this.#own.get(key);
    if (known !== undefined) this.#requests.renew(known);
    const request = known ?? this.#requests.add(this.#own, key);
    const isForgotten = known === undefined && request.name !== "" && !request.isAnswered;
    const forgets = isForgotten ? { name: request.name, number: request.number } : undefined;
    request.name = name;
    request.number = number;
    request.seconds = seconds;
    request.nanoseconds = nanoseconds;
    request.subject = named.length <= LONGEST_SUBJECT ? named : "";
    request.isAnswered = this.#hasReplyOf(key, passed);
    request.parts = undefined;
    const asks = !request.isAnswered;
    if (forgets !== undefined) return { asks, forgets };
    return asks ? ASKS : NO_EXCHANGE;
  }

  #learnName({ named }: Role, nodes: FieldTree, { subject }: Request): void {
    if (named === undefined || subject === "") return;
    const id = nodes.textIn(0, named.id);
    if (id !== undefined && id !== String(named.except)) this.#names.set(named.kind, id, subject);
  }
}
