import type { FieldTree, StructType } from "moul-dissect/schema";
import { Cli2Auth_AcctSetPlayerRequest } from "../../messages/auth/account.js";
import { Cli2Auth_ClientRegisterRequest } from "../../messages/auth/client.js";
import { Auth2Cli_FileDownloadChunk, Cli2Auth_FileDownloadChunkAck } from "../../messages/auth/files.js";
import { Cli2File_FileDownloadChunkAck, File2Cli_FileDownloadReply } from "../../messages/file/download.js";
import { File2Cli_BuildIdReply } from "../../messages/file/global.js";
import { Cli2File_ManifestEntryAck, File2Cli_ManifestReply } from "../../messages/file/manifest.js";
import { Cli2Game_JoinAgeRequest } from "../../messages/game/age.js";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "../../messages/game/gameMgrMsg.js";
import { canFail } from "./error.js";
import { type Named, type Naming, namedInReplies, namesInRequests } from "./joint-names.js";
import { Numbering, type RequestKey } from "./requests.js";

/** The messages that say who is playing, and where, or name a build. */
const telling = new Set<StructType<unknown>>([
  Cli2Auth_AcctSetPlayerRequest,
  Cli2Game_JoinAgeRequest,
  Cli2Auth_ClientRegisterRequest,
  File2Cli_BuildIdReply,
]);

/** Messages that bring a part of something, which the client acknowledges. */
const parts = new Set<StructType<unknown>>([
  Auth2Cli_FileDownloadChunk,
  File2Cli_ManifestReply,
  File2Cli_FileDownloadReply,
]);

/** Messages of a client that acknowledge the oldest part: they ask for nothing. */
const receipts = new Set<StructType<unknown>>([
  Cli2Auth_FileDownloadChunkAck,
  Cli2File_ManifestEntryAck,
  Cli2File_FileDownloadChunkAck,
]);

/** What the messages of a transaction have in common, and the leaf that holds it. */
export interface Link {
  /** A number of 32 bits, or a text. */
  readonly id: RequestKey;
  readonly numbering: Numbering;
  readonly leaf: number;
  readonly isPing?: true;
}

/** What messages of a type are to a connection. */
export interface Role {
  readonly type: StructType<unknown>;
  /** True if they can say who is playing, and where, name a build or report an error. */
  readonly isTelling: boolean;
  /** Finds out what links one to others of its transaction; undefined if none is in one. */
  readonly link: ((nodes: FieldTree) => Link | undefined) | undefined;
  readonly isPart: boolean;
  readonly isReceipt: boolean;
  /** Finds what a request names. */
  readonly names: Naming | undefined;
  /** What a reply adds to that. */
  readonly named: Named | undefined;
}

const roles = new Map<StructType<unknown>, Role>();

/** Returns the role of messages of a type: worked out once for each. */
export function roleOf(type: StructType<unknown>): Role {
  let role = roles.get(type);
  if (role === undefined) {
    role = {
      type,
      isTelling: telling.has(type) || canFail(type),
      link: linkOf(type),
      isPart: parts.has(type),
      isReceipt: receipts.has(type),
      names: namesInRequests.get(type),
      named: namedInReplies.get(type),
    };
    roles.set(type, role);
  }
  return role;
}

/** How messages of a type are linked to others. Pings and game managers have their own numbering. */
function linkOf(type: StructType<unknown>): Role["link"] {
  const { descriptors } = type.struct;
  if (descriptors.has("pingTime")) return descriptors.has("transactionId") ? numberedPingLink : pingLink;
  if (descriptors.has("transactionId")) return transactionLink;
  return type === Cli2Game_GameMgrMsg || type === Game2Cli_GameMgrMsg ? gameManagerLink : undefined;
}

function transactionLink(nodes: FieldTree): Link | undefined {
  const leaf = nodes.child(0, "transactionId");
  return leaf < 0 ? undefined : { id: nodes.number(leaf), numbering: Numbering.transactions, leaf };
}

function pingLink(nodes: FieldTree): Link | undefined {
  const leaf = nodes.child(0, "pingTime");
  return leaf < 0 ? undefined : { id: nodes.number(leaf), numbering: Numbering.pings, leaf, isPing: true };
}

function numberedPingLink(nodes: FieldTree): Link | undefined {
  const link = pingLink(nodes);
  const number = nodes.numberIn(0, "transactionId");
  return link && number !== undefined ? { ...link, id: `${link.id} ${number}` } : link;
}

function gameManagerLink(nodes: FieldTree): Link | undefined {
  const buffer = nodes.child(0, "buffer");
  const leaf = buffer < 0 ? -1 : nodes.child(buffer, "transactionId");
  if (leaf < 0) return undefined;
  const number = nodes.number(leaf);
  // Messages that ask for nothing, and those that nothing asked for, have the number 0.
  return number === 0 ? undefined : { id: number, numbering: Numbering.games, leaf };
}
