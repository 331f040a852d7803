import {
  annotateLink,
  answerTo,
  type ConversationHandle,
  type Direction,
  type MessagePlace,
  millisecondsBetween,
  type Passed,
} from "moul-dissect/dissector";
import type { DecodedTree, FieldTree, MessageContext, StructType } from "moul-dissect/schema";
import { Auth2Cli_FileDownloadChunk, Cli2Auth_FileDownloadChunkAck } from "../messages/auth/files.js";
import { Cli2File_FileDownloadChunkAck, File2Cli_FileDownloadReply } from "../messages/file/download.js";
import { Cli2File_ManifestEntryAck, File2Cli_ManifestReply } from "../messages/file/manifest.js";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "../messages/game/gameMgrMsg.js";
import { namedInReplies, namesInRequests } from "./joint-names.js";
import { keyOf, type Request, type RequestKey, Requests } from "./requests.js";
import { StrayReplies } from "./stray-replies.js";

/** Longest name, in characters, that is kept until the reply comes; anything longer is not a name. */
const LONGEST_SUBJECT = 256;

/** Messages that bring a part of something, which the client acknowledges. */
const parts: ReadonlySet<StructType<unknown>> = new Set<StructType<unknown>>([
  Auth2Cli_FileDownloadChunk,
  File2Cli_ManifestReply,
  File2Cli_FileDownloadReply,
]);

/** Most parts that may be on their way at once; a server sends four parts of a file at a time, of 32 KiB each. */
const MOST_PARTS = 256;

/** Messages of a client that acknowledge the oldest part: they ask for nothing. */
const receipts: ReadonlySet<StructType<unknown>> = new Set<StructType<unknown>>([
  Cli2Auth_FileDownloadChunkAck,
  Cli2File_ManifestEntryAck,
  Cli2File_FileDownloadChunkAck,
]);

/** Whether a message asks for a reply, and what it answers. */
export type Exchange = Pick<MessageContext, "asks" | "answers" | "forgets">;

/** The exchange of most messages, which neither ask nor answer. */
export const NO_EXCHANGE: Exchange = {};

const ASKS: Exchange = { asks: true };

/** What the messages of a transaction have in common, and the leaf that holds it. */
interface Link {
  /** A number of 32 bits, or a text. */
  readonly id: RequestKey;
  /** 1 for messages of games, which have a numbering of their own. */
  readonly numbering: 0 | 1;
  readonly leaf: number;
  readonly isPing?: true;
}

/**
 * Matches the replies of one connection to their requests, and receipts to the replies that they are for. Clients reuse
 * their numbers; the latest request with a number counts.
 */
export class Transactions {
  readonly #names: ConversationHandle["names"];
  readonly #requests: Requests;
  readonly #connection: number;
  #losses = 0;
  /** Made with the first one. */
  #strays: StrayReplies | undefined;

  constructor({ names, shared }: Pick<ConversationHandle, "names" | "shared">) {
    this.#names = names;
    this.#requests = Requests.in(shared);
    this.#connection = this.#requests.newConnection();
  }

  /** Records a request, or annotates a message that belongs to an earlier one. */
  decoded(
    direction: Direction,
    type: StructType<unknown>,
    nodes: DecodedTree,
    { number, origin }: MessagePlace,
  ): Exchange {
    const link = linkOf(type, nodes);
    if (link === undefined) return NO_EXCHANGE;
    const { seconds, nanoseconds } = origin;
    const message: Passed = { name: type.struct.name, number, seconds, nanoseconds };
    const key = keyOf(this.#connection, link.numbering, link.id);
    if (direction === "c2s") {
      if (!receipts.has(type)) return this.#request(type, nodes, key, message);
      this.#receipt(nodes, link, message, this.#requests.get(key));
      return NO_EXCHANGE;
    }
    const request = this.#requests.get(key);
    if (request !== undefined) return this.#reply(type, nodes, link, message, request);
    this.#strays ??= new StrayReplies();
    this.#strays.add(key, message);
    return NO_EXCHANGE;
  }

  #reply(type: StructType<unknown>, nodes: DecodedTree, link: Link, message: Passed, request: Request): Exchange {
    const isFirst = !request.isAnswered;
    annotateLink(nodes, link.leaf, "answers", request, message);
    request.isAnswered = true;
    if (parts.has(type)) this.#part(request, message);
    this.#learnName(type, nodes, request);
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

  #request(type: StructType<unknown>, nodes: FieldTree, key: RequestKey, passed: Passed): Exchange {
    const { name, number, seconds, nanoseconds } = passed;
    const named = namesInRequests.get(type)?.(nodes) ?? "";
    const request = this.#requests.renewed(key);
    const isForgotten = request.key !== key && request.name !== "" && !request.isAnswered;
    const forgets = isForgotten ? { name: request.name, number: request.number } : undefined;
    request.key = key;
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

  #learnName(type: StructType<unknown>, nodes: FieldTree, { subject }: Request): void {
    const named = namedInReplies.get(type);
    if (named === undefined || subject === "") return;
    const id = nodes.textIn(0, named.id);
    if (id !== undefined && id !== String(named.except)) this.#names.set(named.kind, id, subject);
  }
}

/** Finds out how a message is linked to others. */
type Linking = (nodes: FieldTree) => Link | undefined;

const linkings = new Map<StructType<unknown>, Linking>();

/** How a message is linked to others; undefined if it is not. Pings and game managers have their own numbering. */
function linkOf(type: StructType<unknown>, nodes: FieldTree): Link | undefined {
  let linking = linkings.get(type);
  if (linking === undefined) {
    linking = linkingOf(type);
    linkings.set(type, linking);
  }
  return linking(nodes);
}

function linkingOf(type: StructType<unknown>): Linking {
  const { descriptors } = type.struct;
  if (descriptors.has("pingTime")) return pingLink;
  if (descriptors.has("transactionId")) return transactionLink;
  return type === Cli2Game_GameMgrMsg || type === Game2Cli_GameMgrMsg ? gameManagerLink : () => undefined;
}

function transactionLink(nodes: FieldTree): Link | undefined {
  const leaf = nodes.child(0, "transactionId");
  return leaf < 0 ? undefined : { id: nodes.number(leaf), numbering: 0, leaf };
}

function pingLink(nodes: FieldTree): Link | undefined {
  const leaf = nodes.child(0, "pingTime");
  if (leaf < 0) return undefined;
  const id = `ping ${nodes.number(leaf)} ${nodes.numberIn(0, "transactionId") ?? ""}`;
  return { id, numbering: 0, leaf, isPing: true };
}

function gameManagerLink(nodes: FieldTree): Link | undefined {
  const buffer = nodes.child(0, "buffer");
  const leaf = buffer < 0 ? -1 : nodes.child(buffer, "transactionId");
  if (leaf < 0) return undefined;
  const number = nodes.number(leaf);
  // Messages that ask for nothing, and those that nothing asked for, have the number 0.
  return number === 0 ? undefined : { id: number, numbering: 1, leaf };
}
